// The other pages, accessibility on all of them, and what the first load weighs.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DESKTOP, PHONE, accessible, begin, click, counts, inSight, message, says, server, square, visit } from './page.js';
import { folder, run, start } from './server.js';

test('axe finds nothing, on any page, at either size, in either mode', async () => {
  for (const [size, colorScheme] of /** @type {[object, 'light' | 'dark'][]} */ ([[DESKTOP, 'light'], [PHONE, 'dark']])) {
    const page = await visit({ ...size, colorScheme });
    for (const [path, ready] of [['/', '.card'], ['/watch', 'h1'], ['/analyse', '[role=gridcell]'], ['/variants', '.words'], ['/account', 'form']]) {
      await page.goto(path);
      await page.locator(ready).first().waitFor();
      await accessible(page, path);
    }
    for (const variant of ['checkers', 'draughts', 'international']) {
      await begin(page, { variant });
      await accessible(page, variant);
    }
    await page.goto('/');
    await page.locator('[data-game=checkers]').click();
    await page.locator('.words').waitFor();
    await accessible(page, 'the sheet of a game');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Import' }).click();
    await page.locator('dialog textarea').waitFor();
    await accessible(page, 'the sheet of an import');
    if (size !== DESKTOP) continue;
    await page.goto('/variants');
    await page.locator('.words').waitFor();
    await page.evaluate(() => document.querySelectorAll('details').forEach((part) => { part.open = true; }));
    await accessible(page, 'the editor with all its forms');
  }
});

test('no page is wider than its window, and the bar is all there, from a small phone to a desk', async () => {
  for (const locale of ['en-GB', 'nl-NL']) {
    const page = await visit({ ...DESKTOP, locale });
    const id = await begin(page, { variant: 'english' });
    for (const path of ['/', '/watch', '/analyse', '/variants', '/account', `/game/${id}`]) {
      await page.goto(path);
      await page.locator('.bar nav').waitFor();
      for (const [width, height] of [[320, 568], [360, 640], [641, 360], [740, 360], [768, 1024], [897, 412], [1024, 768]]) {
        await page.setViewportSize({ width, height });
        const where = `${path} in ${locale} at ${width}×${height}`;
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, where);
        await inSight(page.locator('.bar > button'), `the settings, ${where}`);
      }
    }
  }
});

test('the first load of the play page: at most 60 KB compressed, from here alone', async () => {
  const page = await visit();
  let bytes = 0;
  /** @type {Promise<void>[]} */
  const sizes = [];
  page.on('response', (response) => {
    assert.equal(new URL(response.url()).origin, server.url);
    sizes.push(response.body().then((body) => { bytes += Math.min(body.length, gzipSync(body).length); }, () => {}));
  });
  await page.goto('/');
  await page.locator('.card').first().waitFor();
  await page.waitForLoadState('networkidle');
  await Promise.all(sizes);
  assert(bytes > 5_000 && bytes <= 60 * 1024, `${bytes} bytes`);
});

test('the first page draws the boards that are seen, and the others when one gets there', async () => {
  for (const size of [DESKTOP, PHONE]) {
    const page = await visit(size);
    await page.goto('/');
    await page.locator('[data-game=checkers] .piece').first().waitFor({ state: 'attached' });
    const drawn = await page.locator('.card:has(.piece)').count();
    assert(drawn < 30, `${drawn} boards for nobody`);
    await page.locator('.card').last().scrollIntoViewIfNeeded();
    await page.locator('.card').last().locator('.piece').first().waitFor();
  }
});

test('a page names all its modules, and a warm load asks for none of them again', async () => {
  for (const path of ['/', '/watch', '/analyse', '/variants', '/account']) {
    const page = await visit();
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    /** What came over the network. @type {string[]} */
    let asked = [];
    /** @type {Set<string>} */
    const kept = new Set();
    network.on('Network.requestServedFromCache', ({ requestId }) => kept.add(requestId));
    network.on('Network.responseReceived', ({ requestId, response }) => {
      if (response.url.includes('/web/') && !response.fromDiskCache && !kept.has(requestId)) asked.push(response.url);
    });
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    const named = await page.evaluate(() => [...document.querySelectorAll('[rel=modulepreload], [rel=stylesheet], [rel=icon], script')].map((link) => /** @type {any} */ (link).href ?? /** @type {any} */ (link).src));
    assert.deepEqual(asked.filter((url) => url.endsWith('.js') && !named.includes(url)), [], path);
    assert(asked.length > 5, `${asked.length} files`);
    asked = [];
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    assert.deepEqual(asked, [], path);
  }
});

test('nothing jumps while a page loads', async () => {
  for (const size of [DESKTOP, PHONE]) {
    const page = await visit(size);
    await page.addInitScript(() => {
      const seen = /** @type {any} */ (window);
      seen.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of /** @type {any[]} */ (list.getEntries())) seen.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const id = await begin(page, { variant: 'english', public: true });
    for (const [path, ready] of [['/', '.card >> nth=30'], [`/game/${id}`, '.piece'], ['/watch', '.card'], ['/analyse', '.piece'], ['/variants', '.words'], ['/account', 'form']]) {
      await page.goto(path);
      await page.locator(ready).first().waitFor();
      await page.waitForLoadState('networkidle');
      const shift = await page.evaluate(() => /** @type {any} */ (window).shift);
      assert(shift < 0.002, `${path}: ${shift}`);
    }
  }
});

test('the grid is what a screen reader expects', async () => {
  const page = await visit();
  await begin(page, { variant: 'english' });
  const grid = page.getByRole('grid', { name: 'Board, English draughts' });
  await counts(grid.getByRole('row'), 8);
  await counts(grid.getByRole('gridcell'), 32);
  await counts(grid.locator('[tabindex="0"]'), 1);
  await page.getByRole('gridcell', { name: '11, black man, can move' }).waitFor();
  await click(page, 11);
  await page.getByRole('gridcell', { name: '11, black man, selected' }).waitFor();
  await page.getByRole('gridcell', { name: '15, empty, can go here' }).waitFor();
});

test('analysis: free moves, variations, the engine, and PDN with several games', async () => {
  const page = await visit();
  await page.goto('/analyse?variant=english');
  await page.evaluate(() => localStorage.setItem('settings', '{"glide":false}'));
  await page.reload();
  await square(page, 11).waitFor();
  await click(page, 11, 15);
  await page.getByRole('button', { name: '11-15' }).waitFor();
  await page.getByRole('button', { name: 'One move back' }).click();
  await square(page, 9).and(page.locator('[aria-label*="can move"]')).waitFor();
  await click(page, 9, 13);
  await counts(page.locator('.moves .alt'), 1);
  await click(page, 1);
  await says(message(page), /1 is Black's|can't move/);
  await page.getByText('Let the engine think along').click();
  await page.locator('.lines li').first().waitFor();
  await page.locator('.arrow.best').first().waitFor({ state: 'attached' });
  await page.getByText('Import', { exact: true }).click();
  await page.getByLabel('Import').fill('[White "Anna"][Black "Bob"][GameType "21"]\n1. 11-15 22-18 2. 15x22 *\n\n[White "Cora"][Black "Dirk"][GameType "20"]\n1. 32-28 19-23 2. 28x19 14x23 *');
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await says(message(page), '2 games');
  await counts(page.locator('.moves button'), 3);
  await page.getByRole('button', { name: 'Game report' }).click();
  await page.locator('.graph').waitFor();
});

/** What a click on a button downloads. @param {import('playwright-core').Page} page @param {string} name */
async function downloaded(page, name) {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name }).click();
  let text = '';
  for await (const chunk of await (await download).createReadStream()) text += chunk;
  return text;
}

test('a tree of moves with comments goes out as PDN and comes back the same', async () => {
  for (const size of [DESKTOP, PHONE]) {
    const page = await visit(size);
    await page.goto('/analyse?variant=english');
    await page.getByText('Import', { exact: true }).click();
    await page.getByText('Export', { exact: true }).click();
    await page.getByLabel('Import').fill('[White "Anna"][Black "Bob"][GameType "21"]\n1. 11-15! {a good start} (1. 9-13 22-18 (1... 24-20 $6) 12-16) 22-18 2. 15x22 {[%emt 0:03]} *');
    const load = page.getByRole('button', { name: 'Load', exact: true });
    await load.click();
    // Variations within variations are there, with what is said about the moves.
    const tree = page.locator('.moves.tree');
    await says(tree, '1.11-15!a good start1.9-1322-18(1…24-20?!)2.12-161…22-182.15x22');
    // A move of one's own is a variation where one stands; it gets a glyph and a comment.
    await page.getByRole('button', { name: '24-20?!' }).click();
    await square(page, 13).and(page.locator('[aria-label*="can move"]')).waitFor();
    await click(page, 13, 17);
    await page.getByRole('button', { name: '13-17' }).and(page.locator('[aria-current]')).waitFor();
    await page.getByLabel('What the move is worth').selectOption('!! brilliant move');
    await page.getByLabel('Comment on this move').fill('What {a} shot');
    await page.getByLabel('Comment on this move').blur();
    const grown = '1.11-15!a good start1.9-1322-18(1…24-20?!2.13-17!!What (a) shot)2.12-161…22-182.15x22';
    const pdn = await downloaded(page, 'Download the game (PDN)');
    assert.match(pdn, /\[White "Anna"\]/);
    assert.match(pdn, /\[%emt 0:03\]/);
    await page.getByLabel('Import').fill(pdn);
    await load.click();
    await says(tree, grown);
    assert.equal(await downloaded(page, 'Download the game (PDN)'), pdn);
    // A variation becomes the main line, and the old one can go.
    await page.getByRole('button', { name: '9-13' }).click();
    await page.getByRole('button', { name: 'Make this the main line' }).click();
    await says(tree, /^1\.9-131\.11-15!/);
    await page.getByRole('button', { name: '11-15!' }).click();
    await page.getByRole('button', { name: 'Delete from this move on' }).click();
    await says(tree, '1.9-1322-181…24-20?!2.13-17!!What (a) shot2.12-16');
    await accessible(page, 'a tree of moves');
  }
});

test('a comment that is being written stays when a slow answer arrives', async () => {
  const page = await visit();
  await page.goto('/analyse?variant=english');
  await click(page, 11, 15);
  const comment = page.getByLabel('Comment on this move');
  await comment.waitFor();
  await page.route('**/api/positions', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  const answered = page.waitForResponse('**/api/positions');
  await page.getByLabel('What the move is worth').selectOption('! good move');
  await comment.fill('the usual');
  await answered;
  await page.getByRole('button', { name: '11-15!' }).waitFor();
  assert.equal(await comment.inputValue(), 'the usual');
  await comment.blur();
  await says(page.locator('.moves.tree'), '1.11-15!the usual');
});

test('a study is played on from where one stands, and a game that is over is studied', async () => {
  const page = await visit();
  await page.goto('/analyse?variant=english');
  await click(page, 11, 15, 22, 18);
  await page.getByRole('button', { name: '11-15' }).click();
  await counts(page.locator('.moves [aria-current]', { hasText: '11-15' }), 1);
  await page.getByRole('button', { name: 'Play from here' }).click();
  const sheet = page.getByRole('dialog', { name: 'English draughts' });
  await sheet.getByText('The game goes on. Moves so far: 1.').waitFor();
  await sheet.getByRole('radio', { name: 'Friend on this device' }).check();
  await sheet.getByRole('button', { name: 'Play', exact: true }).click();
  await says(page.locator('#status'), "White's turn");
  await counts(page.locator('.moves [data-ply]'), 1);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await page.getByRole('button', { name: 'Analyse this game' }).click();
  await page.waitForURL(/analyse/);
  await page.locator('.moves').getByRole('button', { name: '11-15' }).waitFor();
});

test('rubbish in the import is one sentence, and what was studied stays', async () => {
  const page = await visit();
  await page.goto('/analyse?variant=english');
  await page.evaluate(() => localStorage.setItem('settings', '{"glide":false}'));
  await page.reload();
  await square(page, 11).waitFor();
  await page.getByText('Import', { exact: true }).click();
  for (const [text, sentence] of /** @type {[string, string | RegExp][]} */ ([
    ['hello', 'There is no game in this text'],
    ['W:Wx:B', 'FEN: `x` is not a square of this board'],
    ['W:W99:B1', /99/],
    [`W:${'x'.repeat(5000)}`, /^FEN: .{20,140}$/],
    ['[FEN "W:W99:B1"] 1. 1-2', /99/],
    ['1. 11-15 22-99', /22-99/],
    [`1. ${'11-15 ('.repeat(3000)}`, /nested/],
    ['x'.repeat(3_000_000), 'Skipped, line 1: a single game is longer than 256 KiB'],
  ])) {
    await page.getByLabel('Import').fill(text);
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    await says(message(page), sentence);
  }
  await page.getByRole('button', { name: 'To the start' }).click();
  await square(page, 11).and(page.locator('[aria-label*="can move"]')).waitFor();
  await click(page, 11, 15);
  await page.getByRole('button', { name: '11-15' }).first().waitFor();
});

test('an address that asks for what is not there says so, on every page', async () => {
  const page = await visit(PHONE);
  for (const [address, sentence] of [
    ['/game/nothing', 'There is no such game'],
    ['/watch?league=nothing', 'There is no such league'],
    ['/analyse?game=nothing', 'There is no such game'],
    ['/analyse?variant=nothing', 'There is no game `nothing`'],
    ['/analyse?fen=rubbish', 'FEN: expected the side to move, `W` or `B`, found `rubbish`'],
  ]) {
    await page.goto(address);
    await says(message(page), sentence);
    if (address.startsWith('/analyse')) await counts(page.locator('[role=gridcell]'), 50);
  }
});

test('a server that is gone: whatever is clicked says so, and no page fails', async () => {
  const data = folder();
  const own = await start(data);
  const league = 'name = "Club"\nvariant = "english"\nformat = "round-robin"\nrounds = 1\ntime = "1s"\nseed = 7\nmax_plies = 20\n\n[[player]]\nname = "A"\nplays = "random"\n\n[[player]]\nname = "B"\nplays = "random"\n';
  try {
    mkdirSync(join(data, 'leagues'));
    writeFileSync(join(data, 'leagues', 'club.toml'), league);
    await new Promise((done) => { run(['league', 'run', join(data, 'leagues', 'club.toml')]).on('exit', done); });
    const open = async (/** @type {string} */ path, /** @type {string} */ ready) => {
      const page = await visit({ ...DESKTOP, baseURL: own.url });
      await page.goto(path);
      await page.locator(ready).first().waitFor();
      return page;
    };
    const [home, study, watched, editor] = [await open('/', '.card'), await open('/analyse', '[role=gridcell]'), await open('/watch?league=club', '[data-number]'), await open('/variants', '.words')];
    const game = await visit({ ...DESKTOP, baseURL: own.url });
    await begin(game, { variant: 'english' }, { glide: false, sounds: true });
    await game.getByText('Position and game').click();
    await own.end('SIGKILL');
    await home.getByRole('button', { name: 'Import' }).click();
    await watched.locator('[data-number]').first().click();
    await study.getByRole('button', { name: 'Play from here' }).click();
    await editor.getByRole('button', { name: 'Play it' }).click();
    await game.locator('[role=gridcell].movable').first().click();
    await game.locator('[role=gridcell][aria-label*="can go here"]').first().click();
    for (const page of [home, study, editor, game]) await page.getByText('The server can’t be reached.').waitFor();
    await watched.getByText('Offline').waitFor();
    await game.getByRole('button', { name: 'Download the game' }).click();
    await game.getByText('The server can’t be reached.').waitFor();
  } finally {
    await own.end('SIGKILL');
  }
});

test('setting up, on a phone: the board comes into view', async () => {
  const page = await visit(PHONE);
  await page.goto('/analyse?variant=english');
  await square(page, 11).waitFor();
  await page.getByRole('button', { name: 'Set up a position' }).tap();
  const box = await page.locator('.stage > king-board').boundingBox();
  assert(box && box.y >= 0, `the board begins at ${box?.y}`);
});

test('a position is set up by hand', async () => {
  const page = await visit();
  await page.goto('/analyse?variant=english');
  await square(page, 11).waitFor();
  await page.getByRole('button', { name: 'Set up a position' }).click();
  await page.getByRole('button', { name: 'Clear the board' }).click();
  await counts(page.locator('.stage > king-board .piece'), 0);
  await click(page, 18);
  await page.getByRole('button', { name: 'Black king' }).click();
  await click(page, 15);
  await page.getByRole('radio', { name: 'White' }).check();
  await page.getByRole('button', { name: 'Use this position' }).click();
  await page.getByRole('gridcell', { name: '18, white man, can capture' }).waitFor();
});

test('endgame tables say who wins, how far off it is, and which move does it', async () => {
  const page = await visit();
  await page.goto('/analyse?variant=english&fen=W:WK18,K19:BK4');
  const verdict = page.locator('.verdict');
  await says(verdict.locator('p'), /^Endgame tables: White wins, next step in \d+$/);
  const first = verdict.getByRole('button').first();
  assert.match(await first.textContent() ?? '', /White wins, next step in/);
  await first.click();
  await counts(page.locator('.moves button'), 1);
  await page.goto('/analyse?variant=english');
  await square(page, 11).waitFor();
  await counts(verdict.locator('p'), 0);
});

test('a game of one’s own: the form makes the file, faults stand at their key, and it is played', async () => {
  const page = await visit();
  await page.goto('/variants');
  await says(message(page), 'Nothing is wrong with it.');
  await page.getByText('Piece: king').click();
  await page.locator('[data-key="pieces.king.range"]').selectOption('slide');
  await page.locator('[data-key="pieces.king.reach"]').selectOption('long');
  await page.locator('.words').getByText(/Kings move any number/).waitFor();
  const file = page.getByLabel('The file');
  assert.match(await file.inputValue(), /\[pieces.king\]\nrange = "slide"\nreach = "long"/);
  // A fault stands at its key, and goes when it is mended.
  await page.locator('[data-part=board] > summary').click();
  await page.locator('[data-key="board.columns"]').fill('140');
  await page.locator('[id="fault-board.columns"]').getByText('from 2 to 100').waitFor();
  assert.equal(await page.locator('[data-key="board.columns"]').getAttribute('aria-invalid'), 'true');
  assert(await page.getByRole('button', { name: 'Play it' }).isDisabled());
  await page.locator('[data-key="board.columns"]').fill('8');
  await says(message(page), 'Nothing is wrong with it.');
  await counts(page.locator('[aria-invalid=true]'), 0);
  // A click makes a hole, the next one fills it; a piece can be put elsewhere.
  const hole = page.locator('king-board [role=row]').nth(3).locator('[data-square]').nth(1);
  await hole.click();
  await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.querySelector('textarea')).value.includes('holes = ["3,2"]'));
  await page.locator('.words').getByText('One square is missing').waitFor();
  await page.getByRole('button', { name: 'Black king' }).click();
  await page.locator('king-board [role=row]').nth(4).locator('[data-square]').nth(1).click();
  await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.querySelector('textarea')).value.includes('draw = ['));
  await says(message(page), 'Nothing is wrong with it.');
  // What is typed into the file shows in the form.
  await file.fill((await file.inputValue()).replace('"slide"', '"step"').replace('"long"', '"short"'));
  await page.waitForFunction(() => /** @type {HTMLSelectElement} */ (document.querySelector('[data-key="pieces.king.range"]')).value === 'step');
  await file.fill((await file.inputValue()).replace('title =', 'titel ='));
  await page.locator('.faults').getByText('unknown key `titel`').waitFor();
  // Many faults are not all shown, and one of no key has its line.
  const text = await file.inputValue();
  await file.fill('');
  await counts(page.locator('.faults li'), 7);
  await page.locator('.faults').getByText(/^and \d+ more$/).waitFor();
  await file.fill('[[[');
  await says(page.locator('.faults'), /^Line 1: not valid TOML/);
  await file.fill(text.replace('titel =', 'title ='));
  await says(message(page), 'Nothing is wrong with it.');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  assert.equal((await saved).suggestedFilename(), 'my-game.toml');
  await page.getByRole('button', { name: 'Play it' }).click();
  await page.waitForURL(/\/game\//);
  await counts(page.locator('king-board [role=gridcell]'), 31);
  await counts(page.locator('.piece.black.king'), 1);
});

test('every key of the schema has its field in the editor, and every choice is one that the server knows', async () => {
  const page = await visit();
  await page.goto('/variants?variant=international');
  await says(message(page), 'Nothing is wrong with it.');
  const { tables } = await page.evaluate(async () => (await fetch('/api/variants/schema')).json());
  assert(tables.length > 10);
  for (const { path, keys } of tables) {
    // Of pieces and counters there are several.
    const place = /** @type {any} */ ({ '': '', 'pieces.*': 'pieces.king.', 'draws.counters': 'draws.counters.2.' })[path] ?? `${path}.`;
    // Holes and drawn starts are made on the board.
    for (const { key, as } of keys) assert(await page.locator(['cells', 'drawing'].includes(as) ? '.palette' : `[data-key="${place}${key}"]`).count(), place + key);
  }
  const refused = /** @type {string[]} */ ([]);
  const check = (/** @type {string} */ toml) => page.evaluate(async (text) => {
    const response = await fetch('/api/variants/check', { method: 'POST', body: JSON.stringify({ toml: text }), headers: { 'content-type': 'application/json' } });
    return response.ok ? [] : (await response.json()).faults.map((/** @type {any} */ fault) => `${fault.key}: ${fault.reason}`);
  }, toml);
  for (const select of await page.locator('form select[data-key]').all()) {
    const key = /** @type {string} */ (await select.getAttribute('data-key'));
    for (const value of await select.locator('option').evaluateAll((options) => options.map((option) => /** @type {HTMLOptionElement} */ (option).value))) {
      const [, path, last] = /** @type {RegExpExecArray} */ (/^(.*)\.(\w+)$/.exec(key));
      if (/counters/.test(path)) continue;
      const faults = await check(`extends = "international"\nname = "mine"\n[board]\nsizes = []\n[${path}]\n${last} = ${JSON.stringify(value)}\n`);
      // A choice may contradict another key; it must not be a word that nobody knows.
      refused.push(...faults.filter((/** @type {string} */ fault) => /expected/.test(fault)));
    }
    await new Promise((resolve) => setTimeout(resolve, 120));
  }
  assert.deepEqual(refused, []);
});

test('a kind of piece and a counter of one’s own', async () => {
  const page = await visit();
  await page.goto('/variants');
  await says(message(page), 'Nothing is wrong with it.');
  await page.getByRole('button', { name: 'Add a kind of piece' }).click();
  await page.getByRole('button', { name: 'White frog' }).waitFor();
  await says(message(page), 'Nothing is wrong with it.');
  await page.locator('[data-part="pieces.frog"] > summary').click();
  await page.getByRole('checkbox', { name: 'Moves: backward left' }).check();
  await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.querySelector('textarea')).value.includes('"backward-left"'));
  await page.locator('[data-part=draws] > summary').click();
  await page.getByRole('button', { name: 'Add a count' }).click();
  await page.locator('[data-key$=".plies"]').last().fill('12');
  await page.locator('.words').getByText(/(6|six) moves by each side/).waitFor();
  await page.locator('[data-key$=".one.men"]').last().fill('three');
  await page.locator('.fault').getByText('expected a range').first().waitFor();
});

test('an account has its games and its rating', async () => {
  const page = await visit();
  await page.goto('/account');
  await page.getByLabel('Name').fill('Rated');
  await page.getByLabel('Password').fill('long enough');
  await page.getByRole('button', { name: 'Make an account' }).click();
  await page.getByText('You are Rated.').waitFor();
  await page.getByText('No games yet').waitFor();
  await page.goto('/?game=english');
  await page.getByText('More choices').click();
  await page.getByLabel('Rated game').check();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await click(page, 11, 15);
  await counts(page.locator('.moves [data-ply]'), 2);
  // In a rated game there is no help and no way back.
  for (const help of ['take_back', 'hint', 'evaluate']) await counts(page.locator(`[data-action=${help}]`), 0);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await says(page.locator('.result'), 'White wins: Black resigned.');
  await page.goto('/account');
  await page.getByRole('row', { name: /English draughts 1338 ± \d+ 1/ }).waitFor();
  await counts(page.locator('a.card'), 1);
});

test('an account, its token, and out again', async () => {
  const page = await visit();
  await page.goto('/account');
  await page.getByLabel('Name').fill('Tester');
  await page.getByLabel('Password').fill('long enough');
  await page.getByRole('button', { name: 'Make an account' }).click();
  await page.getByText('You are Tester.').waitFor();
  await page.getByLabel('What the token is for').fill('my bot');
  await page.getByRole('button', { name: 'Make a token' }).click();
  assert.match(await page.getByLabel('Token', { exact: true }).inputValue(), /^[0-9a-f]{32}$/);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied.' }).waitFor();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
});

test('a new password logs another device out, and so does logging out everywhere', async () => {
  const [page, phone] = [await visit(), await visit(PHONE)];
  const enter = async (/** @type {import('playwright-core').Page} */ at, /** @type {string} */ password, /** @type {string} */ how) => {
    await at.goto('/account');
    await at.getByLabel('Name').fill('Careful');
    await at.getByLabel('Password').fill(password);
    await at.getByRole('button', { name: how }).click();
    await at.getByText('You are Careful.').waitFor();
  };
  await enter(page, 'long enough', 'Make an account');
  await enter(phone, 'long enough', 'Log in');
  await page.getByLabel('Password now').fill('wrong');
  await page.getByLabel('New password').fill('even longer');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await says(message(page), 'The password is wrong');
  await page.getByLabel('Password now').fill('long enough');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await says(message(page), /^The password is changed/);
  await phone.reload();
  await phone.getByRole('button', { name: 'Log in' }).waitFor();
  await enter(phone, 'even longer', 'Log in');
  await page.getByRole('button', { name: 'Log out everywhere' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  await phone.reload();
  await phone.getByRole('button', { name: 'Log in' }).waitFor();
});

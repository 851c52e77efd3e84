// Studying: the report of a game, and the engine as deep as one lets it think.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accuracy, facts, judge } from '../web/report.js';
import { SMALL_PHONE, accessible, click, counts, message, says, server, square, visit } from './page.js';

/** A position of a game. @param {number} chance @param {Partial<import('../web/report.js').Point>} [more] @returns {import('../web/report.js').Point} */
const point = (chance, more) => ({ chance, score: 0, choices: 5, best: [{ text: 'best', path: [] }], known: null, ...more });
/** @param {import('../web/types.js').Side | null} winner */
const known = (winner) => ({ winner, distance: null, moves: [] });

test('a move is judged by the chance it costs; only moves and the engine’s own choice cost nothing', () => {
  const points = [point(0.5), point(0.44), point(0.6), point(0.4), point(0.1), point(0.4, { choices: 1 }), point(0.9)];
  const judged = judge(points, ['a', 'b', 'c', 'best', 'd', 'e'], 'white');
  assert.deepEqual(judged.map(({ kind }) => kind), ['inaccuracy', 'blunder', 'blunder', null, null, null]);
  assert.deepEqual(judged.map(({ side }) => side), ['white', 'black', 'white', 'black', 'white', 'black']);
  assert(judged[5].only);
  // White: 6, 20 and 0 per cent; Black: 16 and 0, the only move left out.
  assert.equal(accuracy(judged, 'white'), Math.round((Math.exp(-0.27) + Math.exp(-0.9) + 1) / 0.03));
  assert.equal(accuracy(judged, 'black'), Math.round((Math.exp(-0.72) + 1) / 0.02));
  assert.equal(accuracy([], 'white'), null);
});

test('where the endgame tables know better, a lost draw is a blunder whatever the engine thought', () => {
  const points = [point(0.5), point(0.5, { known: known(null) }), point(0.5, { known: known('white') }), point(1, { known: known('white') })];
  const judged = judge(points, ['x', 'best', 'y'], 'white');
  assert.deepEqual(judged.map(({ kind }) => kind), [null, 'blunder', null]);
  assert.deepEqual(facts(points), [{ ply: 2, before: null, after: 'white' }]);
  assert.deepEqual(facts(points.slice(0, 2)), [{ ply: 1, before: null, after: null }]);
  assert.deepEqual(facts([point(0.5)]), []);
});

/** Opens the study with a text of PDN. @param {import('playwright-core').Page} page @param {string} variant @param {string} pdn */
async function load(page, variant, pdn) {
  await page.goto(`/analyse?variant=${variant}`);
  await page.locator('king-board [role=gridcell]').first().waitFor();
  await page.getByText('Import', { exact: true }).click();
  await page.getByLabel('Import').fill(pdn);
  await page.getByRole('button', { name: 'Load', exact: true }).click();
}

test('the report of a game: accuracy, a curve with axes that is pointed at and walked along, mistakes with the better line', async () => {
  const page = await visit();
  // White gives two men for one with the sixth move.
  await load(page, 'english', '[GameType "21"] 1. 11-15 23-19 2. 8-11 22-17 3. 9-13 19-16 *');
  await counts(page.locator('.moves button'), 6);
  await page.getByRole('button', { name: 'Game report' }).click();
  await says(message(page), /^Accuracy: White \d+%, Black \d+%\.$/);
  const bad = page.locator('.mistakes li').filter({ hasText: '3… 19-16' });
  await says(bad, /^3… 19-16\?\?blunder, \d+% lostBetter: \d+-\d+/);
  await says(page.locator('.graph .ys'), 'White 100%50%Black 100%');
  await says(page.locator('.graph .xs'), '123');
  await counts(page.locator('.graph .sign.blunder'), 1);
  await accessible(page, 'a report');
  // The text for those who don't see the curve.
  await page.getByText('The course as a table').click();
  await says(page.locator('.report tbody tr').last(), /^3… 19-16.*blunder$/);
  // Pointing at the curve tells, a click goes there.
  const plot = page.getByRole('slider', { name: 'Chances in the course of the game' });
  const box = await plot.boundingBox();
  assert(box);
  await page.mouse.move(box.x + box.width - 2, box.y + 5);
  await says(page.locator('.graph .tip'), /^3… 19-16: .*White’s chance \d+%, blunder$/);
  await page.mouse.click(box.x + box.width - 2, box.y + 5);
  await page.locator('.moves [aria-current]', { hasText: '19-16' }).waitFor();
  // And so do the keys, one step at a time.
  await plot.focus();
  await page.keyboard.press('ArrowLeft');
  await page.locator('.moves [aria-current]', { hasText: '9-13' }).waitFor();
  assert.match(await plot.getAttribute('aria-valuetext') ?? '', /^3\. 9-13: /);
  await page.keyboard.press('Home');
  await counts(page.locator('.moves [aria-current]'), 0);
  // The better line becomes a variation.
  await bad.getByRole('button', { name: /^Better/ }).click();
  await counts(page.locator('.moves .alt'), 1);
  await page.locator('.moves .alt [aria-current]').waitFor();
});

test('an only move is no mistake in a report, and the tables say until when it was won', async () => {
  const page = await visit(SMALL_PHONE);
  // White gives the game away; what answers is an only move.
  await load(page, 'english', '[GameType "21"][SetUp "1"][FEN "W:WK18,K19:BK4"] 1... 18-15 2. 4-8 15-11 3. 8x24 *');
  await counts(page.locator('.moves button'), 4);
  await page.getByRole('button', { name: 'Game report' }).click();
  await says(message(page), /^Accuracy: /);
  await says(page.locator('.report .fact').first(), 'Endgame tables: won for White until 2… 15-11, then won for Black.');
  await says(page.locator('.mistakes li').last(), /^2… 15-11\?\?blunder/);
  await says(page.locator('.report tbody'), /3\. 8x24/);
  await counts(page.locator('.mistakes li').filter({ hasText: '3. 8x24' }), 0);
  await accessible(page, 'a report on a small phone');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert(!wide, 'the report is not wider than a small phone');
});

test('the engine goes deeper while a position is shown, stops when it is told to, and leaves with the position', async () => {
  const page = await visit();
  await page.goto('/analyse?variant=english');
  await square(page, 11).waitFor();
  const depth = page.locator('.thinking [role=status]');
  const deeper = async (/** @type {number} */ than) => {
    for (;;) {
      const now = Number(/^Depth (\d+)$/.exec(await depth.textContent() ?? '')?.[1] ?? 0);
      if (now > than) return now;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await page.getByText('Let the engine think along').click();
  const first = await deeper(0);
  await deeper(first + 2);
  await counts(page.locator('.lines li'), 3);
  await accessible(page, 'an engine that thinks');
  // Who stops it hangs up: the server has no stream left.
  const streams = async () => Number(/^\w*sockets (\d+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]);
  assert.equal(await streams(), 1);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('button', { name: 'Go on', exact: true }).waitFor();
  while (await streams() > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await counts(page.locator('.lines li'), 3);
  await page.getByRole('button', { name: 'Go on', exact: true }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  // Another position: the old search ends, and the new one begins at the top.
  await click(page, 11, 15);
  await page.getByRole('button', { name: '11-15' }).waitFor();
  await deeper(0);
  while (await streams() !== 1) await new Promise((resolve) => setTimeout(resolve, 20));
  await page.goto('about:blank');
  while (await streams() > 0) await new Promise((resolve) => setTimeout(resolve, 20));
});

/** A file to be chosen. @param {string | Buffer} text */
const fileOf = (text) => ({ name: 'games.pdn', mimeType: 'text/plain', buffer: Buffer.from(/** @type {string} */ (text)) });
/** The list of games. @param {import('playwright-core').Page} page */
const listed = (page) => page.locator('.games li');

/** Opens the study and its import. @param {import('playwright-core').Page} page @param {string} variant */
async function importing(page, variant) {
  await page.goto(`/analyse?variant=${variant}`);
  await page.locator('king-board [role=gridcell]').first().waitFor();
  await page.getByText('Import', { exact: true }).click();
}

test('a file of 6 MB is read in pieces: every game is there, found by its name, and opened', async () => {
  const page = await visit(SMALL_PHONE);
  await importing(page, 'english');
  const rest = `{${'a long remark '.repeat(180)}} 19-23 2. 28x19 14x23 1-1\n\n`;
  const count = 2400;
  const text = Array.from({ length: count }, (_, number) => `[Event "Cup of the city of Leeuwarden and all its surroundings, group ${number % 7}"]\n[White "Anna ${number}"]\n[Black "Bob Éé"]\n[GameType "20"]\n1. 32-28 ${rest}`).join('');
  assert(text.length > 6e6);
  await page.getByLabel('A file with PDN or FEN').setInputFiles(fileOf(text));
  await says(message(page), `${count} games`);
  await counts(listed(page), 100);
  await says(listed(page).first(), /^Anna 0 – Bob Éé1-1Cup of the city .* group 0, International draughts$/);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert(!wide, 'the list is not wider than a small phone');
  await accessible(page, 'a list of games');
  await page.getByLabel('Find by name or event').fill('anna 2399');
  await counts(listed(page), 1);
  await listed(page).getByRole('button').click();
  await counts(page.locator('.moves .move'), 4);
});

test('what is skipped is said with its line, the first game too', async () => {
  const page = await visit();
  await importing(page, 'international');
  const bad = `[Event "Bad"]\n1. ${'32-28 ('.repeat(3000)} *\n\n`;
  await page.getByLabel('A file with PDN or FEN').setInputFiles(fileOf(`${bad}[Event "Good"]\n[GameType "20"]\n1. 32-28 *\n\n[Event "Stops"]\n[GameType "20"]\n1. 32-28 32-28 *\n`));
  await says(page.locator('.notes'), /^Skipped, line 2: variations are nested more than \d+ deep$/);
  await counts(listed(page), 2);
  await says(listed(page).last(), /^\? – \?\*Stops, International draughtsline 10, column 10: move 1 of Black/);
});

test('the game of a file is found out by its moves, and that is said; old encodings too', async () => {
  const page = await visit();
  await importing(page, 'international');
  // «Иванов» as Windows writes it.
  const name = Buffer.from([0xC8, 0xE2, 0xE0, 0xED, 0xEE, 0xE2]);
  await page.getByLabel('A file with PDN or FEN').setInputFiles(fileOf(Buffer.concat([Buffer.from('[White "'), name, Buffer.from('"]\n1. c3-d4 d6-c5 2. b2-c3 f6-g5 *\n')])));
  await says(page.locator('.notes'), 'Games whose rules no tag names, taken for Russian draughts by their moves, which International draughts does not allow: 1.');
  await says(listed(page), /^Иванов – \?/);
  await counts(page.locator('.moves .move'), 4);
  assert.equal(await page.locator('select[name=game]').inputValue(), 'russian');
  // Legal where it was chosen: that is said as well.
  await page.getByLabel('Import').fill('1. c3-d4 d6-c5 *');
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await says(page.locator('.notes'), 'Games whose rules no tag names, read as Russian draughts as chosen: 1.');
});

test('every position has an address: a reload loses nothing, and a friend sees the same', async () => {
  const page = await visit();
  await page.goto('/analyse?variant=english');
  await page.evaluate(() => localStorage.setItem('settings', '{"glide":false}'));
  await page.reload();
  await square(page, 11).waitFor();
  await click(page, 11, 15);
  await page.getByRole('button', { name: '11-15' }).waitFor();
  await page.getByLabel('Comment on this move').fill('the usual');
  await page.getByLabel('Comment on this move').blur();
  await page.getByRole('button', { name: 'One move back' }).click();
  await square(page, 9).and(page.locator('[aria-label*="can move"]')).waitFor();
  await click(page, 9, 13);
  await counts(page.locator('.moves .alt'), 1);
  await page.waitForURL(/moves=9-13/);
  const tree = await page.locator('.moves.tree').textContent();
  await page.reload();
  await says(page.locator('.moves.tree'), /** @type {string} */ (tree));
  await page.locator('.moves [aria-current]', { hasText: '9-13' }).waitFor();
  const friend = await visit();
  await friend.goto(page.url());
  await says(friend.locator('.moves.tree'), '1.9-13');
  await friend.locator('.moves [aria-current]', { hasText: '9-13' }).waitFor();
});

test('a study is kept under its own address, with every change; others read it and keep a copy', async () => {
  const page = await visit();
  await page.goto('/analyse?variant=english');
  await page.evaluate(() => localStorage.setItem('settings', '{"glide":false}'));
  await page.reload();
  await square(page, 11).waitFor();
  await click(page, 11, 15);
  await page.getByRole('button', { name: '11-15' }).waitFor();
  await page.getByText('Keep and share').click();
  await page.getByLabel('Title').fill('My opening');
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await page.waitForURL(/study=/);
  await page.locator('.works a', { hasText: 'My opening' }).waitFor();
  await accessible(page, 'a study that is kept');
  const link = await page.getByLabel('Address of this work').inputValue();
  // What comes later is kept by itself.
  const written = page.waitForResponse((response) => /works\/\w+$/.test(response.url()) && response.request().method() === 'POST');
  await click(page, 22, 18);
  await page.getByRole('button', { name: '22-18' }).waitFor();
  assert.equal((await written).status(), 204);
  const friend = await visit();
  await friend.goto(link);
  await counts(friend.locator('.moves .move'), 2);
  await friend.getByText('Keep and share').click();
  await friend.getByText('Somebody else keeps this.').waitFor();
  // From another tab of the same person.
  const tab = await page.context().newPage();
  await tab.goto('/analyse');
  await tab.getByText('Keep and share').click();
  await tab.locator('.works a', { hasText: 'My opening' }).click();
  await counts(tab.locator('.moves .move'), 2);
  // Another game is another study: the kept one stays as it is.
  await tab.locator('select[name=game]').selectOption('russian');
  await tab.waitForURL(/variant=russian/);
  await tab.goto(link);
  await counts(tab.locator('.moves .move'), 2);
});

test('a game of one’s own outlives a reload, is kept, and opened from its address', async () => {
  const page = await visit();
  await page.goto('/variants');
  const title = page.locator('[data-key=title]');
  await title.waitFor();
  await title.fill('Polder');
  const file = page.getByRole('textbox', { name: 'File' });
  await page.waitForFunction(() => history.state?.file?.includes('Polder'));
  await page.reload();
  await page.waitForFunction(() => /** @type {HTMLInputElement | null} */ (document.querySelector('[data-key=title]'))?.value === 'Polder');
  assert.match(await file.inputValue(), /title = "Polder"/);
  await page.getByText('Keep and share').click();
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await page.waitForURL(/own=/);
  await page.locator('.works a', { hasText: 'Polder' }).waitFor();
  await accessible(page, 'a game of one’s own that is kept');
  const friend = await visit();
  await friend.goto(page.url());
  await friend.waitForFunction(() => /** @type {HTMLInputElement | null} */ (document.querySelector('[data-key=title]'))?.value === 'Polder');
});

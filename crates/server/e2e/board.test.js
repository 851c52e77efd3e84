// The board: mouse, drag, touch and keyboard; what is marked; what is said.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, PHONE, SMALL_PHONE, accessible, begin, click, counts, inSight, message, says, square, status, visit } from './page.js';

test('checkers: click the piece, then the square; anything else says what is wrong', async () => {
  const page = await visit();
  await begin(page, { variant: 'checkers' });
  await says(status(page), "Black's turn");
  await click(page, 17);
  await says(message(page), 'There is no piece on 17');
  await click(page, 9);
  await says(message(page), 'The piece on 9 is Red\'s, and it is Black\'s turn');
  await click(page, 30);
  await says(message(page), 'The man on 30 can\'t move');
  await click(page, 22);
  await counts(page.locator('.mark.selected'), 1);
  await counts(page.locator('.dot'), 2);
  await click(page, 13);
  await says(message(page), "The man on 22 can't go there; it can go to 18 or 19");
  await says(status(page), "Black's turn");
  // Another own piece is selected instead; the same one again is put down.
  await click(page, 23);
  assert.equal(await square(page, 23).getAttribute('aria-selected'), 'true');
  await click(page, 23);
  await counts(page.locator('.mark.selected'), 0);
  await click(page, 22, 18);
  await says(status(page), "Red's turn");
  await counts(page.locator('.mark.last'), 2);
  await says(page.locator('#spoken'), 'Black: 22-18.');
});

test('draughts: a red cursor from the top left, arrows, Space, and the edges', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts' });
  await says(status(page), "White's turn");
  const cursor = page.locator('.outline');
  const at = async () => [await cursor.getAttribute('x'), await cursor.getAttribute('y')].map((value) => Math.floor(Number(value)));
  assert.deepEqual(await at(), [0, 0]);
  assert.equal(await cursor.evaluate((element) => getComputedStyle(element).stroke), 'rgb(224, 0, 0)');
  // The keys move it at once: nothing has to be clicked or tabbed to before.
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual(await at(), [0, 0]);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  assert.deepEqual(await at(), [2, 2]);
  await page.keyboard.press('Space');
  await counts(page.locator('.mark.selected'), 1);
  await page.keyboard.press('Space');
  await counts(page.locator('.mark.selected'), 0);
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await says(status(page), "Black's turn");
  assert.deepEqual(await at(), [3, 3]);
  // White stays on top.
  assert.match(await square(page, 1).getAttribute('aria-label') ?? '', /white man/);
});

test('a piece that must capture is marked light blue, held, and the chain goes step by step', async () => {
  const page = await visit();
  // White on 6 (row 2) can take 10 and then 18 or 19.
  await begin(page, { variant: 'draughts', fen: 'W:W6,1:B10,19,18,32' });
  await says(page.locator('.status .soft'), 'you must capture');
  await counts(page.locator('.mark.must'), 1);
  const blue = await page.locator('.mark.must').evaluate((element) => getComputedStyle(element).fill);
  assert.equal(blue, 'rgb(159, 220, 255)');
  await counts(page.locator('.mark.selected'), 1);
  await click(page, 6);
  await counts(page.locator('.mark.selected'), 1);
  await click(page, 1);
  await says(message(page), /^There is a capture with 6/);
  const target = page.locator('[role=gridcell][aria-label*="can go here"]').first();
  await target.click();
  await counts(page.locator('.piece.taken'), 1);
  await says(message(page), 'Go on: the same piece can capture again.');
  // The way so far is marked in place of what must capture.
  await counts(page.locator('.mark.must'), 0);
  await counts(page.locator('.mark.last'), 2);
  await says(status(page), "White's turn");
  await page.locator('[role=gridcell][aria-label*="can go here"]').first().click();
  await says(status(page), "Black's turn");
  await counts(page.locator('.piece.black'), 2);
});

test('one click on the end of a unique capture plays it all', async () => {
  const page = await visit();
  await begin(page, { variant: 'international', fen: 'W:W28:B22,12,45' });
  await page.locator('[role=gridcell][aria-label^="8,"]').click();
  await says(status(page), "Black's turn");
  await says(page.locator('.moves [data-ply="1"]'), '28x8');
});

test('where a chain may stop, the player chooses where', async () => {
  const page = await visit();
  await begin(page, { variant: 'league', fen: 'W:W6:B10,19,32' });
  await page.locator('[role=gridcell][aria-label*="can go here"]').first().click();
  await says(message(page), 'Go on with the same piece, or finish here.');
  const finish = page.getByRole('button', { name: 'Finish the move' });
  await finish.click();
  await says(status(page), "Black's turn");
  await counts(page.locator('.piece.black'), 2);
});

test('drag: three pixels begin it, dropping elsewhere puts the piece back', async () => {
  const page = await visit();
  await begin(page, { variant: 'checkers' });
  const middle = async (/** @type {number} */ name) => {
    const box = await square(page, name).boundingBox();
    assert(box);
    return /** @type {[number, number]} */ ([box.x + box.width / 2, box.y + box.height / 2]);
  };
  const drag = async (/** @type {number} */ from, /** @type {number} */ to) => {
    await page.mouse.move(...await middle(from));
    await page.mouse.down();
    await page.mouse.move(...await middle(to), { steps: 5 });
    await page.mouse.up();
  };
  await drag(22, 15);
  await says(message(page), /can't go there/);
  await says(status(page), "Black's turn");
  await drag(22, 18);
  await says(status(page), "Red's turn");
  const [x, y] = await middle(11);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 2, y + 1);
  await page.mouse.up();
  await counts(page.locator('.mark.selected'), 1);
});

test('touch, on a phone: tap and tap; the page does not scroll sideways', async () => {
  const page = await visit(PHONE);
  await begin(page, { variant: 'checkers' });
  await square(page, 22).tap();
  await counts(page.locator('.dot'), 2);
  await square(page, 18).tap();
  await says(status(page), "Red's turn");
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert(sideways <= 0, `${sideways} px too wide`);
  const box = await square(page, 18).boundingBox();
  assert(box && box.width >= 24, 'targets are large enough');
});

test('a whole game by keyboard, to the line that declares the winner', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts', fen: 'W:W18:B22' });
  await says(status(page), "White's turn");
  // The only counter is selected already: go where it can go.
  const label = await page.locator('[role=gridcell][aria-label*="can go here"]').getAttribute('data-square');
  await page.locator('king-board [tabindex="0"]').focus();
  const [row, column] = await page.evaluate((square) => {
    const cell = /** @type {HTMLElement} */ (document.querySelector(`[data-square="${square}"]`));
    return [Number(cell.parentElement?.getAttribute('aria-rowindex')), Number(cell.getAttribute('aria-colindex'))];
  }, label);
  for (let step = 1; step < row; step += 1) await page.keyboard.press('ArrowDown');
  for (let step = 1; step < column; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await says(status(page), 'White wins the game!');
  await counts(page.locator('.outline'), 0);
  await says(page.locator('.result'), 'White wins: Black has no pieces left.');
  await page.keyboard.press('Enter');
  await says(message(page), 'The game is over.');
});

test('moves as text, and commands that tell what is where', async () => {
  const page = await visit();
  await begin(page, { variant: 'english' });
  await page.getByText('Type moves and commands').click();
  const input = page.getByLabel('Move or command');
  const type = async (/** @type {string} */ text) => { await input.fill(text); await input.press('Enter'); };
  await type('11-15');
  await says(status(page), "White's turn");
  await type('last');
  await says(message(page), 'Last move: 11-15.');
  await type('row 1');
  await says(message(page), /^Row 1: 1 black man, 2 black man/);
  await type('pieces');
  await says(message(page), /^White: 21, 22/);
  await type('99-1');
  await says(message(page), /there is no square 99 on this board/);
});

test('the right button draws arrows and marks; the left one clears them', async () => {
  const page = await visit();
  await begin(page, { variant: 'checkers' });
  await square(page, 14).click({ button: 'right' });
  await counts(page.locator('.ringmark'), 1);
  const [from, to] = [await square(page, 22).boundingBox(), await square(page, 15).boundingBox()];
  assert(from && to);
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(to.x + 20, to.y + 20);
  await page.mouse.up({ button: 'right' });
  await counts(page.locator('.arrow'), 1);
  await click(page, 22);
  await counts(page.locator('.arrow, .ringmark'), 0);
});

test('the only possible turn plays itself if that is wanted', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts', fen: 'W:W18,1:B22,32' }, { glide: false, autoplay: true });
  await says(status(page), "Black's turn");
});

test('kings: a ring in checkers, a red blob in draughts, made on landing', async () => {
  const page = await visit();
  await begin(page, { variant: 'checkers', fen: 'B:W12:B5' }, { glide: true });
  await click(page, 5);
  await page.locator('[role=gridcell][aria-label*="can go here"]').first().click();
  await counts(page.locator('.piece.black.king'), 1);
  const shown = (/** @type {string} */ part) => page.locator(`.piece.black.king ${part}`).evaluate((element) => getComputedStyle(element).display);
  assert.equal(await shown('.ring'), 'inline');
  await begin(page, { variant: 'draughts', fen: 'B:WK28:BK5' });
  assert.equal(await shown('.blob'), 'inline');
  assert.equal(await page.locator('.piece.black.king .blob').evaluate((element) => getComputedStyle(element).fill), 'rgb(224, 0, 0)');
});

test('in every theme, light and dark, pieces, dots and numbers differ from what is under them in brightness, not only in colour', async () => {
  const brightness = (/** @type {string} */ rgb) => (rgb.match(/\d+/g) ?? []).slice(0, 3)
    .map((value) => Number(value) / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0.05);
  const contrast = (/** @type {string} */ one, /** @type {string} */ other) => Math.max(brightness(one) / brightness(other), brightness(other) / brightness(one));
  /** The squares of the wooden board in either mode. */
  const wood = new Set();
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const page = await visit({ colorScheme });
    await begin(page, { variant: 'english' });
    const themes = await page.evaluate(async () => {
      const { THEMES } = await import(new URL('frame.js', document.scripts[0].src).href);
      return /** @type {string[]} */ (THEMES).filter((theme) => theme !== 'auto');
    });
    await click(page, 11);
    for (const theme of themes) {
      const colours = await page.evaluate((name) => {
        const board = /** @type {HTMLElement} */ (document.querySelector('.stage > king-board'));
        board.dataset.theme = name;
        const fill = (/** @type {string} */ part) => getComputedStyle(/** @type {Element} */ (board.querySelector(part))).fill;
        return { white: fill('.piece.white .disc'), black: fill('.piece.black .disc'), dot: fill('.dot'), square: fill('.square.used'), name: fill('.name'), unused: fill('.square.unused') };
      }, theme);
      const check = (/** @type {'white' | 'dot' | 'name' | 'unused'} */ one, /** @type {'black' | 'square'} */ other, /** @type {number} */ least) => {
        const found = contrast(colours[one], colours[other]);
        assert(found >= least, `${theme}, ${colorScheme}: ${one} on ${other} has ${found.toFixed(2)}`);
      };
      check('white', 'black', 3);
      check('dot', 'square', 3);
      // The square's colour is also around a number.
      check('name', 'square', theme === 'wood' && colorScheme === 'light' ? 3 : 4.5);
      if (theme === 'wood') wood.add(colours.square);
    }
  }
  assert.equal(wood.size, 2, 'the dark mode has a board of its own');
});

test('captured pieces explode if that is wanted, and never where motion is unwelcome', async () => {
  const page = await visit();
  const seen = (/** @type {import('playwright-core').Page} */ on) => on.evaluate(() => new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('.spark')) { observer.disconnect(); resolve(true); }
    }).observe(document.body, { childList: true, subtree: true });
  }));
  await begin(page, { variant: 'draughts', fen: 'W:W18,1:B22,32' }, { glide: true, explode: true });
  const bang = seen(page);
  await page.locator('[role=gridcell][aria-label*="can go here"]').first().click();
  assert.equal(await bang, true);
  const calm = await visit({ reducedMotion: 'reduce' });
  await begin(calm, { variant: 'draughts', fen: 'W:W18,1:B22,32' }, { glide: true, explode: true });
  await calm.evaluate(() => {
    new MutationObserver(() => { if (document.querySelector('.spark')) document.body.dataset.bang = 'yes'; })
      .observe(document.body, { childList: true, subtree: true });
  });
  await calm.locator('[role=gridcell][aria-label*="can go here"]').first().click();
  await counts(calm.locator('.piece.black'), 1);
  assert.equal(await calm.evaluate(() => document.body.dataset.bang), undefined);
});

test('a piece that could have captured vanishes where another move is made', async () => {
  for (const [options, settings] of /** @type {const} */ ([[DESKTOP, { glide: true, explode: true }], [SMALL_PHONE, { glide: false }]])) {
    const page = await visit(options);
    await begin(page, { variant: 'malaysian', fen: 'W:W44,72:B38,1' }, settings);
    await says(page.locator('h1.status .soft'), 'capture, or lose a piece');
    await counts(page.locator('king-board .must'), 1);
    await accessible(page, 'a capture that is due');
    await click(page, 72, 66);
    await says(page.locator('#spoken'), /72-66.* A piece that could have captured is taken off\./);
    await counts(page.locator('.piece.white'), 1);
    await square(page, 44).and(page.locator('[aria-label*="empty"]')).waitFor();
    await click(page, 38, 43);
    await page.locator('.moves [data-ply="1"]').click();
    await counts(page.locator('.piece.white'), 1);
    await begin(page, { variant: 'malaysian', fen: 'W:W44,72:B38,1' }, settings);
    await click(page, 44, 37);
    await says(page.locator('#spoken'), /taken off/);
    await counts(page.locator('.piece.white'), 1);
    await square(page, 37).and(page.locator('[aria-label*="empty"]')).waitFor();
  }
});

test('boards of other sizes, with letters, holes and all squares in use', async () => {
  const page = await visit();
  for (const [variant, squares] of /** @type {[string, number][]} */ ([['canadian', 72], ['russian', 32], ['stupid-checkers', 64], ['pown-chess', 36], ['cross', 0]])) {
    await begin(page, { variant });
    const count = await page.locator('[role=gridcell]').count();
    if (squares) assert.equal(count, squares, variant);
    assert(await page.locator('.piece').count() > 0, variant);
  }
  await begin(page, { toml: 'extends = "english"\nname = "mine"\ntitle = "Mine"\n[board]\nsizes = []\nholes = ["3,0"]\n' });
  assert.equal(await page.locator('[role=gridcell]').count(), 31);
});

test('a large board is scrolled in its frame, and played on', async () => {
  const page = await visit();
  for (const size of [40, 100]) {
    await begin(page, { variant: 'league', size });
    const middle = size / 2;
    // White stands at the top, and moves down into the two empty rows.
    await click(page, `${middle - 2},${middle + 1}`, `${middle - 1},${middle}`);
    await says(status(page), "Black's turn");
    const board = page.locator('king-board[data-large]');
    const frame = await board.evaluate((element) => [element.scrollWidth > element.clientWidth, element.scrollHeight > element.clientHeight]);
    assert.deepEqual(frame, [true, true], `${size}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, `${size}`);
  }
});

test('a finger drags a piece; the page scrolls from anywhere else on the board', async () => {
  const page = await visit(PHONE);
  await begin(page, { variant: 'checkers' });
  const middle = async (/** @type {number} */ name) => {
    const box = await square(page, name).boundingBox();
    assert(box);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const finger = await page.context().newCDPSession(page);
  const [from, to] = [await middle(22), await middle(18)];
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
  for (const part of [0.2, 0.5, 0.8, 1]) {
    const at = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at] });
  }
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await says(status(page), "Red's turn");
  const touch = (/** @type {number} */ name) => square(page, name).evaluate((cell) => getComputedStyle(cell).touchAction);
  assert.equal(await touch(9), 'none', 'a piece that can move');
  assert.equal(await touch(14), 'manipulation', 'an empty square');
});

test('each setting does what it says', async () => {
  const page = await visit();
  const capture = { variant: 'draughts', fen: 'W:W6,1:B10,19,18,32' };
  const off = { glide: false, dots: false, marks: false, hold: false, names: false };
  await begin(page, capture, off);
  await counts(page.locator('.mark'), 0);
  await click(page, 6);
  await counts(page.locator('.mark.selected'), 1);
  await counts(page.locator('.dot'), 0);
  assert.equal(await page.locator('.name').first().isVisible(), false);
  // What is not held can be put down.
  await click(page, 6);
  await counts(page.locator('.mark.selected'), 0);
  // Without the quick end the piece is chosen first.
  await begin(page, { variant: 'international', fen: 'W:W28,48:B22,12,45' }, { glide: false, quick: false, hold: false });
  await click(page, 8);
  await says(message(page), 'There is no piece on 8');
  // A move glides, and lands.
  await begin(page, { variant: 'checkers' }, { glide: true });
  await click(page, 22);
  const glides = page.waitForFunction(() => document.querySelector('king-board .piece')?.ownerDocument.getAnimations().length);
  await click(page, 18);
  await glides;
  await page.waitForFunction(() => document.getAnimations().length === 0);
  await says(status(page), "Red's turn");
});

test('clicks off the board do nothing, and there is no sound unless it is wanted', async () => {
  const page = await visit();
  await page.addInitScript(() => {
    const seen = /** @type {any} */ (window);
    seen.heard = 0;
    seen.AudioContext = class extends AudioContext { constructor() { super(); seen.heard += 1; } };
  });
  await begin(page, { variant: 'draughts' });
  await page.locator('.head').click();
  await page.mouse.click(5, 400);
  await counts(page.locator('.mark.selected'), 0);
  await says(status(page), "White's turn");
  await click(page, 9, 13);
  await says(status(page), "Black's turn");
  // The cursor is where the last click was: 13 is in the fourth row.
  assert.equal(Math.floor(Number(await page.locator('.outline').getAttribute('y'))), 3);
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).heard), 0);
  await begin(page, { variant: 'draughts' }, { glide: false, sounds: true });
  await click(page, 9, 13);
  await page.waitForFunction(() => /** @type {any} */ (window).heard === 1);
});

test('a move is asked about first if that is wanted, and the glide is as slow as one likes', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts' }, { confirm: true, glide: true, speed: 'slow' });
  const from = page.locator('[role=gridcell].movable').first();
  await from.click();
  await page.locator('[role=gridcell][aria-label*="can go here"]').first().click();
  await page.getByRole('button', { name: 'No', exact: true }).click();
  await counts(page.locator('.moves [data-ply]'), 0);
  await from.click();
  await page.locator('[role=gridcell][aria-label*="can go here"]').first().click();
  await page.getByRole('button', { name: /^Play / }).click();
  await counts(page.locator('.moves [data-ply]'), 1);
  const slow = () => document.getAnimations().some((animation) => Number(animation.effect?.getTiming().duration) === 900);
  await page.waitForFunction(slow);
});

test('draughts and checkers on boards of other sizes, with a clock of one’s own', async () => {
  for (const [game, men] of /** @type {const} */ ([['draughts', 40], ['checkers', 40]])) {
    const page = await visit();
    await page.goto(`/?game=${game}`);
    await page.getByRole('radio', { name: 'Other' }).check();
    await page.getByLabel('Minutes').fill('7');
    await page.getByText('More choices').click();
    await page.getByLabel('Board').selectOption('10');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await counts(page.locator('king-board .piece'), men);
    await page.locator('.clock').first().getByText(/^[67]:/).waitFor();
  }
});

test('after a click on the board the arrow keys go through the moves, where nothing is being played', async () => {
  const [anna, eve] = [await visit(), await visit()];
  const id = await begin(anna, { variant: 'english', public: true });
  await click(anna, 11, 15, 22, 18, 15, 22);
  await counts(anna.locator('.piece.white'), 11);
  const current = (/** @type {import('playwright-core').Page} */ page, /** @type {number} */ ply) => counts(page.locator(`.moves [data-ply="${ply}"][aria-current]`), 1);
  // In play the arrows are the cursor's.
  await anna.keyboard.press('ArrowLeft');
  await current(anna, 3);
  // Whoever watches, and whoever looks at a game that is over.
  await eve.goto(`/game/${id}`);
  await current(eve, 3);
  await anna.getByRole('button', { name: 'Resign' }).click();
  await anna.getByRole('button', { name: 'Yes' }).click();
  await says(status(anna), 'Black wins the game!');
  for (const page of [anna, eve]) {
    await click(page, 20);
    for (const [key, ply] of /** @type {[string, number][]} */ ([['ArrowLeft', 2], ['ArrowLeft', 1], ['ArrowRight', 2], ['End', 3]])) {
      await page.keyboard.press(key);
      await current(page, ply);
    }
    await page.keyboard.press('Home');
    await counts(page.locator('.moves [aria-current]'), 0);
    // With Tab one comes to the cursor, which moves as ever.
    await page.keyboard.press('End');
    await current(page, 3);
    await square(page, 20).evaluate((cell) => cell.blur());
    await square(page, 20).focus();
    await page.keyboard.press('ArrowLeft');
    await current(page, 3);
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label')?.startsWith('19,'));
  }
  // Analysis: one plays by clicks and goes back by keys.
  await eve.goto('/analyse?variant=english');
  await square(eve, 11).and(eve.locator('[aria-label*="can move"]')).waitFor();
  await click(eve, 11, 15);
  await eve.getByRole('button', { name: '11-15' }).and(eve.locator('[aria-current]')).waitFor();
  await eve.keyboard.press('ArrowLeft');
  await counts(eve.locator('.moves [aria-current]'), 0);
  await eve.keyboard.press('ArrowRight');
  await eve.getByRole('button', { name: '11-15' }).and(eve.locator('[aria-current]')).waitFor();
});

test('a position that is being set up stays when the board is turned or gets other looks; the cursor stays as well', async () => {
  const page = await visit();
  await page.goto('/analyse?variant=english');
  await square(page, 11).waitFor();
  await page.getByRole('button', { name: 'Set up a position' }).click();
  await page.getByRole('button', { name: 'Clear the board' }).click();
  await click(page, 18);
  const pieces = page.locator('.stage > king-board .piece');
  await counts(pieces, 1);
  const before = await square(page, 18).boundingBox();
  await page.getByRole('button', { name: 'Flip the board' }).click();
  const after = await square(page, 18).boundingBox();
  assert(before && after && before.y !== after.y);
  await counts(pieces, 1);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: 'Paper' }).check();
  await page.keyboard.press('Escape');
  await counts(pieces, 1);
  await click(page, 22);
  await page.keyboard.press('ArrowLeft');
  await counts(pieces, 2);
  await page.getByRole('radio', { name: 'White' }).check();
  await page.getByRole('button', { name: 'Use this position' }).click();
  await page.getByRole('gridcell', { name: '18, white man, can move' }).waitFor();
  await counts(pieces, 2);
  // In a game the key for it keeps the cursor where it was.
  await begin(page, { variant: 'english' });
  await square(page, 11).focus();
  await page.keyboard.press('f');
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label')?.startsWith('11,'));
});

test('on the first page all boards follow another look at once', async () => {
  const page = await visit();
  await page.goto('/');
  await page.locator('[data-game=checkers] .piece').first().waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Settings' }).click();
  const seen = () => page.locator('main king-board[data-own]').evaluateAll((boards) => [...new Set(boards.map((board) => /** @type {HTMLElement} */ (board).dataset.theme))]);
  assert((await seen()).length > 1);
  await page.getByRole('radio', { name: 'Paper' }).check();
  assert.deepEqual(await seen(), ['paper']);
  await page.getByRole('radio', { name: 'As the game has it' }).check();
  assert((await seen()).length > 1);
});

test('boards and pieces are chosen by what they look like, with the board in sight and at work', async () => {
  for (const viewport of [{ width: 1280, height: 800 }, { width: 360, height: 640 }, { width: 740, height: 360 }]) {
    const page = await visit({ viewport });
    await begin(page, { variant: 'english' });
    await page.getByRole('button', { name: 'Settings' }).click();
    const drawer = page.getByRole('dialog', { name: 'Settings' });
    await drawer.waitFor();
    const what = `${viewport.width}×${viewport.height}`;
    await inSight(page.locator('.stage > king-board'), `the board beside the settings, ${what}`);
    const [board, box] = [await page.locator('.stage > king-board').boundingBox(), await drawer.boundingBox()];
    assert(board && box && (board.x + board.width <= box.x || board.y + board.height <= box.y), `the settings hide the board, ${what}`);
    await counts(drawer.locator('.looks king-board .piece'), 44);
    // Each preview has the colours of its own board.
    const squares = await drawer.locator('.looks [data-theme] .square.used').evaluateAll((all) => new Set(all.slice(1, 7).map((one) => getComputedStyle(one).fill)).size);
    assert.equal(squares, 6, what);
    await page.getByRole('radio', { name: 'League' }).check();
    assert.equal(await page.locator('.stage > king-board').getAttribute('data-theme'), 'league');
    const face = () => page.locator('.stage .piece .face').first().evaluate((element) => getComputedStyle(element).display);
    assert.equal(await face(), 'none');
    await page.getByRole('radio', { name: 'Smiling' }).check();
    assert.equal(await face(), 'inline');
    await accessible(page, `the settings, ${what}`);
    // The game goes on meanwhile, and a question has a name of its own.
    await click(page, 11, 15);
    await says(status(page), "White's turn");
    await page.locator('[data-action=resign]').evaluate((button) => /** @type {HTMLElement} */ (button).click());
    await page.getByRole('dialog', { name: 'Really resign?' }).getByRole('button', { name: 'No', exact: true }).click();
    await drawer.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Settings');
  }
});

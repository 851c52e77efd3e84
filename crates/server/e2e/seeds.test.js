// The descriptions that kingme grew from and that are played in a browser, point by point: Checkers
// (002) and Draughts (003). Each test names its point.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, PHONE, accessible, begin, click, counts, message, says, square, status, visit } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

const BOARD = '.stage > king-board';

/** What stands in each row, from the top: `w`, `b` or a dot for each column. @param {Page} page */
const rows = (page) => page.locator(BOARD).evaluate((board) => {
  const picture = Array.from({ length: 8 }, () => Array(8).fill('.'));
  for (const piece of board.querySelectorAll('.piece')) {
    const [x, y] = (piece.getAttribute('transform')?.match(/[\d.]+/g) ?? []).map((value) => Math.floor(Number(value)));
    picture[y][x] = piece.classList.contains('white') ? 'w' : 'b';
  }
  return picture.map((row) => row.join(''));
});

/** @param {Page} page @param {string} part @param {string} [property] */
const style = (page, part, property = 'fill') => page.locator(`${BOARD} ${part}`).first().evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

/** Where a piece can go. @param {Page} page */
const targets = (page) => page.locator('[role=gridcell][aria-label*="can go here"]').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label')?.split(',')[0]));

// ---- 002: Checkers ----------------------------------------------------------------------------

test('002.1: a board of 8×8, twelve pieces a side on the dark squares, the top left one among them; red on top', async () => {
  const page = await visit();
  await begin(page, { variant: 'checkers' });
  assert.deepEqual(await rows(page), ['w.w.w.w.', '.w.w.w.w', 'w.w.w.w.', '........', '........', '.b.b.b.b', 'b.b.b.b.', '.b.b.b.b']);
  assert.equal(await style(page, '.piece.white .disc'), 'rgb(213, 32, 43)');
  assert.equal(await style(page, '.piece.black .disc'), 'rgb(29, 29, 32)');
  const light = (/** @type {string} */ rgb) => (rgb.match(/\d+/g) ?? []).map(Number).reduce((sum, value) => sum + value, 0);
  assert(light(await style(page, '.square.used')) < light(await style(page, '.square.unused')));
  // Red goes down, black goes up.
  await click(page, 22);
  assert.deepEqual(await targets(page), ['18', '19']);
  await click(page, 18);
  await says(status(page), "Red's turn");
  await click(page, 10);
  assert.deepEqual(await targets(page), ['14', '13'].sort());
});

test('002.2: a person plays black and moves first; the computer answers with a legal move for red', async () => {
  const page = await visit();
  await page.goto('/?game=checkers');
  assert.equal(await page.locator('input[name=side]:checked').inputValue(), 'black');
  assert.equal(await page.locator('input[name=opponent]:checked').inputValue(), 'computer');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await says(status(page), "Black's turn");
  await click(page, 22, 18);
  await counts(page.locator('.moves [data-ply]'), 2);
  await says(status(page), "Black's turn");
  // It captures where it must.
  await begin(page, { variant: 'checkers', fen: 'B:W14,1,2:B23,32', white: { type: 'computer', level: 0 } });
  await click(page, 23, 19);
  await counts(page.locator('.piece.black'), 1);
});

test('002.3: steps and jumps forward; a capture must be made and gone on with, and may turn; both don’t mix', async () => {
  const page = await visit();
  await begin(page, { variant: 'checkers', fen: 'B:W18,10,4:B22,32' });
  await click(page, 32);
  await says(message(page), 'There is a capture with 22');
  await click(page, 13);
  await says(message(page), 'Go on: the same piece can capture again.');
  await says(status(page), "Black's turn");
  await click(page, 6);
  await says(status(page), "Red's turn");
  await counts(page.locator('.piece.white'), 1);
  // Of several captures any will do.
  await begin(page, { variant: 'checkers', fen: 'B:W18,10,19,4:B22,32' });
  await click(page, 22);
  assert.deepEqual(await targets(page), ['13', '15']);
  // A man takes nothing behind it, and a step is not gone on with by a jump.
  await begin(page, { variant: 'checkers', fen: 'B:W26,4:B22,32' });
  await click(page, 22);
  assert.deepEqual(await targets(page), ['18', '19']);
  await begin(page, { variant: 'checkers', fen: 'B:W18,4:B26,32' });
  await click(page, 26, 22);
  await says(status(page), "Red's turn");
  await counts(page.locator('.piece.white'), 2);
});

test('002.4: on the far row a piece is crowned with a ring, goes on jumping, and moves backward, one square', async () => {
  const page = await visit();
  await begin(page, { variant: 'checkers', fen: 'B:W5,6,28:B9,32' });
  await click(page, 2);
  await says(status(page), "Black's turn");
  await click(page, 11);
  await says(status(page), "Red's turn");
  await page.getByRole('gridcell', { name: /^11, black king/ }).waitFor();
  assert.equal(await style(page, '.piece.king .ring', 'display'), 'inline');
  assert.equal(await style(page, '.piece.king .ring', 'stroke'), 'rgb(255, 255, 255)');
  await begin(page, { variant: 'checkers', fen: 'B:W4:BK18' });
  await click(page, 18);
  assert.deepEqual((await targets(page)).sort(), ['13', '14', '21', '22']);
});

test('002.5: click the piece, then the square; whatever is invalid says what is wrong and changes nothing', async () => {
  const page = await visit();
  await begin(page, { variant: 'checkers' });
  const before = await rows(page);
  for (const [squares, sentence] of /** @type {[number[], string][]} */ ([
    [[17], 'There is no piece on 17'],
    [[9], 'The piece on 9 is Red\'s, and it is Black\'s turn'],
    [[30], 'The man on 30 can\'t move'],
    [[22, 13], 'The man on 22 can\'t go there; it can go to 18 or 19'],
  ])) {
    await click(page, ...squares);
    await says(message(page), sentence);
    assert.deepEqual(await rows(page), before);
  }
  await click(page, 23);
  await page.getByRole('gridcell', { name: '23, black man, selected' }).waitFor();
  await click(page, 19);
  await says(status(page), "Red's turn");
});

test('002.6: without pieces or without a move the game is lost; the winner is declared, and no move is taken', async () => {
  const page = await visit();
  for (const [fen, squares, why] of /** @type {[string, number[], string][]} */ ([
    ['B:W18:B22', [13], 'Black wins: Red has no pieces left.'],
    ['B:W25:B29,18', [18, 14], 'Black wins: Red can\'t move.'],
  ])) {
    await begin(page, { variant: 'checkers', fen });
    await click(page, ...squares);
    await says(status(page), 'Black wins the game!');
    await says(page.locator('.result'), why);
    const before = await rows(page);
    await click(page, squares.at(-1) ?? 0, 9);
    await says(message(page), 'The game is over.');
    assert.deepEqual(await rows(page), before);
  }
});

// ---- 003: Draughts ----------------------------------------------------------------------------

test('003.1: white counters on top where column + row is even, black at the bottom; grey squares; white moves first, down', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts' });
  assert.deepEqual(await rows(page), ['w.w.w.w.', '.w.w.w.w', 'w.w.w.w.', '........', '........', '.b.b.b.b', 'b.b.b.b.', '.b.b.b.b']);
  assert.equal(await style(page, '.square.used'), 'rgb(211, 211, 211)');
  assert.equal(await style(page, '.square.unused'), 'rgb(111, 111, 111)');
  await says(status(page), "White's turn");
  await click(page, 10);
  assert.deepEqual(await targets(page), ['13', '14']);
});

/** Where the cursor is, in columns and rows. @param {Page} page */
const cursor = async (page) => [await page.locator('.outline').getAttribute('x'), await page.locator('.outline').getAttribute('y')].map((value) => Math.floor(Number(value)));

test('003.2: a red cursor from the top left follows the arrows and stops at the edges; Space and clicks do the same', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts' });
  assert.equal(await style(page, '.outline', 'stroke'), 'rgb(224, 0, 0)');
  assert.deepEqual(await cursor(page), [0, 0]);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual(await cursor(page), [0, 0]);
  for (let step = 0; step < 9; step += 1) await page.keyboard.press('ArrowRight');
  for (let step = 0; step < 9; step += 1) await page.keyboard.press('ArrowDown');
  assert.deepEqual(await cursor(page), [7, 7]);
  await click(page, 10);
  assert.deepEqual(await cursor(page), [2, 2]);
  await counts(page.locator('.mark.selected'), 1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await says(status(page), "Black's turn");
  // Off the board nothing happens.
  await page.mouse.click(3, 400);
  await says(status(page), "Black's turn");
  assert.deepEqual(await cursor(page), [3, 3]);
});

test('003.3: only own counters can be selected; the square is marked; again deselects', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts' });
  const selected = page.locator('.mark.selected');
  await click(page, 22);
  await counts(selected, 0);
  await click(page, 14);
  await counts(selected, 0);
  await click(page, 10);
  await counts(selected, 1);
  await click(page, 10);
  await counts(selected, 0);
});

test('003.4: the line above the board says whose turn it is and who has won; then the cursor goes and input is ignored', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts', fen: 'W:W9:B17,22' });
  const [line, board] = [await status(page).boundingBox(), await page.locator(BOARD).boundingBox()];
  assert(line && board && line.y + line.height <= board.y + 1, 'above the board');
  await says(status(page), "White's turn");
  await click(page, 9, 13);
  await says(status(page), "Black's turn");
  await page.locator('[role=gridcell][aria-label*="can go here"]').first().click();
  await says(status(page), 'Black wins the game!');
  await counts(page.locator('.outline'), 0);
  const before = await rows(page);
  await page.keyboard.press('Space');
  await click(page, 22);
  await counts(page.locator('.mark.selected'), 0);
  assert.deepEqual(await rows(page), before);
});

test('003.5: captures come first; the only counter that can is selected and held; in a chain it stays so, a misclick included', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts', fen: 'W:W10,1:B14,23,22,32' });
  const selected = page.locator('.mark.selected');
  await counts(selected, 1);
  await click(page, 10);
  await counts(selected, 1);
  await click(page, 1);
  await says(message(page), 'There is a capture with 10');
  await click(page, 19);
  await says(message(page), 'Go on: the same piece can capture again.');
  await says(status(page), "White's turn");
  await click(page, 1);
  await page.getByRole('gridcell', { name: '19, white man, selected' }).waitFor();
  await page.locator('[role=gridcell][aria-label*="can go here"]').first().click();
  await says(status(page), "Black's turn");
  await counts(page.locator('.piece.black'), 2);
});

test('003.6: a crown is a small red blob, made on landing, that travels with the counter', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts', fen: 'W:W25,1:B12,23' });
  await click(page, 25, 29);
  await says(status(page), "Black's turn");
  await counts(page.locator('.piece.white.king'), 1);
  assert.equal(await style(page, '.piece.white.king .blob'), 'rgb(224, 0, 0)');
  assert.equal(await style(page, '.piece.white.king .blob', 'display'), 'inline');
  await click(page, 12);
  await page.locator('[role=gridcell][aria-label*="can go here"]').first().click();
  await says(status(page), "White's turn");
  // It goes back, with its crown.
  await click(page, 29, 26);
  await page.getByRole('gridcell', { name: /^26, white king/ }).waitFor();
  await counts(page.locator('.piece.white.king .blob'), 1);
});

test('003.7a: counters that must capture stand on light blue', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts', fen: 'W:W10,12,1:B14,15,32' });
  await counts(page.locator('.mark.must'), 2);
  assert.equal(await style(page, '.mark.must'), 'rgb(159, 220, 255)');
  await begin(page, { variant: 'draughts', fen: 'W:W10,12,1:B14,15,32' }, { marks: false });
  await counts(page.locator('.mark.must'), 0);
});

test('003.7b: the only possible turn is played by itself, if the whole turn is the only one', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts', fen: 'W:W10,1:B14,32' }, { glide: false, autoplay: true });
  await says(status(page), "Black's turn");
  // Two ways to end are two turns.
  await begin(page, { variant: 'draughts', fen: 'W:W10,1:B14,22,23,32' }, { glide: false, autoplay: true });
  await counts(page.locator('.mark.selected'), 1);
  await page.waitForTimeout(900);
  await says(status(page), "White's turn");
});

test('003.7c: counters glide, slowly if one likes', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts' }, { glide: true, speed: 'slow' });
  await click(page, 10, 13);
  await page.waitForFunction(() => document.getAnimations().some((animation) => Number(animation.effect?.getTiming().duration) === 900));
});

test('003.7d: a computer plays, down to one that moves at random', async () => {
  const page = await visit();
  await page.goto('/?game=draughts');
  await page.getByLabel('Strength of the computer').fill('0');
  await page.getByText('Level 0: random moves').waitFor();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await says(status(page), "White's turn");
  await click(page, 10, 13);
  await counts(page.locator('.moves [data-ply]'), 2);
});

test('003.7e: fairy pieces, such as one that moves only by leaping over its own', async () => {
  const page = await visit();
  await page.goto('/variants?variant=draughts');
  await says(message(page), 'Nothing is wrong with it.');
  await page.getByRole('button', { name: 'Add a kind of piece' }).click();
  await page.getByRole('button', { name: 'White frog' }).waitFor();
  // The program has a game with such pieces, too.
  await begin(page, { variant: 'frogs' });
  assert(await page.locator('.piece.fairy').count() > 0);
});

test('003.7f: other sizes, and layouts with holes', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts', size: 10 });
  await counts(page.locator('[role=row]'), 10);
  await counts(page.locator('.piece'), 40);
  await begin(page, { toml: 'extends = "draughts"\nname = "holed"\ntitle = "Holed"\n[board]\nsizes = []\nholes = ["3,3", "4,4"]\n' });
  await counts(page.locator('.square.hole'), 1);
  await counts(page.locator('.piece'), 24);
  await counts(page.locator('[role=gridcell][data-square]'), 30);
});

test('003.7g: captured counters explode, if one likes', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts', fen: 'W:W10,1:B14,32' }, { glide: true, explode: true });
  const bang = page.waitForFunction(() => document.querySelectorAll('.spark').length > 5);
  await page.locator('[role=gridcell][aria-label*="can go here"]').first().click();
  await bang;
  await counts(page.locator('.piece.black'), 1);
});

test('003.7h: more of our own: hints, moves ahead, and smiling counters', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts' }, { pieces: 'faces' });
  assert.equal(await style(page, '.piece .face', 'display'), 'inline');
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.locator('.arrow.hint').first().waitFor({ state: 'attached' });
});

// ---- a whole game -----------------------------------------------------------------------------

/** Presses Tab until something has the focus. @param {Page} page @param {string} what a selector */
async function tabTo(page, what) {
  for (let step = 0; step < 120; step += 1) {
    if (await page.evaluate((selector) => !!document.activeElement?.matches(selector), what)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`no way to ${what} by Tab`);
}

/** Goes from cell to cell by the arrow keys to the first whose label says something. @param {Page} page @param {RegExp} what */
async function walkTo(page, what) {
  const way = await page.evaluate((pattern) => {
    const wanted = new RegExp(pattern);
    const at = (/** @type {Element | null | undefined} */ cell) => [Number(cell?.parentElement?.getAttribute('aria-rowindex')), Number(cell?.getAttribute('aria-colindex'))];
    const cells = [...document.querySelectorAll('king-board [role=gridcell]')];
    const target = cells.findLast((cell) => wanted.test(cell.getAttribute('aria-label') ?? ''));
    if (!target) return null;
    const [[fromRow], [row, column]] = [at(document.activeElement), at(target)];
    return { rows: row - fromRow, column, square: target.getAttribute('data-square') };
  }, what.source);
  if (!way) return false;
  for (let step = Math.abs(way.rows); step > 0; step -= 1) await page.keyboard.press(way.rows > 0 ? 'ArrowDown' : 'ArrowUp');
  await page.keyboard.press('Home');
  for (let step = 0; step < 12; step += 1) {
    if (await page.evaluate((square) => document.activeElement?.getAttribute('data-square') === square, way.square)) return true;
    await page.keyboard.press('ArrowRight');
  }
  return assert.fail(`the arrows miss ${way.square}`);
}

test('a whole game by keyboard alone, from the first page to its end, and into the next one', async () => {
  for (const size of [DESKTOP, PHONE]) {
    const page = await visit(size);
    await page.goto('/?game=english');
    await page.getByRole('dialog', { name: 'English draughts' }).waitFor();
    await tabTo(page, 'input[name=opponent]');
    while (!await page.evaluate(() => document.activeElement?.matches('[value=device]'))) await page.keyboard.press('ArrowDown');
    await tabTo(page, 'button[type=submit]');
    await page.keyboard.press('Enter');
    await says(status(page), "Black's turn");
    await tabTo(page, '[role=gridcell]');
    const over = () => page.locator('king-board[data-over]').count();
    const played = () => page.locator('.moves [data-ply]').count();
    while (!await over()) {
      const before = await played();
      // A piece may be selected already.
      if (!await walkTo(page, /selected$/)) {
        assert(await walkTo(page, /can (move|capture)$/), 'somebody can move');
        await page.keyboard.press('Enter');
      }
      while (await played() === before && await walkTo(page, /can go here$/)) {
        await page.keyboard.press('Enter');
        await page.locator('king-board[data-busy]').waitFor({ state: 'detached' });
      }
      await page.waitForFunction((count) => document.querySelectorAll('.moves [data-ply]').length > count, before);
    }
    assert(await played() > 20, 'a game and not a trick');
    await says(status(page), /wins the game!|Draw!/);
    await accessible(page, 'the end of a whole game');
    await tabTo(page, '[data-action=rematch]');
    await page.keyboard.press('Enter');
    await says(status(page), "Black's turn");
    await counts(page.locator('.moves [data-ply]'), 0);
  }
});

// Sizes: what the window's width and height do to the pages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible, begin, click, inSight, message, says, square, status, tool, visit } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

const BOARD = '.stage > king-board';

/** The smallest board, in parts of the window's smaller side, that counts as large. @type {[width: number, height: number, part: number][]} */
const SIZES = [
  [360, 640, 0.9], [390, 844, 0.9], [412, 915, 0.9], [740, 360, 0.78], [768, 1024, 0.9], [1024, 768, 0.77],
  [1280, 720, 0.75], [1280, 800, 0.77], [1366, 768, 0.77], [1440, 900, 0.8], [1920, 1080, 0.83],
];

/** @param {Page} page */
const boardWidth = async (page) => (await page.locator(BOARD).boundingBox())?.width ?? 0;

test('from 360×640 to 1920×1080, light and dark: the board is whole and large, the clocks are there, nothing overflows', async () => {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const page = await visit({ viewport: { width: 1280, height: 800 }, colorScheme });
    await begin(page, { variant: 'international', clock: { initial_ms: 300_000, increment_ms: 3000 } });
    for (const [width, height, part] of SIZES) {
      const what = `${width}×${height}, ${colorScheme}`;
      await page.setViewportSize({ width, height });
      await page.evaluate(() => scrollTo(0, 0));
      await inSight(page.locator(BOARD), `the board, ${what}`);
      for (const side of ['white', 'black']) await inSight(page.locator(`.clock[data-side=${side}]`), `the clock of ${side}, ${what}`);
      await inSight(page.locator('#status'), `the turn, ${what}`);
      const { scrollWidth, innerWidth } = await page.evaluate(() => ({ scrollWidth: document.documentElement.scrollWidth, innerWidth }));
      assert.equal(scrollWidth, innerWidth, what);
      const share = await boardWidth(page) / Math.min(width, height);
      assert(share >= part, `${what}: the board has ${share.toFixed(2)} of the window`);
      // What is said at the board hides nothing of it.
      await square(page, 1).click();
      await says(message(page), /^The piece on 1 is Black's/);
      const [said, board] = [await message(page).boundingBox(), await page.locator(BOARD).boundingBox()];
      assert(said && board && (said.y >= board.y + board.height || said.x >= board.x + board.width), `a refusal on the board, ${what}`);
      if (width === 360 || width === 1920) await accessible(page, what);
    }
  }
});

test('the analysis has its board whole and large, too', async () => {
  const page = await visit();
  await page.goto('/analyse?variant=international');
  await page.locator(`${BOARD} .piece`).first().waitFor();
  for (const [width, height, part] of SIZES) {
    const what = `${width}×${height}`;
    await page.setViewportSize({ width, height });
    await inSight(page.locator(BOARD), `the board, ${what}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, what);
    const share = await boardWidth(page) / Math.min(width, height);
    assert(share >= part - 0.05, `${what}: the board has ${share.toFixed(2)} of the window`);
  }
});

test('zoomed to 200 % the board shrinks on no screen: it is as large as before, and whole', async () => {
  const page = await visit();
  await begin(page, { variant: 'english' });
  for (const [width, height] of [[1280, 720], [1280, 800], [1366, 768], [1920, 1080]]) {
    await page.setViewportSize({ width, height });
    const before = await boardWidth(page);
    // A zoom of 200 % is half the window, each of its pixels twice as large.
    await page.setViewportSize({ width: width / 2, height: height / 2 });
    const zoomed = await boardWidth(page);
    assert(zoomed * 2 >= before, `${width}×${height}: ${before} became ${zoomed * 2}`);
    await page.locator(BOARD).scrollIntoViewIfNeeded();
    await inSight(page.locator(BOARD), `the zoomed board, ${width}×${height}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, `${width}×${height}`);
  }
  await accessible(page, 'zoomed');
});

test('on a wide screen the list of moves is as high as the board leaves it, and never eight rows beside nothing', async () => {
  const page = await visit({ viewport: { width: 1920, height: 1080 } });
  // Both sides go forward, and never meet.
  const moves = '1-5 29-25 2-6 30-26 3-7 31-27 4-8 32-28 5-9 25-21 6-10 26-22 7-11 27-23 8-12 28-24'.split(' ');
  await begin(page, { variant: 'english', fen: 'B:W29,30,31,32:B1,2,3,4', moves });
  await says(status(page), "Black's turn");
  const [list, board, side] = await Promise.all(['.moves', BOARD, '.side'].map(async (what) => await page.locator(what).boundingBox() ?? { width: 0, height: 0, y: 0 }));
  assert(list.height > 0.5 * board.height, `a list of ${list.height} beside a board of ${board.height}`);
  assert(Math.abs(side.height - board.height) < 2, 'the record ends where the board does');
  assert(side.width > 0.4 * board.width, `${side.width} beside ${board.width}`);
  const hidden = await page.locator('.moves').evaluate((element) => element.scrollHeight - element.clientHeight);
  assert.equal(hidden, 0, 'all moves are seen');
});

test('moves come first, tools are a small row, and the rest is in a menu by mouse and by keys', async () => {
  const page = await visit();
  await begin(page, { variant: 'english' });
  await click(page, 11, 15);
  await says(status(page), "White's turn");
  const top = async (/** @type {string} */ what) => (await page.locator(what).boundingBox())?.y ?? 0;
  assert(await top('.record') < await top('.tools'));
  const row = page.locator('.actions').getByRole('button');
  assert.equal(await row.count(), 4);
  const menu = page.getByRole('button', { name: 'More', exact: true });
  await menu.click();
  await page.getByRole('button', { name: 'Rules' }).waitFor();
  await accessible(page, 'the menu');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Rules' }).waitFor({ state: 'hidden' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const before = await page.locator('[data-square="0"]').boundingBox();
  assert.equal(await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).dataset.action), 'flip');
  await page.keyboard.press('Enter');
  const after = await page.locator('[data-square="0"]').boundingBox();
  assert(before && after && before.y !== after.y, 'the board is turned');
  await tool(page, 'Rules');
  await page.getByRole('dialog').waitFor();
});

test('no text of a button touches its edge, at any width, in either language', async () => {
  for (const locale of ['en-GB', 'nl-NL']) {
    const page = await visit({ viewport: { width: 1280, height: 800 }, locale });
    const id = await begin(page, { variant: 'english' });
    for (const path of [`/game/${id}`, '/analyse?variant=english', '/', '/account']) {
      await page.goto(path);
      await page.locator('main button:visible').nth(1).waitFor();
      for (const width of [320, 360, 412, 600, 768, 900, 1024, 1280, 1600, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        const tight = await page.evaluate(() => [...document.querySelectorAll('main button, a.button')].flatMap((button) => {
          const edge = button.getBoundingClientRect();
          if (!edge.width || button.closest('.moves, .lines, .card')) return [];
          const range = document.createRange();
          range.selectNodeContents(button);
          return [...range.getClientRects()].filter((text) => text.width && (text.left - edge.left < 4 || edge.right - text.right < 4 || text.top < edge.top || text.bottom > edge.bottom))
            .map((text) => `${button.textContent}: ${Math.round(text.left - edge.left)}, ${Math.round(edge.right - text.right)}`);
        }));
        assert.deepEqual(tight, [], `${path} in ${locale} at ${width}`);
      }
    }
  }
});

test('the moves come before the tools, in a game and in analysis', async () => {
  const page = await visit();
  await begin(page, { variant: 'english' });
  for (const [path, tool] of [[null, 'Resign'], ['/analyse?variant=english', 'Flip the board']]) {
    if (path) await page.goto(path);
    await page.getByRole('button', { name: /** @type {string} */ (tool) }).waitFor();
    const top = async (/** @type {import('playwright-core').Locator} */ of) => (await of.first().boundingBox())?.y ?? NaN;
    const [moves, tools] = [await top(page.locator('.steps')), await top(page.getByRole('button', { name: /** @type {string} */ (tool) }))];
    assert(moves < tools, `${path}: ${moves} and ${tools}`);
  }
});

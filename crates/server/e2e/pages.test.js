// The other pages, accessibility on all of them, and what the first load weighs.

import { AxeBuilder } from '@axe-core/playwright';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DESKTOP, PHONE, begin, click, counts, message, says, server, square, visit } from './page.js';

/** @param {import('playwright-core').Page} page @param {string} what */
async function accessible(page, what) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' ')}`);
  assert.deepEqual(found, [], what);
}

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

test('nothing jumps while a page loads', async () => {
  const page = await visit();
  await page.addInitScript(() => {
    const seen = /** @type {any} */ (window);
    seen.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of /** @type {any[]} */ (list.getEntries())) seen.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/');
  await page.locator('.card').nth(30).waitFor();
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).shift), 0, 'the first page');
  await begin(page, { variant: 'english' });
  await page.locator('.piece').first().waitFor();
  const shift = await page.evaluate(() => /** @type {any} */ (window).shift);
  assert(shift < 0.02, `a game: ${shift}`);
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
  await page.getByRole('button', { name: 'Load' }).click();
  await says(message(page), '2 games');
  await counts(page.locator('.moves button'), 3);
  await page.getByRole('button', { name: 'Evaluate the whole game' }).click();
  await page.locator('.graph').waitFor();
});

test('a position is set up by hand', async () => {
  const page = await visit();
  await page.goto('/analyse?variant=english');
  await square(page, 11).waitFor();
  await page.getByRole('button', { name: 'Set up a position' }).click();
  await page.getByRole('button', { name: 'Clear the board' }).click();
  await counts(page.locator('.stage .piece'), 0);
  await click(page, 18);
  await page.getByRole('button', { name: 'Black king' }).click();
  await click(page, 15);
  await page.getByRole('radio', { name: 'White' }).check();
  await page.getByRole('button', { name: 'Use this position' }).click();
  await page.getByRole('gridcell', { name: '18, white man, can capture' }).waitFor();
});

test('a game of one’s own: the form makes the file, faults stand at their key, and it is played', async () => {
  const page = await visit();
  await page.goto('/variants');
  await page.locator('.words').waitFor();
  await page.locator('[data-key="pieces.king.range"]').selectOption({ label: 'fly' });
  await page.locator('.words').getByText(/Kings move any number/).waitFor();
  const file = page.getByLabel('The file');
  const text = await file.inputValue();
  await file.fill(text.replace('"slide"', '"sly"'));
  await page.locator('.faults').getByText('pieces.king.range').waitFor();
  await file.fill(text);
  await says(message(page), 'Nothing is wrong with it.');
  await page.locator('king-board [role=gridcell]').nth(12).click();
  await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.querySelector('textarea')).value.includes('holes'));
  await says(message(page), 'Nothing is wrong with it.');
  await counts(page.locator('king-board [role=gridcell]'), 31);
  await page.getByRole('button', { name: 'Play it' }).click();
  await page.waitForURL(/\/game\//);
  await counts(page.locator('king-board [role=gridcell]'), 31);
});

test('every choice of the form is a rule that the server knows', async () => {
  const page = await visit();
  await page.goto('/variants');
  await says(message(page), 'Nothing is wrong with it.');
  for (const select of await page.locator('select[data-key]').all()) {
    for (const value of await select.locator('option').evaluateAll((options) => options.map((option) => /** @type {HTMLOptionElement} */ (option).value))) {
      const checked = page.waitForResponse((response) => response.url().endsWith('/check'));
      await select.selectOption(value);
      assert.equal((await checked).status(), 200, value);
    }
    const checked = page.waitForResponse((response) => response.url().endsWith('/check'));
    await select.selectOption('');
    await checked;
  }
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
  await says(message(page), /^Your new token, shown only now: [0-9a-f]{32}$/);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
});

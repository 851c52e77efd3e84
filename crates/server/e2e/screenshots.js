// Pictures of the main pages for the README: `node screenshots.js`. They go to docs/images.

import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { PHONE, begin, click, says, status, visit } from './page.js';

const OUT = new URL('../../../docs/images/', import.meta.url).pathname;
mkdirSync(OUT, { recursive: true });

test('pictures', async () => {
  const page = await visit({ viewport: { width: 1120, height: 740 } });
  const take = (/** @type {import('playwright-core').Page} */ of, /** @type {string} */ name) => of.screenshot({ path: `${OUT}${name}.png` });
  await page.goto('/');
  await page.locator('.card').nth(30).waitFor();
  await take(page, 'choose');
  await begin(page, { variant: 'checkers', fen: 'B:W1,2,3,4,6,8,11,14,K22:B18,21,23,24,K5,28,29,31' });
  await click(page, 18);
  await take(page, 'checkers');
  await begin(page, { variant: 'draughts' });
  await take(page, 'draughts');
  await page.goto('/analyse?variant=international&fen=W:W27,28,32,33,37,38,39,43:B8,9,12,13,18,19,23,24');
  await page.locator('[role=gridcell]').first().waitFor();
  await page.getByText('Let the engine think along').click();
  await page.locator('.lines li').nth(2).waitFor();
  await take(page, 'analyse');
  await page.goto('/variants');
  await page.locator('.words').waitFor();
  await page.locator('king-board [role=gridcell]').nth(13).click();
  await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.querySelector('textarea')).value.includes('holes'));
  await says(page.locator('.message'), 'Nothing is wrong with it.');
  await take(page, 'variants');
  const phone = await visit({ ...PHONE, deviceScaleFactor: 1, colorScheme: 'dark' });
  await begin(phone, { variant: 'international', clock: { initial_ms: 300000, increment_ms: 3000 } });
  await click(phone, 32, 28);
  await says(status(phone), "Black's turn");
  await take(phone, 'phone');
});

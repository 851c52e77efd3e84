// Pictures of the main pages for the README: `node screenshots.js`. They go to docs/images.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PHONE, begin, click, says, status, visit } from './page.js';
import { folder, run, start } from './server.js';

const OUT = new URL('../../../docs/images/', import.meta.url).pathname;
mkdirSync(OUT, { recursive: true });

test('pictures', async () => {
  const page = await visit({ viewport: { width: 1200, height: 780 } });
  const take = (/** @type {import('playwright-core').Page} */ of, /** @type {string} */ name) => of.screenshot({ path: `${OUT}${name}.png` });
  await page.goto('/');
  await page.locator('.card').nth(30).waitFor();
  await take(page, 'choose');
  await begin(page, { variant: 'checkers', fen: 'B:W1,2,3,4,6,8,11,14,K22:B18,21,23,24,K5,28,29,31', white: { type: 'computer', level: 3 } });
  await click(page, 18);
  await take(page, 'checkers');
  await begin(page, { variant: 'draughts' });
  await take(page, 'draughts');
  await page.goto('/analyse?variant=international');
  await page.getByText('Import', { exact: true }).click();
  await page.getByLabel('Import').fill('1. 32-28 {the usual start} 19-23 (1... 18-23 2. 33-29 23x32 3. 37x28) (1... 17-22 2. 28x17 11x22) 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19! *');
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await page.getByText('Import', { exact: true }).click();
  await page.getByRole('button', { name: '37x28' }).click();
  await page.getByText('Let the engine think along').click();
  await page.locator('.lines li').nth(2).waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await take(page, 'analyse');
  await page.goto('/variants');
  await says(page.locator('.message'), 'Nothing is wrong with it.');
  await page.locator('[data-part=about] > summary').click();
  await page.locator('[data-part="pieces.king"] > summary').click();
  await page.locator('[data-key="pieces.king.range"]').selectOption('slide');
  await page.locator('king-board [role=row]').nth(3).locator('[data-square]').nth(1).click();
  await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.querySelector('textarea')).value.includes('holes'));
  await page.locator('.words').getByText('One square is missing').waitFor();
  await take(page, 'variants');
  const phone = await visit({ ...PHONE, deviceScaleFactor: 1, colorScheme: 'dark' });
  await begin(phone, { variant: 'international', clock: { initial_ms: 300000, increment_ms: 3000 } });
  await click(phone, 32, 28);
  await says(status(phone), "Black's turn");
  await take(phone, 'phone');
});

test('a league', async () => {
  const data = folder();
  mkdirSync(join(data, 'leagues'));
  const file = join(data, 'leagues', 'club.toml');
  const player = (/** @type {string} */ name, /** @type {string} */ plays) => `[[player]]\nname = "${name}"\nplays = "${plays}"\n`;
  writeFileSync(file, `name = "Club league"\nvariant = "international"\nrounds = 50\ntime = "100ms"\nformat = "round-robin"\nrandom_plies = 4\nseed = 1\nconcurrency = 4\n`
    + player('Ada', 'engine:level=5') + player('Babbage', 'engine:level=3') + player('Sample', 'minimax:depth=2') + player('Chance', 'random'));
  const own = await start(data);
  const playing = run(['league', 'run', file]);
  const page = await visit({ viewport: { width: 1200, height: 900 }, baseURL: own.url });
  while (await page.goto('/watch') && await page.locator('a[href="/watch?league=club"]').count() === 0) await page.locator('h1').waitFor();
  await page.goto('/watch?league=club');
  await page.locator('[data-number]').nth(15).waitFor({ timeout: 120_000 });
  await page.locator('.wall.small li').nth(1).waitFor({ timeout: 60_000 });
  await page.screenshot({ path: `${OUT}league.png` });
  playing.kill('SIGKILL');
  await own.end('SIGKILL');
});

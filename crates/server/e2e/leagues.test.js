// Leagues: one that another process plays on the same data, and one whose seats people take here.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DESKTOP, PHONE, accessible, counts, says, status, visit } from './page.js';
import { folder, run, start } from './server.js';

const PLAYERS = '[[player]]\nname = "Chance"\nplays = "random"\n\n[[player]]\nname = "Sample"\nplays = "minimax:depth=4"\n';

test('a league of another process is watched live: standings, boards, and its games again', async () => {
  const data = folder();
  mkdirSync(join(data, 'leagues'));
  const file = join(data, 'leagues', 'club.toml');
  writeFileSync(file, `name = "Club"\nvariant = "english"\nformat = "round-robin"\nrounds = 2000\ntime = "1s"\nrandom_plies = 4\nseed = 7\nmax_plies = 60\n\n${PLAYERS}`);
  const own = await start(data);
  const pages = [await visit({ ...DESKTOP, baseURL: own.url }), await visit({ ...PHONE, baseURL: own.url })];
  for (const page of pages) await page.goto('/watch');
  const playing = run(['league', 'run', file]);
  try {
    for (const page of pages) {
      // It appears by itself.
      await page.locator('a[href="/watch?league=club"]').click();
      await says(page.locator('h1'), 'Club');
      await page.locator('.tag.live').first().waitFor();
      const games = async () => Number(/(\d+) games/.exec(await page.locator('.lead').textContent() ?? '')?.[1]);
      await counts(page.locator('.league table.list').first().locator('tbody tr'), 2);
      const before = await games();
      // No reload: the page follows the log.
      await page.waitForFunction((count) => Number(/(\d+) games/.exec(document.querySelector('.lead')?.textContent ?? '')?.[1]) > count, before);
      const row = page.locator('tbody tr').first();
      assert.match(await row.textContent() ?? '', /Sample/);
      assert.match(await row.textContent() ?? '', /[+-]?\d+ ± \d+/);
      await counts(row.locator('.errorbar .point'), 1);
      const scrolls = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert(scrolls <= 0, `${scrolls} px too wide`);
      await accessible(page, 'a league');
      await page.locator('[data-number]').first().click();
      await page.getByRole('button', { name: 'Back to the live games' }).waitFor();
      const last = await page.locator('.moves [data-ply]').count();
      assert(last > 4, `${last} moves`);
      await page.getByRole('button', { name: 'To the start' }).click();
      await counts(page.locator('.panel > king-board .piece'), 24);
      await page.getByRole('button', { name: 'Back to the live games' }).click();
      await page.context().close();
    }
  } finally {
    playing.kill('SIGKILL');
    await own.end('SIGKILL');
  }
});

test('a person takes the seat of a league, plays, and the standings follow', async () => {
  const data = folder();
  const file = join(data, 'people.toml');
  writeFileSync(file, `name = "People"\nvariant = "english"\nformat = "round-robin"\nrounds = 1\ngames = 2\ntime = "1s"\nseed = 7\n\n[[player]]\nname = "Ada"\nplays = "human:Ada"\n\n[[player]]\nname = "Chance"\nplays = "random"\n`);
  const own = await start(data, undefined, ['--league', file]);
  try {
    const [ada, eve] = [await visit({ ...DESKTOP, baseURL: own.url }), await visit({ ...DESKTOP, baseURL: own.url })];
    await ada.goto('/account');
    await ada.getByLabel('Name').fill('Ada');
    await ada.getByLabel('Password').fill('long enough');
    await ada.getByRole('button', { name: 'Make an account' }).click();
    await ada.getByText('You are Ada.').waitFor();
    for (const page of [ada, eve]) await page.goto('/watch?league=people');
    const seat = ada.getByRole('link', { name: 'Take your seat' });
    await seat.waitFor();
    assert.equal(await eve.getByRole('link', { name: 'Take your seat' }).count(), 0);
    const address = /** @type {string} */ (await seat.getAttribute('href'));
    // Nobody else sees the seat or moves there.
    await eve.goto(address);
    await says(eve.locator('.message'), 'There is no such game');
    await eve.goto('/watch?league=people');
    await seat.click();
    await says(ada.locator('#status'), /'s turn$/);
    await ada.locator('[role=gridcell].movable').first().waitFor();
    const made = await ada.locator('.moves [data-ply]').count();
    await ada.locator('[role=gridcell].movable').first().click();
    await ada.locator('[role=gridcell][aria-label*="can go here"]').first().click();
    // One's own move and the answer of chance.
    await counts(ada.locator('.moves [data-ply]'), made + 2);
    await counts(ada.getByRole('button', { name: 'Take back' }), 0);
    await eve.getByText(`move ${made + 2}`).waitFor();
    await ada.getByRole('button', { name: 'Resign' }).click();
    await ada.getByRole('button', { name: 'Yes' }).click();
    await says(status(ada), /wins the game!$/);
    await ada.getByRole('button', { name: 'To the league' }).click();
    await ada.locator('tbody tr').first().getByText('Chance').waitFor();
    await eve.locator('tbody tr').first().getByText('1–0–0').waitFor();
    // The second game of the meeting is next.
    await seat.waitFor();
    assert.notEqual(await seat.getAttribute('href'), address);
  } finally {
    await own.end('SIGKILL');
  }
});

// Leagues: one that another process plays on the same data, and one whose seats people take here.

import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DESKTOP, PHONE, accessible, counts, register, says, status, visit } from './page.js';
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

test('who plays for the server is seen, and goes', async () => {
  const data = folder();
  const file = join(folder(), 'class.toml');
  writeFileSync(file, `name = "Class"\nvariant = "english"\nformat = "round-robin"\nrounds = 2000\ntime = "1s"\nrandom_plies = 4\nseed = 7\nmax_plies = 60\n\n${PLAYERS}`);
  const own = await start(data, undefined, ['--league', file, '--workers-only', '--worker-token', 'sesame']);
  const worker = run(['worker', own.url, '--token', 'sesame', '--name', 'Lab <1>', '--concurrency', '1', '--data', folder()]);
  try {
    for (const device of [DESKTOP, PHONE]) {
      const page = await visit({ ...device, baseURL: own.url });
      await page.goto('/watch');
      const row = page.locator('li').filter({ hasText: 'Lab <1>' });
      await row.waitFor();
      await page.waitForFunction(() => /· [1-9]\d* games · Class: /.test(document.body.textContent ?? ''));
      await accessible(page, 'workers');
      await page.context().close();
    }
    const page = await visit({ ...DESKTOP, baseURL: own.url });
    await page.goto('/watch');
    await page.getByRole('heading', { name: 'Machines that play for us' }).waitFor();
    worker.kill('SIGINT');
    // Who says goodbye is not shown any more.
    await page.getByRole('heading', { name: 'Machines that play for us' }).waitFor({ state: 'hidden' });
  } finally {
    worker.kill('SIGKILL');
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
    // A name is no proof: the seat is for whoever has its link.
    await register(eve, 'Ada');
    await eve.goto('/watch?league=people');
    await eve.getByText('The league waits for Ada').waitFor();
    await eve.getByLabel('Code').fill('guess');
    await eve.getByRole('button', { name: 'Take the seat' }).click();
    await eve.getByText(/no seat of this league has that code/i).waitFor();
    await accessible(eve, 'a seat to take');
    const link = await own.seat('Ada');
    await ada.goto(link);
    const seat = ada.getByRole('link', { name: 'Take your seat' });
    await seat.waitFor();
    assert.doesNotMatch(ada.url(), /seat=/);
    // It is taken for good.
    await eve.goto(link);
    await says(eve.locator('.message').first(), /somebody else has taken the seat of Ada/i);
    assert.equal(await eve.getByRole('link', { name: 'Take your seat' }).count(), 0);
    const address = /** @type {string} */ (await seat.getAttribute('href'));
    // Nobody else sees the seat or moves there.
    await eve.goto(address);
    await says(eve.locator('.message'), 'There is no such game');
    await eve.goto('/watch?league=people');
    await seat.click();
    await says(ada.locator('#status'), /'s turn$/);
    // Whom one plays has a name.
    await says(ada.locator('.player').getByText('Ada'), 'Ada');
    await says(ada.locator('.player').getByText('Chance'), 'Chance');
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

test('people play the seats of a league whose game is a file of its own', async () => {
  const data = folder();
  writeFileSync(join(data, 'mine.toml'), 'extends = "english"\nname = "mine"\ntitle = "Mine"\n[board]\nsizes = []\nholes = ["3,0"]\n');
  const file = join(data, 'own.toml');
  writeFileSync(file, `name = "Own"\nvariant = "mine.toml"\nformat = "round-robin"\nrounds = 1\ntime = "1s"\nseed = 7\n\n[[player]]\nname = "Ada"\nplays = "human:Ada"\n\n[[player]]\nname = "Chance"\nplays = "random"\n`);
  const own = await start(data, undefined, ['--league', file]);
  try {
    const ada = await visit({ ...PHONE, baseURL: own.url });
    await ada.goto('/watch?league=own');
    // By hand, from a note.
    await ada.getByLabel('Code').fill(new URL(await own.seat('Ada')).searchParams.get('seat') ?? '');
    await ada.getByRole('button', { name: 'Take the seat' }).tap();
    await ada.getByRole('link', { name: 'Take your seat' }).tap();
    await ada.getByRole('heading', { name: 'Mine' }).waitFor();
    await counts(ada.locator('king-board [role=gridcell]'), 31);
    const made = await ada.locator('.moves [data-ply]').count();
    await ada.locator('[role=gridcell].movable').first().tap();
    await ada.locator('[role=gridcell][aria-label*="can go here"]').first().tap();
    await counts(ada.locator('.moves [data-ply]'), made + 2);
  } finally {
    await own.end('SIGKILL');
  }
});

test('a log that is made anew is followed: the page shows the new league', async () => {
  const data = folder();
  mkdirSync(join(data, 'leagues'));
  const file = join(data, 'leagues', 'club.toml');
  const league = (/** @type {string} */ name, /** @type {string} */ variant) => writeFileSync(file, `name = "${name}"\nvariant = "${variant}"\nformat = "round-robin"\nrounds = 1\ntime = "1s"\nrandom_plies = 4\nseed = 7\nmax_plies = 60\n\n${PLAYERS}`);
  const play = () => new Promise((done) => { run(['league', 'run', file]).on('exit', done); });
  league('Club', 'english');
  await play();
  const own = await start(data);
  try {
    const page = await visit({ ...DESKTOP, baseURL: own.url });
    await page.goto('/watch?league=club');
    await says(page.locator('h1'), 'Club');
    await page.locator('[data-number]').first().click();
    await counts(page.locator('.moves:visible'), 1);
    for (const end of ['', '-wal', '-shm', '-live']) rmSync(join(data, 'leagues', `club.db${end}`), { force: true });
    league('New club', 'international');
    await play();
    await says(page.locator('h1'), 'New club');
    await counts(page.locator('[data-number]'), 2);
    await counts(page.locator('.moves:visible'), 0);
    // The board is the new game's.
    assert.equal(await page.locator('.panel > king-board').evaluate((board) => getComputedStyle(board).getPropertyValue('--columns')), '10');
  } finally {
    await own.end('SIGKILL');
  }
});

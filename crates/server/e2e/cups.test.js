// Watch beside the boards: rounds, byes, brackets, what went wrong, and the games of a match; and
// which way round a board stands, there and on the page that a league is exported as.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DESKTOP, PHONE, accessible, counts, register, says, visit } from './page.js';
import { folder, run, start } from './server.js';

const BOT = `from kingme import Bot

class Fails(Bot):
    def choose(self, position, clock):
        raise ValueError("no idea")
`;

/** @param {string[]} args @returns {Promise<number | null>} */
const ended = (args) => new Promise((done) => { run(args).on('exit', done); });

/** A league of five, one of them a bot that fails and has an owner. @param {string} format */
async function played(format) {
  const data = folder();
  mkdirSync(join(data, 'leagues'));
  const file = join(data, 'leagues', 'cup.toml');
  const player = (/** @type {string} */ name, /** @type {string} */ plays) => `[[player]]\nname = "${name}"\nplays = "${plays}"\n`;
  const players = ['One', 'Two', 'Three'].map((name) => player(name, 'random')).join('') + player('Four', 'minimax:depth=1')
    + `${player('Fails', `python:fails.py:Fails`)}owner = "ada"\n`;
  writeFileSync(join(data, 'leagues', 'fails.py'), BOT);
  writeFileSync(file, `name = "Cup"\nvariant = "english"\nformat = "${format}"\nnodes = 100\nrandom_plies = 2\nseed = 7\nmax_plies = 60\nconcurrency = 2\n\n${players}`);
  assert.equal(await ended(['league', 'run', file, '--log-bots']), 0);
  return { data, file };
}

test('a cup has its bracket, its byes and its winner; what went wrong is told to whom it concerns', async () => {
  const { data } = await played('knockout');
  const own = await start(data);
  try {
    for (const size of [DESKTOP, PHONE]) {
      const page = await visit({ ...size, baseURL: own.url });
      await page.goto('/watch?league=cup');
      await says(page.locator('h1'), 'Cup');
      const bracket = page.locator('.bracket');
      await counts(bracket.locator('section'), 3);
      await says(bracket.locator('h3').first(), 'Quarter-finals');
      await counts(bracket.locator('section').first().getByText('has a bye'), 3);
      await counts(bracket.locator('section').last().locator('.wins'), 1);
      const winner = (await bracket.locator('section').last().locator('.wins [translate=no]').textContent()) ?? '';
      await says(page.getByText('has won the cup'), `${winner} has won the cup.`);
      await says(page.locator('tbody tr').first(), new RegExp(winner));
      if (size === PHONE) await page.setViewportSize({ width: 360, height: 640 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert(wide <= 0, `${wide} px too wide`);
      await accessible(page, 'a cup');
      await page.context().close();
    }
    const [eve, ada] = [await visit({ ...DESKTOP, baseURL: own.url }), await visit({ ...DESKTOP, baseURL: own.url })];
    await register(ada, 'ada');
    for (const page of [eve, ada]) {
      await page.goto('/watch?league=cup');
      await page.getByRole('heading', { name: 'What went wrong' }).waitFor();
    }
    const [seen, known] = [eve, ada].map((page) => page.getByRole('region', { name: 'What went wrong' }));
    assert.match(await seen.innerText(), /Fails: the program failed/);
    assert.doesNotMatch(await seen.innerText(), /ValueError|Traceback/);
    assert.match(await known.innerText(), /ValueError: no idea/);
    assert.match(await known.innerText(), /Traceback \(most recent call last\)/);
    // The way to the move, after the two of the opening.
    const link = seen.getByRole('button').last();
    const turn = Number(/turn (\d+)/.exec(await link.innerText())?.[1]);
    await link.click();
    await says(eve.locator('.moves [aria-current]'), /./);
    assert.equal(await eve.locator('.moves [aria-current]').getAttribute('data-ply'), String(turn + 2));
    // From there the keys lead on, after a click on the board as well.
    await eve.locator('.league king-board').first().click();
    await eve.keyboard.press('ArrowLeft');
    await counts(eve.locator(`.moves [data-ply="${turn + 1}"][aria-current]`), 1);
  } finally {
    await own.end('SIGKILL');
  }
});

test('rounds are turned over, with their byes, and a meeting leads to its games', async () => {
  const { data } = await played('swiss');
  const own = await start(data);
  try {
    const page = await visit({ ...DESKTOP, baseURL: own.url });
    await page.goto('/watch?league=cup');
    const choice = page.getByLabel('Round', { exact: true });
    await counts(choice.locator('option'), 3);
    // The last one is shown first.
    assert.equal(await choice.inputValue(), '3');
    const rounds = page.locator('.panel', { has: choice });
    await counts(rounds.getByText('has a bye'), 1);
    await choice.selectOption('1');
    const meeting = rounds.locator('[data-round="1"] button').first();
    await says(meeting, /2 of 2 games/);
    const names = (await meeting.locator('[translate=no]').textContent()) ?? '';
    await meeting.click();
    await page.getByRole('heading', { name: `Games of ${names}` }).waitFor();
    await counts(page.locator('[data-number]'), 2);
    await accessible(page, 'the games of a meeting');
    await page.getByRole('button', { name: 'All games of the league' }).click();
    await counts(page.locator('[data-number]'), 12);
  } finally {
    await own.end('SIGKILL');
  }
});

test('a match is watched like a league, to its first game', async () => {
  const data = folder();
  assert.equal(await ended('match random minimax:depth=1 --variant english --size 6 --games 130 --max-plies 20 --sprt -50,50 --sprt-alpha 0.000001 --sprt-beta 0.000001 --watch --data'.split(' ').concat(data)), 0);
  const own = await start(data);
  try {
    const page = await visit({ ...DESKTOP, baseURL: own.url });
    await page.goto('/watch');
    await page.locator('a.card', { hasText: 'random against minimax:depth=1' }).click();
    await says(page.locator('h1'), 'random against minimax:depth=1');
    await says(page.getByText('SPRT -50, 50'), /LLR/);
    const games = Number(/(\d+) games/.exec(await page.locator('.lead').textContent() ?? '')?.[1]);
    // One meeting in all has no rounds to turn over.
    await counts(page.getByLabel('Round', { exact: true }).locator('visible=true'), 0);
    const earlier = page.getByRole('button', { name: 'Earlier games' });
    for (let shown = 60; shown < games; shown += 60) {
      await counts(page.locator('[data-number]'), shown);
      await earlier.click();
    }
    await counts(page.locator('[data-number]'), games);
    await counts(earlier.locator('visible=true'), 0);
    await page.locator('[data-number="1"]').click();
    await page.getByRole('button', { name: 'Back to the live games' }).waitFor();
  } finally {
    await own.end('SIGKILL');
  }
});

test('whoever watches sees a board as its game has it: here, and on the page of an export', async () => {
  const { data, file } = await played('round-robin');
  const html = join(data, 'cup.html');
  assert.equal(await ended(['league', 'export', file, '--out', html]), 0);
  const own = await start(data);
  try {
    const page = await visit({ ...DESKTOP, baseURL: own.url });
    await page.goto('/watch?league=cup');
    await page.locator('[data-number]').first().click();
    await page.getByRole('button', { name: 'To the start' }).click();
    // Black has the top of this board, and moves first.
    assert.equal(await blackOnTop(page.locator('.panel > king-board .piece'), 'class', /black/), true);
    await page.goto('/watch');
    assert.equal(await blackOnTop(page.locator('a.card king-board .piece'), 'class', /black/), true);
    await page.goto(pathToFileURL(html).href);
    assert.equal(await blackOnTop(page.locator('#board circle[r="17.6"]'), 'fill', /#222/), true);
    // The same page has rounds, byes and what went wrong.
    await says(page.locator('#rounds details').last(), /Round 5/);
    await says(page.locator('#rounds details').last(), /: bye/);
    await says(page.locator('#incidents'), /Fails: crash: .*ValueError: no idea/s);
    await says(page.locator('#incidents'), /Traceback/);
    await page.locator('#incidents button').first().click();
    await says(page.locator('#move'), /^\d+\/\d+: /);
  } finally {
    await own.end('SIGKILL');
  }
});

/** Whether the pieces that stand highest are black. @param {import('playwright-core').Locator} pieces @param {string} attribute @param {RegExp} black */
async function blackOnTop(pieces, attribute, black) {
  await pieces.first().waitFor();
  const seen = await pieces.evaluateAll((all, name) => all.map((piece) => ({ y: piece.getBoundingClientRect().top, look: piece.getAttribute(name) ?? '' })), attribute);
  seen.sort((a, b) => a.y - b.y);
  return black.test(seen[0].look) && !black.test(seen[seen.length - 1].look);
}

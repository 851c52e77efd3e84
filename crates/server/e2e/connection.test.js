// What people feel of the network between them: silence, absence, and each other's answers.

import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { DESKTOP, begin, click, counts, says, server, square, status, visit } from './page.js';

/** A way to the server that can fall silent without closing anything. */
async function proxy() {
  const { port } = new URL(server.url);
  let silent = false;
  /** @type {import('node:net').Socket[]} */
  const sockets = [];
  const way = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    sockets.push(near, far);
    near.on('data', (bytes) => silent || far.write(bytes));
    far.on('data', (bytes) => silent || near.write(bytes));
    for (const [one, other] of [[near, far], [far, near]]) {
      one.on('close', () => silent || other.destroy());
      one.on('error', () => {});
    }
  });
  await new Promise((resolve) => way.listen(0, '127.0.0.1', () => resolve(null)));
  const address = /** @type {import('node:net').AddressInfo} */ (way.address());
  return {
    url: `http://127.0.0.1:${address.port}`,
    fallSilent: () => { silent = true; },
    speak: () => { silent = false; },
    close: () => { sockets.forEach((socket) => socket.destroy()); way.close(); },
  };
}

test('a connection that falls silent is noticed, its clock is unsure, and it comes back by itself', async () => {
  const way = await proxy();
  try {
    const ann = await visit();
    const id = await begin(ann, { variant: 'english', public: true, clock: { initial_ms: 600_000, increment_ms: 0 } });
    const bob = await visit({ ...DESKTOP, baseURL: way.url });
    await bob.goto(`/game/${id}`);
    await click(ann, '9', '13');
    await counts(bob.locator('.moves [data-ply]'), 1);
    way.fallSilent();
    await bob.locator('.offline').waitFor();
    await bob.locator('.clock.runs').getByText('~').waitFor();
    await click(ann, '22', '18');
    way.speak();
    // What happened meanwhile is there, and nobody had to reload.
    await counts(bob.locator('.moves [data-ply]'), 2);
    await bob.locator('.offline').waitFor({ state: 'hidden' });
    assert.doesNotMatch(await bob.locator('.clock.runs').textContent() ?? '', /~/);
  } finally {
    way.close();
  }
});

test('between people there is no hint and no engine, until it is over', async () => {
  const { ann, bob } = await friends();
  for (const page of [ann, bob]) {
    await counts(page.getByRole('button', { name: 'Hint' }), 0);
    await counts(page.locator('[data-action=evaluate]'), 0);
  }
  await ann.getByRole('button', { name: 'Resign' }).click();
  await ann.getByRole('button', { name: 'Yes' }).click();
  await bob.getByRole('button', { name: 'Evaluation' }).waitFor();
});

test('who came, a no to a draw, and a rematch that takes both along', async () => {
  const { ann, bob, id } = await friends();
  await says(ann.locator('.message'), 'Your opponent is here.');
  assert.match(await ann.title(), /^your turn – /);
  assert.match(await bob.title(), /^Black's turn – /);
  await ann.getByRole('button', { name: 'Offer a draw' }).click();
  await bob.getByRole('button', { name: 'Decline' }).click();
  await says(ann.locator('.message'), 'The other side says no.');
  await bob.getByRole('button', { name: 'Resign' }).click();
  await bob.getByRole('button', { name: 'Yes' }).click();
  await says(status(ann), /wins the game!$/);
  await ann.getByRole('button', { name: 'Rematch' }).click();
  await bob.getByRole('button', { name: 'Accept' }).click();
  for (const page of [ann, bob]) await page.waitForURL((url) => /^\/game\//.test(url.pathname) && !url.pathname.endsWith(id));
  assert.equal(ann.url(), bob.url());
});

test('a late friend is told that the seat is taken', async () => {
  const { link } = await friends();
  const eve = await visit();
  await eve.goto(link);
  await says(eve.locator('.message'), /the seat is taken/i);
});

test('a double click begins one game', async () => {
  const page = await visit();
  let games = 0;
  page.on('request', (request) => { if (request.method() === 'POST' && request.url().endsWith('/api/games')) games += 1; });
  await page.goto('/');
  await page.locator('.hero button.main').first().dblclick();
  await page.waitForURL(/\/game\//);
  assert.equal(games, 1);
});

test('a misclick inside a chain keeps the jumps already made, and a reader hears the piece there', async () => {
  const page = await visit();
  await begin(page, { variant: 'draughts', fen: 'W:W10,1:B14,23,22,32' });
  await click(page, '10', '19');
  await square(page, '19').click();
  const there = square(page, '19');
  assert.match(await there.getAttribute('aria-label') ?? '', /^19, .*(man|counter|piece).*, selected$/i);
  assert.match(await square(page, '10').getAttribute('aria-label') ?? '', /^10, empty/);
  await square(page, '1').click();
  await page.locator('.message.bad').waitFor();
  assert.equal(await there.getAttribute('aria-selected'), 'true');
  await counts(page.locator('.moves [data-ply]'), 0);
});

test('where capturing is a choice, no piece is marked as if it had to', async () => {
  const page = await visit();
  await begin(page, { variant: 'stupid-checkers', fen: 'W:W6,30:B10,32' }, { glide: false, hold: false });
  await page.locator('[role=gridcell][aria-label*="can capture"]').first().waitFor();
  await counts(page.locator('.mark.must'), 0);
});

test('an opponent who leaves is said to be away, and back when they are', async () => {
  const { ann, bob, id } = await friends();
  await bob.goto('/account');
  await ann.getByText(/^Your opponent has left, \d+ seconds ago\.$/).waitFor();
  // Without a clock there is no hurry.
  await counts(ann.getByRole('button', { name: 'Claim the win' }), 0);
  await bob.goto(`/game/${id}`);
  await ann.getByText(/^Your opponent has left/).waitFor({ state: 'hidden' });
});

test('whoever opens the link to a rated game is asked first, and sees that it counts', async () => {
  const [ann, bob] = [await visit(), await visit()];
  for (const [page, name] of /** @type {const} */ ([[ann, 'Consent'], [bob, 'Asked']])) {
    await page.goto('/account');
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill('long enough');
    await page.getByRole('button', { name: 'Make an account' }).click();
    await page.getByText(`You are ${name}.`).waitFor();
  }
  await ann.goto('/?game=english');
  await ann.getByRole('radio', { name: 'Friend by link' }).check();
  await ann.getByText('More choices').click();
  await ann.getByLabel('Rated game').check();
  await ann.getByRole('button', { name: 'Play', exact: true }).click();
  await bob.goto(await ann.locator('#invite').inputValue());
  await bob.getByRole('heading', { name: 'This game is rated. Do you agree?' }).waitFor();
  await ann.locator('h1').getByText('waiting for a friend').waitFor();
  await bob.getByRole('button', { name: 'Yes' }).click();
  for (const page of [ann, bob]) await says(page.locator('h2 .tag'), 'rated');
  await says(ann.locator('.message'), 'Your opponent is here.');
});

/** Two people who play, by the first one's link. */
async function friends() {
  const [ann, bob] = [await visit(), await visit()];
  await ann.goto('/');
  await ann.locator('[data-game=english]').click();
  await ann.getByRole('radio', { name: 'Friend by link' }).check();
  await ann.getByRole('button', { name: 'Play', exact: true }).click();
  const link = await ann.locator('#invite').inputValue();
  const id = new URL(ann.url()).pathname.split('/').pop() ?? '';
  await bob.goto(link);
  await bob.locator('king-board [role=gridcell]').first().waitFor();
  await ann.locator('[role=gridcell].movable').first().waitFor();
  return { ann, bob, id, link };
}

// The end of a game, and moves that are chosen in the opponent's turn.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, SMALL_PHONE, accessible, begin, click, counts, inSight, message, says, square, status, visit } from './page.js';

/** @typedef {import('playwright-core').Page} Page */

/**
 * A game of two by link; the first page is Black's in english.
 * @param {Page} anna
 * @param {Page} bob
 * @param {object} [game]
 */
async function meet(anna, bob, game = {}) {
  await anna.goto('/account');
  const { id, invite } = await anna.evaluate(async (game) => {
    localStorage.setItem('settings', '{"glide":false}');
    const body = JSON.stringify({ variant: 'english', white: { type: 'friend' }, black: { type: 'me' }, ...game });
    const response = await fetch('/api/games', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  }, game);
  await bob.goto('/account');
  await bob.evaluate(() => localStorage.setItem('settings', '{"glide":false}'));
  await anna.goto(`/game/${id}`);
  await bob.goto(`/game/${id}#join=${invite}`);
}

/** @param {Page} page @param {string} name */
async function register(page, name) {
  await page.goto('/account');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill('long enough');
  await page.getByRole('button', { name: 'Make an account' }).click();
  await page.getByText(`You are ${name}.`).waitFor();
}

/** @param {Page} page */
async function resign(page) {
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
}

const card = (/** @type {Page} */ page) => page.getByRole('region', { name: /^(You (win|lose)|(White|Black|Red) wins|Draw)/ });

test('the end of a game is a card: result, reason, both ratings, rematch and analysis', async () => {
  const [anna, bob] = [await visit(), await visit(SMALL_PHONE)];
  await register(anna, 'Anna');
  await register(bob, 'Bob');
  await meet(anna, bob, { rated: true });
  await bob.getByRole('button', { name: 'Yes' }).click();
  await says(status(bob), "Black's turn");
  await click(anna, 11, 15);
  await says(status(bob), "White's turn");
  await counts(card(bob), 0);
  await click(bob, 22, 18);
  await says(status(anna), "Black's turn");
  await resign(bob);
  await says(card(anna).getByRole('heading'), 'You win!');
  await says(card(bob).getByRole('heading'), 'You lose this one.');
  for (const page of [anna, bob]) {
    await says(card(page).locator('.result'), 'Black wins: White resigned.');
    await says(card(page).getByRole('listitem').nth(0), 'White Bob1500 → 1338 −162');
    await says(card(page).getByRole('listitem').nth(1), 'Black Anna1500 → 1662 +162');
    await says(page.locator('#spoken'), /White resigned/);
    await accessible(page, 'the end of a game');
  }
  // On a small phone the final position is in sight, and so is the beginning of the card.
  await bob.evaluate(() => scrollTo(0, 0));
  await inSight(bob.locator('.stage > king-board'), 'the final position');
  await card(bob).getByRole('button', { name: 'Analyse this game' }).waitFor();
  // A rematch that is asked for takes both along.
  await card(anna).getByRole('button', { name: 'Rematch' }).click();
  await bob.getByRole('button', { name: 'Accept' }).click();
  for (const page of [anna, bob]) await says(status(page), "Black's turn");
});

test('the card of the end says how well both have played, if one asks', async () => {
  const page = await visit();
  await begin(page, { variant: 'english', moves: ['11-15', '23-19', '8-11', '22-17', '9-13'] });
  await click(page, 19, 16);
  await says(status(page), "Black's turn");
  await resign(page);
  await card(page).getByRole('button', { name: 'How well was it played?' }).click();
  await says(card(page).locator('.accuracy'), /^Accuracy: White \d+%, Black \d+%\.$/);
  await accessible(page, 'accuracy on the card');
});

test('the card is closed by its button or Escape, by keys alone, and nothing is lost', async () => {
  for (const size of [DESKTOP, SMALL_PHONE]) {
    const page = await visit(size);
    const id = await begin(page, { variant: 'english' });
    await click(page, 11, 15);
    await says(status(page), "White's turn");
    await resign(page);
    // Whoever had pressed a button that is gone is on the card.
    await says(card(page).getByRole('heading'), 'Black wins the game!');
    await page.waitForFunction(() => document.activeElement?.id === 'end-title');
    await page.keyboard.press('Escape');
    await counts(card(page), 0);
    await says(page.locator('.status .soft'), 'White resigned');
    await page.getByRole('button', { name: 'Rematch' }).waitFor();
    await accessible(page, 'a closed card');
    await page.goto(`/game/${id}`);
    await card(page).getByRole('button', { name: 'Close' }).click();
    await counts(card(page), 0);
  }
});

test('the move that ended a game can be taken back, and then there is no card; after a resignation nothing is offered', async () => {
  const page = await visit();
  await begin(page, { variant: 'checkers', fen: 'B:W18:B22' });
  await click(page, 13);
  await says(status(page), 'Black wins the game!');
  await counts(card(page), 1);
  await page.getByRole('button', { name: 'Take back' }).click();
  await says(status(page), "Black's turn");
  await counts(card(page), 0);
  await resign(page);
  await says(status(page), 'Red wins the game!');
  await counts(page.locator('[data-action=take_back]'), 0);
});

test('a move is chosen in the opponent’s turn, shown, taken back in three ways, and played at once', async () => {
  const [anna, bob] = [await visit(), await visit()];
  await meet(anna, bob);
  await says(status(bob), "Black's turn");
  const marks = bob.locator('.mark.ahead');
  const plan = async () => {
    await click(bob, 22, 18);
    await counts(marks, 2);
    await counts(bob.locator('.arrow.ahead'), 1);
    await says(message(bob), /^22-18 is played as soon as it can be/);
  };
  // Only one's own pieces.
  await click(bob, 11);
  await says(message(bob), 'It is not your turn.');
  await plan();
  await bob.getByRole('gridcell', { name: '18, empty, chosen ahead' }).waitFor();
  await accessible(bob, 'a move chosen ahead');
  await bob.keyboard.press('Escape');
  await counts(marks, 0);
  await says(message(bob), 'Taken back.');
  await plan();
  await square(bob, 18).click({ button: 'right' });
  await counts(marks, 0);
  await plan();
  await click(bob, 18);
  await counts(marks, 0);
  // Another piece of one's own is chosen instead.
  await click(bob, 22, 23, 18);
  await says(message(bob), /^23-18/);
  await counts(bob.locator('.moves [data-ply]'), 0);
  await click(anna, 11, 15);
  await says(bob.locator('.moves [data-ply="2"]'), '23-18');
  await says(status(anna), "Black's turn");
  await counts(marks, 0);
});

test('a move is chosen ahead by touch and by keys', async () => {
  const [anna, bob] = [await visit(), await visit(SMALL_PHONE)];
  await meet(anna, bob);
  await says(status(bob), "Black's turn");
  await square(bob, 23).tap();
  await square(bob, 19).tap();
  await counts(bob.locator('.mark.ahead'), 2);
  await click(anna, 12, 16);
  await says(bob.locator('.moves [data-ply="2"]'), '23-19');
  await says(status(anna), "Black's turn");
  await click(anna, 16, 23);
  await says(status(bob), "White's turn");
  await click(bob, 26, 19);
  await says(status(bob), "Black's turn");
  // By keys: to the first row of one's own pieces, pick, down or up, drop.
  await square(bob, 22).focus();
  await bob.keyboard.press('Enter');
  await counts(bob.locator('.mark.ahead'), 1);
  await square(bob, 17).focus();
  await bob.keyboard.press('Space');
  await counts(bob.locator('.mark.ahead'), 2);
  await click(anna, 9, 14);
  await says(bob.locator('.moves [data-ply="6"]'), '22-17');
});

test('a move chosen ahead that is none any more is dropped with a word', async () => {
  const [anna, bob] = [await visit(), await visit()];
  await meet(anna, bob, { fen: 'B:W21,32:B14,1' });
  await says(status(bob), "Black's turn");
  await click(bob, 32, 27);
  await says(message(bob), /^32-27/);
  // White has to capture now.
  await click(anna, 14, 17);
  await says(message(bob), '32-27 is not possible any more.');
  await says(status(bob), "White's turn");
  await counts(bob.locator('.mark.ahead'), 0);
  await counts(bob.locator('.moves [data-ply]'), 1);
});

test('a capture of several jumps is chosen ahead by its ends or by its first jump', async () => {
  for (const to of [8, 17]) {
    const [anna, bob] = [await visit(), await visit()];
    // After 40-45 White on 28 can take 22 and 12.
    await meet(anna, bob, { variant: 'international', fen: 'B:W28,33:B22,12,40', white: { type: 'friend' }, black: { type: 'me' } });
    await says(status(bob), "Black's turn");
    await click(bob, 28, to);
    await counts(bob.locator('.mark.ahead'), 2);
    await click(anna, 40, 45);
    await says(bob.locator('.moves [data-ply="2"]'), '28x8');
  }
});

test('a piece taken up too early is chosen when the turn comes; it is dragged ahead; and all that can be turned off', async () => {
  const [anna, bob] = [await visit(), await visit()];
  await meet(anna, bob);
  await says(status(bob), "Black's turn");
  await click(bob, 22);
  await counts(bob.locator('.mark.ahead'), 1);
  await click(anna, 11, 15);
  await counts(bob.locator('.mark.selected'), 1);
  await click(bob, 17);
  await says(status(bob), "Black's turn");
  const [from, to] = [await square(bob, 24).boundingBox(), await square(bob, 20).boundingBox()];
  assert(from && to);
  await bob.mouse.move(from.x + 20, from.y + 20);
  await bob.mouse.down();
  await bob.mouse.move(to.x + 20, to.y + 20, { steps: 5 });
  await bob.mouse.up();
  await counts(bob.locator('.mark.ahead'), 2);
  await click(anna, 8, 11);
  await says(bob.locator('.moves [data-ply="4"]'), '24-20');
  await bob.getByRole('button', { name: 'Settings' }).click();
  await bob.getByLabel('Choose a move in the opponent’s turn').uncheck();
  await bob.keyboard.press('Escape');
  await click(bob, 25);
  await says(message(bob), 'It is not your turn.');
  await counts(bob.locator('.mark.ahead'), 0);
});

test('a move chosen ahead against the computer is played as soon as it has moved', async () => {
  const page = await visit();
  await begin(page, { variant: 'english', fen: 'B:W31,32:B1,2', white: { type: 'computer', level: 1 } });
  // The computer's move is kept back until ours is chosen.
  let release = () => {};
  const chosen = new Promise((resolve) => { release = () => resolve(undefined); });
  await page.routeWebSocket('**/socket', (socket) => {
    const server = socket.connectToServer();
    server.onMessage(async (text) => {
      if (/"ply":2\b/.test(String(text))) await chosen;
      socket.send(text);
    });
  });
  await page.reload();
  await click(page, 1, 5);
  await says(status(page), "White's turn");
  await click(page, 2, 7);
  await counts(page.locator('.mark.ahead'), 2);
  release();
  await says(page.locator('.moves [data-ply="3"]'), '2-7');
});

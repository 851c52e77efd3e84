// Games: opponents, offers, clocks, looking back, and what outlives a dropped connection.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, PHONE, PHONE_ON_ITS_SIDE, SMALL_PHONE, accessible, begin, click, counts, inSight, message, says, square, status, tool, visit } from './page.js';
import { folder, start } from './server.js';

test('from the first page into a game with the computer: black is the person and moves first', async () => {
  for (const size of [DESKTOP, PHONE]) {
    const page = await visit(size);
    await page.goto('/');
    await page.locator('[data-game=checkers]').click();
    await page.locator('.words').waitFor();
    assert.equal(await page.locator('input[name=side]:checked').inputValue(), 'black');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await says(status(page), "Black's turn");
    await click(page, 22, 18);
    await counts(page.locator('.moves [data-ply]'), 2);
    await says(status(page), "Black's turn");
    await page.getByRole('button', { name: 'Take back' }).click();
    await counts(page.locator('.moves [data-ply]'), 0);
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Yes' }).click();
    await says(status(page), 'Red wins the game!');
    await page.getByRole('button', { name: 'Rematch' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/game/'));
    await counts(page.locator('.moves [data-ply]'), 1);
  }
});

test('a friend by link: both play, watch each other move, and agree on a draw', async () => {
  const [anna, bob, eve] = [await visit(), await visit(PHONE), await visit()];
  await anna.goto('/');
  await anna.locator('[data-game=international]').click();
  await anna.getByRole('radio', { name: 'Friend by link' }).check();
  await anna.getByRole('button', { name: 'Play', exact: true }).click();
  const link = await anna.locator('#invite').inputValue();
  await bob.goto(link);
  await says(status(bob), "White's turn");
  await click(anna, 32, 28);
  await says(status(bob), "Black's turn");
  assert(!bob.url().includes('join'), 'the secret does not stay in the address');
  await eve.goto(link);
  await says(message(eve), /the seat is taken|there is no such game/i);
  await square(bob, 18).tap();
  await square(bob, 23).tap();
  await says(status(anna), "White's turn");
  await click(anna, 19);
  await says(message(anna), 'The piece on 19 is Black\'s, and it is White\'s turn');
  await bob.getByRole('button', { name: 'Offer a draw' }).click();
  await anna.getByRole('button', { name: 'Accept' }).click();
  await says(status(bob), 'Draw!');
});

test('the sheet of a game: side, clock and the way back to it', async () => {
  const page = await visit(PHONE);
  await page.goto('/');
  await page.locator('[data-game=english]').tap();
  await page.getByRole('radio', { name: 'Friend on this device' }).check();
  await page.getByRole('radio', { name: '5 min + 3 s' }).check();
  await page.getByRole('button', { name: 'Play', exact: true }).tap();
  await counts(page.locator('.clock', { hasText: '5:00' }), 2);
  await tool(page, 'New game');
  await page.getByRole('dialog', { name: 'English draughts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('a.card').getByText('You – You').waitFor();
});

/** A game of English draughts by link. @param {import('playwright-core').Page} anna @param {import('playwright-core').Page} bob */
async function meet(anna, bob) {
  await anna.goto('/');
  await anna.locator('[data-game=english]').click();
  await anna.getByRole('radio', { name: 'Friend by link' }).check();
  await anna.getByRole('button', { name: 'Play', exact: true }).click();
  await bob.goto(await anna.locator('#invite').inputValue());
  await says(status(bob), "Black's turn");
}

test('one’s own games say who one is, and whose turn it is', async () => {
  const [anna, bob] = [await visit(), await visit()];
  await meet(anna, bob);
  for (const [page, players, turn] of /** @type {const} */ ([[anna, 'Guest – You', "Black's turn, your turn"], [bob, 'You – Guest', "Black's turn"]])) {
    await page.goto('/');
    await page.locator('a.card').getByText(players).waitFor();
    await page.locator('a.card').getByText(turn, { exact: true }).waitFor();
  }
});

test('a friend is asked before a move is taken back, and may say no', async () => {
  const [anna, bob] = [await visit(), await visit(PHONE)];
  await meet(anna, bob);
  await click(anna, 11, 15);
  await says(status(bob), "White's turn");
  const moves = bob.locator('.moves [data-ply]');
  await anna.getByRole('button', { name: 'Take back' }).click();
  await bob.getByText('Black asks to take a move back.').waitFor();
  await bob.getByRole('button', { name: 'Decline' }).tap();
  await anna.getByText('You have asked').waitFor({ state: 'hidden' });
  await counts(moves, 1);
  await anna.getByRole('button', { name: 'Take back' }).click();
  await bob.getByRole('button', { name: 'Accept' }).tap();
  await counts(moves, 0);
  await says(status(anna), "Black's turn");
});

test('a reload, another tab and a killed server lose nothing', async () => {
  const data = folder();
  const own = await start(data);
  const page = await visit({ ...DESKTOP, baseURL: own.url });
  const id = await begin(page, { variant: 'english' });
  await click(page, 11, 15);
  await says(status(page), "White's turn");
  const tab = await page.context().newPage();
  await tab.goto(`/game/${id}`);
  await says(status(tab), "White's turn");
  await own.end('SIGKILL');
  await page.locator('.offline').waitFor({ state: 'visible' });
  const again = await start(data, Number(new URL(own.url).port));
  assert.equal(again.url, own.url);
  await page.locator('.offline').waitFor({ state: 'hidden' });
  await click(page, 22, 18);
  await says(status(tab), "Black's turn");
  await counts(tab.locator('.moves [data-ply]'), 2);
  await again.end('SIGKILL');
  await page.context().close();
});

test('a server that is killed while the computer thinks lets it move once it is back', async () => {
  const data = folder();
  const own = await start(data);
  const page = await visit({ ...DESKTOP, baseURL: own.url });
  await begin(page, { variant: 'international', black: { type: 'computer', level: 10 }, clock: { initial_ms: 60_000, increment_ms: 0 } });
  await click(page, 32, 28);
  await page.locator('.moves [data-ply="1"]').waitFor();
  await own.end('SIGKILL');
  await page.locator('.offline').waitFor({ state: 'visible' });
  const again = await start(data, Number(new URL(own.url).port));
  await counts(page.locator('.moves [data-ply]'), 2);
  // Without a server a move is refused in words, and can be made later.
  await again.end('SIGKILL');
  await page.locator('.movable').first().click();
  await page.locator('[aria-label*="can go here"]').first().click();
  await says(message(page), 'The server can’t be reached.');
  const last = await start(data, Number(new URL(own.url).port));
  await page.locator('.offline').waitFor({ state: 'hidden' });
  await page.locator('.movable').first().click();
  await page.locator('[aria-label*="can go here"]').first().click();
  await counts(page.locator('.moves [data-ply]'), 4);
  await last.end('SIGKILL');
  await page.context().close();
});

test('clocks run, and who runs out of time loses', async () => {
  const page = await visit();
  await begin(page, { variant: 'english', clock: { initial_ms: 1500, increment_ms: 0 } });
  await click(page, 11, 15);
  await page.locator('.clock.runs[data-side=white]').waitFor();
  await says(status(page), 'Black wins the game!');
  await says(page.locator('.result'), 'Black wins: White ran out of time.');
});

test('looking back: the list, the buttons and the keys; moves only at the latest position', async () => {
  const page = await visit();
  await begin(page, { variant: 'english' });
  await click(page, 11, 15, 22, 18, 15, 22);
  await counts(page.locator('.piece.white'), 11);
  await page.getByRole('button', { name: 'To the start' }).click();
  await counts(page.locator('.piece.white'), 12);
  await click(page, 11);
  await says(message(page), 'You are looking at an earlier position.');
  await page.getByRole('button', { name: '22-18' }).click();
  await counts(page.locator('.piece.white'), 12);
  await page.locator('h1').click();
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  await page.keyboard.press('ArrowRight');
  await counts(page.locator('.piece.white'), 11);
  await page.keyboard.press('Home');
  await counts(page.locator('.piece.white'), 12);
  await page.keyboard.press('End');
  await counts(page.locator('.moves [data-ply="3"][aria-current]'), 1);
});

test('a hint is an arrow and a sentence; the evaluation comes if asked', async () => {
  const page = await visit();
  await begin(page, { variant: 'english' });
  await page.getByRole('button', { name: 'Hint' }).click();
  await says(message(page), /^Try \d+-\d+\.$/);
  await page.locator('.arrow.hint').first().waitFor({ state: 'attached' });
  await tool(page, 'Evaluation');
  await page.getByText(/^Evaluation [+−]?\d/).waitFor();
});

test('one click on the first page and one plays, on a phone as well', async () => {
  for (const size of [DESKTOP, PHONE]) {
    const page = await visit(size);
    await page.goto('/');
    await page.getByRole('button', { name: 'Play now' }).click();
    await says(status(page), "Black's turn");
    await click(page, 22, 18);
    await counts(page.locator('.moves [data-ply]'), 2);
    await page.goto('/');
    await page.getByRole('heading', { name: 'Go on playing' }).waitFor();
    await page.locator('a.card').first().click();
    await counts(page.locator('.moves [data-ply]'), 2);
  }
});

test('a game from elsewhere is played on: PDN with several games, a file, a FEN', async () => {
  const pdn = '[White "Anna"][Black "Bob"][GameType "21"]\n1. 11-15 22-18 2. 15x22 *\n\n[White "Cora"][Black "Dirk"][GameType "20"]\n1. 32-28 19-23 2. 28x19 14x23 *';
  const page = await visit();
  await page.goto('/');
  await page.getByRole('button', { name: 'Import' }).click();
  const text = page.getByLabel('PDN or FEN', { exact: true });
  await text.fill('no game at all');
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await says(page.locator('dialog .message'), 'There is no game in this text');
  await text.fill(pdn);
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await says(page.locator('dialog .message'), '2 games');
  await page.getByRole('button', { name: 'Cora – Dirk' }).click();
  await page.getByText('The game goes on. Moves so far: 4.').waitFor();
  await page.getByRole('radio', { name: 'Friend on this device' }).check();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await counts(page.locator('.moves [data-ply]'), 4);
  await counts(page.locator('.piece.black'), 19);
  await says(status(page), "White's turn");
  // The same from the page of a game, by a file, and then by a FEN.
  await page.getByText('Position and game').click();
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByLabel('A file with PDN or FEN').setInputFiles({ name: 'one.pdn', mimeType: 'text/plain', buffer: Buffer.from(pdn.split('\n\n')[0]) });
  await page.getByText('The game goes on. Moves so far: 3.').waitFor();
  await page.keyboard.press('Escape');
  await page.goto('/');
  await page.getByRole('button', { name: 'Import' }).click();
  await text.fill('W:WK18:B5,12');
  await page.locator('dialog select').selectOption('english');
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await page.getByRole('radio', { name: 'Friend on this device' }).check();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await counts(page.locator('.piece'), 3);
  await counts(page.locator('.piece.king'), 1);
});

test('the computer down to random moves; it agrees to a draw only when it stands worse', async () => {
  const page = await visit();
  await page.goto('/');
  await page.locator('[data-game=english]').click();
  await page.getByLabel('Strength of the computer').fill('0');
  await page.getByText('Level 0: random moves').waitFor();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await click(page, 11, 15);
  await counts(page.locator('.moves [data-ply]'), 2);
  await page.getByText('Computer, random moves').waitFor();
  await page.getByRole('button', { name: 'Offer a draw' }).click();
  await says(message(page), 'The computer wants to play on');
  await begin(page, { variant: 'english', fen: 'B:WK32,31:B1,2,3,5,6,7,K10', white: { type: 'computer', level: 3 } });
  await page.getByRole('button', { name: 'Offer a draw' }).click();
  await says(status(page), 'Draw!');
});

test('PDN and FEN go out', async () => {
  const page = await visit();
  await begin(page, { variant: 'english' });
  await click(page, 11, 15);
  await says(status(page), "White's turn");
  await page.getByText('Position and game').click();
  assert.match(await page.getByLabel('Position (FEN)').inputValue(), /^W:W21/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the game (PDN)' }).click();
  const stream = await (await download).createReadStream();
  let text = '';
  for await (const chunk of stream) text += chunk;
  assert.match(text, /1\. 11-15/);
});

test('settings: themes, flip and another language', async () => {
  const page = await visit();
  await begin(page, { variant: 'english' });
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: 'Paper' }).check();
  assert.equal(await page.locator('king-board').first().getAttribute('data-theme'), 'paper');
  await page.getByRole('radio', { name: 'Nederlands' }).click();
  await says(status(page), 'Zwart is aan zet');
  const before = await square(page, 1).boundingBox();
  await tool(page, 'Bord draaien', 'Meer');
  const after = await square(page, 1).boundingBox();
  assert(before && after && before.y !== after.y);
});

test('a public game is watched live, by people who cannot touch it', async () => {
  const [anna, eve] = [await visit(), await visit()];
  await eve.goto('/watch');
  const id = await begin(anna, { variant: 'english', public: true });
  const card = eve.locator(`a[href="/game/${id}"]`);
  await card.getByText('move 0').waitFor();
  await click(anna, 11, 15);
  await card.getByText('move 1').waitFor();
  await card.click();
  await says(status(eve), "White's turn");
  await eve.getByText('You are watching').waitFor();
  await click(eve, 22);
  await says(message(eve), 'You are watching');
  await click(anna, 22, 18);
  await says(status(eve), "Black's turn");
});

test('a game that is over replays, for whoever watched it too', async () => {
  const [anna, eve] = [await visit(), await visit(PHONE)];
  const id = await begin(anna, { variant: 'english', public: true });
  await click(anna, 11, 15, 22, 18, 15, 22);
  await counts(anna.locator('.moves [data-ply]'), 3);
  await anna.getByRole('button', { name: 'Resign' }).click();
  await anna.getByRole('button', { name: 'Yes' }).click();
  await eve.goto('/watch');
  await eve.locator(`a[href="/game/${id}"]`).tap();
  await says(eve.locator('.result'), 'Black wins: White resigned.');
  await counts(eve.locator('.piece.white'), 11);
  await eve.getByRole('button', { name: 'To the start' }).tap();
  await counts(eve.locator('.piece.white'), 12);
  await eve.getByRole('button', { name: 'One move on' }).tap();
  await counts(eve.locator('.moves [data-ply="1"][aria-current]'), 1);
});

test('a game that is not for these eyes says so, and not that the server is away', async () => {
  const [anna, eve] = [await visit(), await visit()];
  const id = await begin(anna, { variant: 'english' });
  await eve.goto(`/game/${id}`);
  await says(message(eve), 'There is no such game');
  await eve.getByRole('link', { name: 'All games' }).waitFor();
  // So long that a socket would have been tried again.
  await eve.waitForTimeout(700);
  assert(await eve.locator('.offline').isHidden());
  await counts(eve.locator('king-board'), 0);
  await accessible(eve, 'no such game');
  await eve.getByRole('link', { name: 'All games' }).click();
  await eve.locator('[data-game=english]').waitFor();
});

test('waiting for a friend, on a small phone: the link is in sight, says where it works, and outlives the tab', async () => {
  const anna = await visit(SMALL_PHONE);
  await anna.goto('/');
  await anna.locator('[data-game=english]').tap();
  await inSight(anna.getByRole('button', { name: 'Play', exact: true }), 'the way on');
  await anna.getByRole('radio', { name: 'Friend by link' }).check();
  await anna.getByRole('button', { name: 'Play', exact: true }).tap();
  await inSight(anna.locator('#invite'), 'the link');
  await says(anna.locator('.status .soft'), 'waiting for a friend');
  await anna.getByText('The link works on this computer only').waitFor();
  const link = await anna.locator('#invite').inputValue();
  await accessible(anna, 'waiting');

  const again = await anna.context().newPage();
  await anna.close();
  await again.goto(link.replace(/#.*/, ''));
  assert.equal(await again.locator('#invite').inputValue(), link);
  const bob = await visit();
  await bob.goto(link);
  await again.locator('#invite').waitFor({ state: 'hidden' });
  await says(again.locator('.status .soft'), 'your turn');
  assert.deepEqual(await again.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('invite'))), []);

  await bob.getByRole('button', { name: 'Offer a draw' }).click();
  await inSight(again.getByRole('button', { name: 'Accept' }), 'an offer, without scrolling');
});

test('the link is copied where there is no clipboard for scripts: over http in one’s own network', async () => {
  const page = await visit();
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.goto('/');
  await page.locator('[data-game=english]').click();
  await page.getByRole('radio', { name: 'Friend by link' }).check();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const link = await page.locator('#invite').inputValue();
  await page.getByRole('button', { name: 'Copy' }).click();
  await says(message(page), 'Copied.');
  await page.getByText('Type moves and commands').click();
  await page.getByLabel('Move or command').press('Control+V');
  assert.equal(await page.getByLabel('Move or command').inputValue(), link);
});

test('a phone on its side has the whole board, the turn, a refusal and the clocks in sight', async () => {
  const page = await visit(PHONE_ON_ITS_SIDE);
  await begin(page, { variant: 'international', clock: { initial_ms: 300000, increment_ms: 3000 } });
  await inSight(page.locator('.stage > king-board'), 'the board');
  const { width } = await page.locator('.stage > king-board').boundingBox() ?? { width: 0 };
  assert(width > 280, `a board of ${width} px`);
  await square(page, 1).tap();
  await says(message(page), /Black's, and it is White's turn/);
  for (const what of ['#status', '.message', '.clock[data-side=white]', '.clock[data-side=black]']) await inSight(page.locator(what), what);
});

test('a click too many while a move is on its way is no mistake', async () => {
  const page = await visit();
  await begin(page, { variant: 'english' });
  await page.route('**/moves', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  await click(page, 11);
  await square(page, 15).dblclick();
  await says(status(page), "White's turn");
  // The refusal of a second request would be here by now.
  await page.waitForTimeout(600);
  await says(message(page), '');
  await click(page, 15);
  await says(message(page), /The piece on 15 is Black's/);
});

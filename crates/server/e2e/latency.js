// From a click to the other browser's board, without the glide: `GAMES=10 MOVES=80 node latency.js`.
// So many games with so many moves at most; the slowest ones are told with where their time went.

import { test } from 'node:test';
import { begin, visit } from './page.js';

const GAMES = Number(process.env.GAMES ?? 10);
const MOVES = Number(process.env.MOVES ?? 80);
/** The server takes only so many moves a second from one address. */
const PAUSE_MS = 15;

/**
 * When a move was chosen in one browser, came in at the other, and stood on its board.
 * @typedef {{ game: number, ply: number, clicked: number, arrived: number, shown: number }} Trip
 */

test('latency', { timeout: 170_000 }, async () => {
  const [anna, eve] = [await visit(), await visit()];
  await eve.addInitScript(noteArrivals);
  await eve.goto('/account');
  await eve.evaluate(() => localStorage.setItem('settings', '{"glide":false}'));
  const trips = /** @type {Trip[]} */ ([]);
  for (let game = 1; game <= GAMES; game += 1) {
    const id = await begin(anna, { variant: 'international', public: true });
    await eve.goto(`/game/${id}`);
    await eve.locator('[role=gridcell]').first().waitFor();
    await playOne(anna, eve, game, trips);
  }
  report(trips);
});

/** In the page: remembers when the last message came in. */
function noteArrivals() {
  const Plain = WebSocket;
  window.WebSocket = class extends Plain {
    /** @param {string | URL} url */
    constructor(url) {
      super(url);
      this.addEventListener('message', () => { /** @type {any} */ (window).arrived = performance.timeOrigin + performance.now(); });
    }
  };
}

/**
 * @param {import('playwright-core').Page} anna who plays both sides
 * @param {import('playwright-core').Page} eve who watches
 * @param {number} game
 * @param {Trip[]} trips
 */
async function playOne(anna, eve, game, trips) {
  for (let ply = 1; ply <= MOVES; ply += 1) {
    await anna.locator('[role=gridcell].movable, [data-over]').first().waitFor();
    if (await anna.locator('[data-over]').count()) return;
    const [seen, own] = [eve.evaluate(seePly, ply), anna.evaluate(seePly, ply)];
    const clicked = await anna.evaluate(chooseMove, game * 1000 + ply);
    const [trip] = await Promise.all([seen, own]);
    trips.push({ game, ply, clicked, ...trip });
    await anna.waitForTimeout(PAUSE_MS);
  }
}

/** In the page: when a ply has arrived and is shown; a refusal is an error. @param {number} ply @returns {Promise<{ arrived: number, shown: number }>} */
function seePly(ply) {
  return new Promise((resolve, reject) => {
    const observer = new MutationObserver(look);
    function look() {
      const refusal = document.querySelector('.message.bad')?.textContent;
      if (refusal) reject(new Error(refusal));
      if (!document.querySelector(`.moves [data-ply="${ply}"]`)) return;
      observer.disconnect();
      resolve({ arrived: /** @type {any} */ (window).arrived, shown: performance.timeOrigin + performance.now() });
    }
    observer.observe(document.body, { childList: true, subtree: true });
    look();
  });
}

/** In the page: clicks a piece and then its way until a move is made; the time of the last click. @param {number} chance */
function chooseMove(chance) {
  const press = (/** @type {Element} */ cell) => {
    const { left, top, width, height } = cell.getBoundingClientRect();
    const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, button: 0 };
    cell.dispatchEvent(new PointerEvent('pointerdown', at));
    cell.dispatchEvent(new PointerEvent('pointerup', at));
  };
  const some = (/** @type {string} */ selector) => {
    const found = document.querySelectorAll(`[role=gridcell]${selector}`);
    return found[(chance * 7919) % found.length];
  };
  let chosen = false;
  document.querySelector('.stage > king-board')?.addEventListener('choose', () => { chosen = true; }, { once: true });
  if (!document.querySelector('[role=gridcell][aria-selected=true]')) press(some('.movable'));
  let clicked = 0;
  while (!chosen) {
    clicked = performance.timeOrigin + performance.now();
    press(some('[aria-label*="can go here"]'));
  }
  return clicked;
}

/** @param {Trip[]} trips */
function report(trips) {
  trips.sort((a, b) => time(a) - time(b));
  const at = (/** @type {number} */ share) => time(trips[Math.min(trips.length - 1, Math.floor(trips.length * share))]).toFixed(1);
  console.log(`${trips.length} moves of ${GAMES} games: median ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms`);
  for (const trip of trips.slice(-5)) {
    console.log(`  game ${trip.game}, ply ${trip.ply}: ${time(trip).toFixed(1)} ms, of which ${(trip.shown - trip.arrived).toFixed(1)} ms to show it`);
  }
}

/** @param {Trip} trip */
function time({ clicked, shown }) {
  return shown - clicked;
}

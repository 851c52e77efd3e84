// From a click to the other browser's board, without the glide: `MOVES=60 node latency.js`.

import { test } from 'node:test';
import { begin, visit } from './page.js';

const MOVES = Number(process.env.MOVES ?? 60);

test('latency', async () => {
  const [anna, eve] = [await visit(), await visit()];
  const id = await begin(anna, { variant: 'international', public: true });
  await eve.goto('/account');
  await eve.evaluate(() => localStorage.setItem('settings', '{"glide":false}'));
  await eve.goto(`/game/${id}`);
  await eve.locator('[role=gridcell]').first().waitFor();
  const times = [];
  for (let move = 0; move < MOVES; move += 1) {
    const seen = eve.evaluate((ply) => new Promise((resolve) => {
      const done = () => document.querySelector(`.moves [data-ply="${ply}"]`) && resolve(performance.timeOrigin + performance.now());
      new MutationObserver(done).observe(document.body, { childList: true, subtree: true });
      done();
    }), move + 1);
    await anna.locator('[role=gridcell].movable').first().waitFor();
    const clicked = await anna.evaluate(() => {
      const press = (/** @type {Element} */ cell) => {
        const { left, top, width, height } = cell.getBoundingClientRect();
        const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, button: 0 };
        cell.dispatchEvent(new PointerEvent('pointerdown', at));
        cell.dispatchEvent(new PointerEvent('pointerup', at));
      };
      const selected = document.querySelector('[role=gridcell][aria-selected=true]');
      if (!selected) press(/** @type {Element} */ (document.querySelector('[role=gridcell].movable')));
      const at = performance.timeOrigin + performance.now();
      for (let target = document.querySelector('[aria-label*="can go here"]'); target; target = document.querySelector('[aria-label*="can go here"]')) press(target);
      return at;
    });
    times.push(/** @type {number} */ (await seen) - clicked);
  }
  times.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
  console.log(`${MOVES} moves: median ${at(0.5)} ms, p99 ${at(0.99)} ms`);
});

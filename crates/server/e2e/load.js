// What the first load of the play page weighs and when it can be used: `node load.js [TIMES]`.

import { test } from 'node:test';
import { visit } from './page.js';

const TIMES = Number(process.argv[2] ?? 10);

test('load', async () => {
  const [times, sizes] = [/** @type {number[]} */ ([]), /** @type {string[]} */ ([])];
  for (let run = 0; run < TIMES; run += 1) {
    const page = await visit();
    const network = await page.context().newCDPSession(page);
    let [requests, bytes] = [0, 0];
    await network.send('Network.enable');
    network.on('Network.loadingFinished', ({ encodedDataLength }) => { requests += 1; bytes += encodedDataLength; });
    await page.addInitScript(() => {
      // All cards are there, and with them the buttons do something.
      new MutationObserver((_, observer) => {
        if (document.querySelectorAll('.card').length < 30) return;
        /** @type {any} */ (window).usable = performance.now();
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    times.push(await page.evaluate(() => /** @type {any} */ (window).usable));
    sizes.push(`${requests} requests, ${(bytes / 1024).toFixed(1)} KB`);
    await page.context().close();
  }
  times.sort((a, b) => a - b);
  console.log(`play page: ${sizes[0]} over the wire; usable after ${times[0].toFixed(0)} ms at best, ${times[times.length >> 1].toFixed(0)} ms in the middle`);
});

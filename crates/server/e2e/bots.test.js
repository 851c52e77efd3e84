// The bot of docs/API.md, word for word, against a person at the page.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { click, counts, server, visit } from './page.js';
import { folder } from './server.js';

test('the guide’s bot is found among the opponents and answers', async () => {
  const owner = await visit();
  await owner.goto('/account');
  const token = await owner.evaluate(async () => {
    const post = async (/** @type {string} */ path, /** @type {object} */ body) => {
      const response = await fetch(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
      return response.json();
    };
    await post('/api/accounts', { name: 'guide-bot', password: 'long enough' });
    return (await post('/api/tokens', { label: 'guide' })).token;
  });
  const guide = readFileSync(new URL('../../../docs/API.md', import.meta.url), 'utf8');
  const code = /```python\n([\s\S]*?)```/.exec(guide)?.[1].replace('http://127.0.0.1:8080', server.url).replace('"…"', `"${token}"`);
  assert(code, 'the guide has a bot');
  const script = join(folder(), 'bot.py');
  writeFileSync(script, code);
  const bot = spawn('python3', [script], { stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    const page = await visit();
    await page.goto('/');
    const listening = () => page.evaluate(async () => (await (await fetch('/api/bots')).json()).length);
    while (await listening() === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    await page.locator('[data-game=english]').click();
    await page.getByRole('radio', { name: 'Bot: guide-bot' }).check();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.locator('[role=gridcell]').first().waitFor();
    await click(page, 11, 15);
    await counts(page.locator('.moves [data-ply]'), 2);
  } finally {
    bot.kill();
  }
});

// Lighthouse on every page: `node lighthouse.js [mobile|desktop]`. It is no dependency of ours: npx
// fetches it, or LIGHTHOUSE names the program.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folder, start } from './server.js';

const [command, ...before] = process.env.LIGHTHOUSE ? [process.env.LIGHTHOUSE] : ['npx', '--yes', 'lighthouse@12'];
const form = process.argv[2] ?? 'mobile';
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
const server = await start(folder());

/** A public game, which anybody's browser can see. */
async function game() {
  const body = JSON.stringify({ variant: 'international', white: { type: 'me' }, black: { type: 'computer', level: 1 }, public: true });
  const response = await fetch(`${server.url}/api/games`, { method: 'POST', body, headers: { 'content-type': 'application/json', origin: server.url } });
  return (await response.json()).id;
}

/** The scores of a page, out of 100. @param {string} path */
function scores(path) {
  const report = join(mkdtempSync(join(tmpdir(), 'kingme-lighthouse-')), 'report.json');
  const { status } = spawnSync(command, [...before, server.url + path, '--quiet', '--output=json', `--output-path=${report}`, `--only-categories=${CATEGORIES}`,
    '--chrome-flags=--headless=new --no-sandbox', ...(form === 'desktop' ? ['--preset=desktop'] : [])],
  { stdio: ['ignore', 'ignore', 'inherit'], env: { CHROME_PATH: process.env.CHROMIUM ?? '/usr/bin/chromium', ...process.env } });
  if (status) throw new Error(`lighthouse ended with ${status}`);
  const { categories } = JSON.parse(readFileSync(report, 'utf8'));
  return CATEGORIES.map((name) => Math.round(categories[name].score * 100));
}

console.log(`page, ${form}: ${CATEGORIES.join(', ')}`);
for (const path of ['/', `/game/${await game()}`, '/watch', '/analyse', '/variants', '/account']) console.log(`${path}: ${scores(path).join(', ')}`);
await server.end('SIGKILL');

// The tests' own servers leave nothing behind.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

const FILE = `
  import { folder, start } from ${JSON.stringify(new URL('server.js', import.meta.url).href)};
  console.log((await start(folder())).url);
  setInterval(() => {}, 1000);
`;

test('a file that is cancelled takes its server along', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', FILE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const url = String(line).trim();
  assert((await fetch(url)).ok, 'the server is there');
  child.kill('SIGTERM');
  await once(child, 'exit');
  // It is killed, and the system may take a moment to close its socket.
  while (await fetch(url).then(() => true, () => false)) await new Promise((resolve) => setTimeout(resolve, 20));
});

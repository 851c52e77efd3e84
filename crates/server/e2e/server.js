// A server of our own for a test: started on a free port, ended by its process.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = process.env.KINGME ?? new URL('../../../target/debug/kingme', import.meta.url).pathname;

/** What is to be done at the end. @type {(() => void)[]} */
const ends = [];
process.on('exit', () => ends.forEach((end) => end()));
// A file that is cancelled is told so by a signal, which alone would end it without the above.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** A folder that is gone at the end. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'kingme-e2e-'));
  ends.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/**
 * Runs the program with other arguments, until it ends or is ended.
 * @param {string[]} args
 */
export function run(args) {
  const child = spawn(PROGRAM, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  ends.push(() => child.kill('SIGKILL'));
  return child;
}

/**
 * Starts a server; resolves once it says where it is.
 * @param {string} data
 * @param {number} [port]
 * @param {string[]} [more] arguments
 */
export async function start(data, port = 20000 + Math.floor(Math.random() * 20000), more = []) {
  const child = spawn(PROGRAM, ['serve', '--no-open', '--listen', `127.0.0.1:${port}`, '--data', data, ...more], { stdio: ['ignore', 'pipe', 'inherit'], env: { RUST_LOG: 'warn', ...process.env } });
  ends.push(() => child.kill('SIGKILL'));
  let text = '';
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /http:\/\/[\d.:]+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return {
    url: /** @type {string} */ (url),
    /** The link to a person's seat in a league, once it is printed. @param {string} name */
    seat: async (name) => {
      for (;;) {
        const link = new RegExp(`^${name}'s seat: (\\S+)$`, 'm').exec(text)?.[1];
        if (link) return link;
        await new Promise((resolve) => child.stdout.once('data', resolve));
      }
    },
    /** @param {NodeJS.Signals} signal */
    end: (signal = 'SIGTERM') => new Promise((resolve) => {
      child.removeAllListeners('exit');
      child.on('exit', resolve);
      // It may have ended before.
      if (!child.kill(signal)) resolve(null);
    }),
  };
}

// An answer that goes on: line by line of JSON, until one has had enough.

import { ApiError, bring } from './api.js';

/**
 * The lines of an answer as they come. Whoever aborts the signal hangs up.
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<any>}
 */
export async function* linesOf(path, body, signal) {
  const response = await bring(fetch(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' }, signal }));
  if (!response.ok || !response.body) throw new ApiError(response.status, await bring(response.json()));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await bring(reader.read());
    const lines = (rest + (value ?? '')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line) yield JSON.parse(line);
    if (done) return;
  }
}

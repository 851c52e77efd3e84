// Talking to the server: requests that fail with the server's reason, and sockets that come back.

import { saying, t } from './texts.js';

/** An answer that is not a success; its status is 0 if there was none. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {{ code?: string, message?: string, said?: import('./texts.js').Said, faults?: import('./types.js').Fault[] }} body
   */
  constructor(status, body) {
    super(saying(body.said, body.message ?? `error ${status}`));
    this.status = status;
    this.code = body.code ?? '';
    /** The key of what the server said. */
    this.said = body.said?.key ?? '';
    this.faults = body.faults ?? [];
  }
}

/**
 * What comes from the server, parts of our own pages included; if it can't be reached, that is the error.
 * @template T
 * @param {Promise<T>} coming
 */
export function bring(coming) {
  return coming.catch(() => { throw new ApiError(0, { message: t('error_offline') }); });
}

/** Longer than the server takes for anything. */
const PATIENCE_MS = 40_000;

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 */
async function request(method, path, body) {
  const options = body === undefined ? { method }
    : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await bring(fetch(path, { ...options, signal: AbortSignal.timeout(PATIENCE_MS) }));
  const isJson = response.headers.get('content-type')?.includes('json');
  const answer = await bring(isJson ? response.json() : response.text());
  if (!response.ok) throw new ApiError(response.status, isJson ? answer : { message: answer });
  return answer;
}

/** @param {string} path */
export const get = (path) => request('GET', path);
/** @param {string} path @param {unknown} [body] */
export const post = (path, body = {}) => request('POST', path, body);
/** @param {string} path */
export const remove = (path) => request('DELETE', path);

/** After so long without a word a page asks whether anybody is there, and waits as long for an answer. */
const QUIET_MS = 2000;
/** The longest wait before the next try to connect. */
const LONGEST_WAIT_MS = 2000;

/**
 * Listens to a socket and comes back when it breaks or falls silent; the server then sends
 * everything again.
 * @param {string} path
 * @param {{ message: (data: any) => void, online: (online: boolean) => void }} on
 * @returns {{ close: () => void, renew: () => void }}
 */
export function listen(path, on) {
  let wait = 250;
  let closed = false;
  /** @type {WebSocket} */
  let socket;
  /** Until somebody should have been heard. */
  let silence = 0;
  const expect = (/** @type {() => void} */ otherwise, /** @type {number} */ ms) => {
    clearTimeout(silence);
    silence = setTimeout(otherwise, ms);
  };
  /** Only changes are news. */
  let online = true;
  const tell = (/** @type {boolean} */ now) => {
    if (now !== online) on.online(now);
    online = now;
  };
  const lose = () => {
    clearTimeout(silence);
    // One that never answers would take its time to close.
    socket.onclose = socket.onmessage = null;
    socket.close();
    if (closed) return;
    tell(false);
    setTimeout(open, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  };
  const ask = () => {
    if (socket.readyState === WebSocket.OPEN) socket.send('?');
    expect(lose, QUIET_MS);
  };
  const open = () => {
    if (closed) return;
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    socket = new WebSocket(`${scheme}//${location.host}${path}`);
    expect(lose, 2 * QUIET_MS);
    socket.onmessage = (event) => {
      wait = 250;
      expect(ask, QUIET_MS);
      tell(true);
      const data = JSON.parse(event.data);
      if (data !== null) on.message(data);
    };
    socket.onclose = lose;
  };
  open();
  return {
    close: () => { closed = true; lose(); },
    renew: lose,
  };
}

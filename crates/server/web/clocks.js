// Clocks between two messages: the server's figures, less the time since.

/**
 * @param {import('./types.js').Clocks | null} clock
 * @param {number} since milliseconds since it was told
 */
export function clocksNow(clock, since) {
  const left = (/** @type {'white' | 'black'} */ side) => Math.max(0, (clock?.[side] ?? 0) - (clock?.running === side ? since : 0));
  return { white: left('white'), black: left('black') };
}

/** @param {number} ms */
export function clockText(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

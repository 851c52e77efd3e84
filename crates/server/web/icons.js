// Small pictures for buttons, drawn as lines in the colour of the text.

import { svg } from './dom.js';

const PATHS = {
  account: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4 21c0-4 4-6 8-6s8 2 8 6',
  analyse: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm5 12 5 5M8 11h6M11 8v6',
  close: 'M6 6l12 12M18 6 6 18',
  cut: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  copy: 'M9 9h11v11H9ZM5 15H4V4h11v1',
  download: 'M12 4v11m0 0-4-4m4 4 4-4M4 20h16',
  draw: 'M5 9h14M5 15h14',
  evaluate: 'M4 20V11m5 9V4m5 16v-6m5 6V8M2 20h20',
  first: 'M18 6l-6 6 6 6M11 6l-6 6 6 6',
  flip: 'M7 4v15m0 0-3-3m3 3 3-3M17 20V5m0 0-3 3m3-3 3 3',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.7 1 1.5 1 2.5h6c0-1 .2-1.8 1-2.5A6 6 0 0 0 12 3Z',
  import: 'M12 15V4m0 0L8 8m4-4 4 4M4 15v5h16v-5',
  latest: 'M6 6l6 6-6 6M13 6l6 6-6 6',
  new_game: 'M12 5v14M5 12h14',
  next: 'M9 6l6 6-6 6',
  play: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 4.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9Z',
  previous: 'M15 6l-6 6 6 6',
  promote: 'M12 20V5m0 0-5 5m5-5 5 5',
  rematch: 'M4 11a8 8 0 0 1 14-4l2 2m0-5v5h-5M20 13a8 8 0 0 1-14 4l-2-2m0 5v-5h5',
  resign: 'M5 21V4h12l-2.5 4L17 12H5',
  rules: 'M12 6c-2-1.5-5-2-8-2v14c3 0 6 .5 8 2 2-1.5 5-2 8-2V4c-3 0-6 .5-8 2Zm0 0v14',
  settings: 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Zm0-6v3m0 12v3M3 12h3m12 0h3M5.6 5.6l2.2 2.2m8.4 8.4 2.2 2.2M5.6 18.4l2.2-2.2m8.4-8.4 2.2-2.2',
  setup: 'M4 4h16v16H4Zm0 8h16M12 4v16',
  take_back: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  variants: 'M4 7h9m5 0h2M4 17h2m5 0h9M15.5 5v4M8.5 15v4',
  watch: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12Zm10-3a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z',
};

/** @typedef {keyof typeof PATHS} Icon */

/** @param {Icon} name */
export function icon(name) {
  return svg('svg', { class: 'sign', viewBox: '0 0 24 24', 'aria-hidden': true }, svg('path', { d: PATHS[name] }));
}

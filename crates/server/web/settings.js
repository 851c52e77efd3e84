// What a person prefers, kept in this browser.

const DEFAULTS = {
  theme: 'auto', // of the board: auto is the game's own
  pieces: 'auto', // their looks: auto is the board's own
  mode: 'auto', // light, dark, or as the system has it
  glide: true,
  speed: 'usual', // of the glide
  explode: false,
  sounds: false,
  dots: true,
  marks: true, // pieces that must capture
  hold: true, // the only piece that can capture is selected
  autoplay: false, // the only possible turn is played by itself
  quick: true, // one click on the end of a unique capture
  names: true, // of squares, at the edge
  premove: true, // a move can be chosen in the opponent's turn
  confirm: false, // a move is asked about before it is sent
};

/** @typedef {typeof DEFAULTS} Settings */

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...stored() };

function stored() {
  try {
    return JSON.parse(localStorage.getItem('settings') ?? '{}');
  } catch {
    return {};
  }
}

/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {() => void} listener */
export function onSettings(listener) {
  listeners.add(listener);
}

/**
 * @template {keyof Settings} K
 * @param {K} name
 * @param {Settings[K]} value
 */
export function change(name, value) {
  settings[name] = value;
  localStorage.setItem('settings', JSON.stringify(settings));
  apply();
  for (const listener of listeners) listener();
}

function apply() {
  document.documentElement.dataset.mode = settings.mode;
  document.documentElement.dataset.pieces = settings.pieces;
}

apply();

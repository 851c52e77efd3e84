// The keys of a variant file that the editor has forms for: all of docs/VARIANTS.md.

/**
 * How a key is filled in: a text, a number between two, one of several words, any of several words
 * in an order, directions, kinds of pieces, yes or no, sizes of boards.
 * @typedef {{ key: string, as: 'text' } | { key: string, as: 'number', from: number, to: number }
 *   | { key: string, as: 'one', of: string[] } | { key: string, as: 'ordered', of: string[] }
 *   | { key: string, as: 'directions' } | { key: string, as: 'kinds' } | { key: string, as: 'kind' }
 *   | { key: string, as: 'yes' } | { key: string, as: 'sizes' }} Field
 */

const text = (/** @type {string} */ key) => /** @type {Field} */ ({ key, as: 'text' });
const number = (/** @type {string} */ key, /** @type {number} */ from, /** @type {number} */ to) => /** @type {Field} */ ({ key, as: 'number', from, to });
const one = (/** @type {string} */ key, /** @type {string[]} */ ...of) => /** @type {Field} */ ({ key, as: 'one', of });
const other = (/** @type {string} */ key, /** @type {'directions' | 'kinds' | 'kind' | 'yes' | 'sizes'} */ as) => /** @type {Field} */ ({ key, as });

/** The keys outside all tables. */
export const TOP = [text('title'), text('name'), text('summary'), text('sources')];

/** The tables, in the order of the form. @type {[string, Field[]][]} */
export const TABLES = [
  ['board', [number('columns', 2, 26), number('rows', 2, 26), one('squares', 'odd', 'even', 'all'), other('sizes', 'sizes')]],
  ['sides', [text('white'), text('black'), text('letters'), one('first', 'white', 'black'), one('top', 'white', 'black')]],
  ['start', [number('gap', 0, 26), number('offset', 0, 26)]],
  ['capture', [one('obligation', 'must', 'may'),
    { key: 'priority', as: 'ordered', of: ['most-pieces', 'by-king', 'most-kings', 'kings-first', 'most-value'] },
    one('chain', 'must', 'may'), one('removal', 'after', 'at-once'), other('turn_back', 'yes')]],
  ['promotion', [one('squares', 'last-row', 'edge'), one('in_capture', 'ends', 'goes-on-as-man', 'goes-on-as-king')]],
  ['end', [one('stuck', 'loses', 'wins', 'most-pieces'), other('king_wins', 'yes')]],
  ['draws', [number('repetition', 0, 100)]],
  ['notation', [one('squares', 'numbers', 'letters', 'capitals', 'row-column'), one('corner', 'top-left', 'top-right', 'bottom-left', 'bottom-right'),
    number('game_type', 0, 999), one('results', '2-0', '1-0')]],
  ['screen', [one('theme', 'wood', 'checkers', 'draughts', 'league', 'paper', 'night'), one('dialogue', 'moves', 'from-to', 'from', 'turns'), one('text_board', 'plain', 'grid', 'console')]],
];

/** The keys of each kind of piece. */
export const PIECE = [
  text('letters'), text('fen'), other('moves', 'directions'), one('range', 'step', 'slide', 'leap', 'anywhere'),
  other('captures', 'directions'), one('capture_by', 'jump', 'replacement'), one('reach', 'short', 'long', 'anywhere'), one('landing', 'next', 'any', 'next-after-king'),
  other('takes', 'kinds'), other('becomes', 'kind'), number('quiet_limit', 0, 100),
];

/** The keys of a counter. */
export const COUNTER = [number('plies', 0, 1000), /** @type {Field} */ ({ key: 'restart', as: 'ordered', of: ['capture', 'promotion', 'man-move'] }), one('result', 'draw', 'most-pieces')];

/** Directions as a compass shows them, forward on top. */
export const COMPASS = [
  ['forward-left', '↖'], ['forward', '↑'], ['forward-right', '↗'],
  ['left', '←'], ['', ''], ['right', '→'],
  ['backward-left', '↙'], ['backward', '↓'], ['backward-right', '↘'],
];

const GROUPS = /** @type {[string, string[]][]} */ ([
  ['all', COMPASS.map(([name]) => name).filter(Boolean)],
  ['diagonal', ['forward-left', 'forward-right', 'backward-left', 'backward-right']],
  ['orthogonal', ['forward', 'left', 'right', 'backward']],
  ['forward-diagonal', ['forward-left', 'forward-right']],
]);

/** Single directions, groups opened. @param {string[]} names */
export function single(names) {
  return new Set(names.flatMap((name) => GROUPS.find(([group]) => group === name)?.[1] ?? [name]));
}

/** Directions as a file would say them: a group where one fits. @param {Set<string>} set */
export function grouped(set) {
  const group = GROUPS.find(([, names]) => names.length === set.size && names.every((name) => set.has(name)));
  return group ? [group[0]] : [...set];
}

// Commands for those who play by text: what is where, and how much time is left.

import { clockText } from './clocks.js';
import { t, word } from './texts.js';

/**
 * The answer to a command; nothing if the text is none.
 * @param {string} text
 * @param {import('./types.js').Whole} whole
 * @param {import('./board/board.js').KingBoard} board
 * @param {{ white: number, black: number }} clocks
 */
export function answer(text, whole, board, clocks) {
  const [command, argument] = text.toLowerCase().split(/\s+/);
  if (command === 'clocks') return sayClocks(whole, clocks);
  if (command === 'last') return t('last_was', { move: whole.history.at(-1)?.text ?? t('none') });
  if (command === 'pieces') return sayPieces(whole);
  if (command === 'row') return sayRow(whole, board, Number(argument));
  return '';
}

/** @param {import('./types.js').Whole} whole @param {{ white: number, black: number }} clocks */
function sayClocks({ game, variant }, clocks) {
  if (!game.clock) return t('no_clocks');
  const [white, black] = variant.sides.map(({ name }) => word(name));
  return t('clocks_are', { white, black, whiteTime: clockText(clocks.white), blackTime: clockText(clocks.black) });
}

/** @param {import('./types.js').Whole} whole */
function sayPieces({ game, variant }) {
  return variant.sides.map(({ name }, side) => {
    const squares = variant.kinds.flatMap((kind) => [...game.board]
      .map((letter, square) => (letter === kind.letters[side] ? `${kind === variant.kinds[0] ? '' : `${word(kind.name)} `}${variant.squares[square]}` : ''))
      .filter(Boolean));
    return t('pieces_are', { side: word(name), squares: squares.join(', ') || t('none') });
  }).join(' ');
}

/** @param {import('./types.js').Whole} whole @param {import('./board/board.js').KingBoard} board @param {number} row */
function sayRow({ variant }, board, row) {
  const line = variant.grid[row - 1];
  if (!line) return t('row_is', { row: String(row), squares: t('none') });
  const before = variant.grid.slice(0, row - 1).join('').replace(/[_#]/g, '').length;
  const count = line.replace(/[_#]/g, '').length;
  const squares = Array.from({ length: count }, (_, index) => `${variant.squares[before + index]} ${board.describe(before + index)}`);
  return t('row_is', { row: String(row), squares: squares.join(', ') });
}

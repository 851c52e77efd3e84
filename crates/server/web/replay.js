// Positions of a game from its start and its moves. No rules: a move says what it does.

/** @typedef {import('./types.js').Move} Move */

/**
 * The board after a move.
 * @param {string} board
 * @param {Move} move
 */
export function after(board, move) {
  const letters = [...board];
  const from = move.path[0];
  const to = move.path[move.path.length - 1];
  const piece = move.becomes ?? letters[from];
  letters[from] = '.';
  for (const square of move.captured ?? []) letters[square] = '.';
  letters[to] = piece;
  if (move.huffed !== undefined) letters[move.huffed] = '.';
  return letters.join('');
}

/**
 * The board after some moves.
 * @param {string} start
 * @param {Move[]} moves
 */
export function replay(start, moves) {
  return moves.reduce(after, start);
}

// What a game was like: how much each move cost, by the chances that the engine or the endgame
// tables give before and after it. docs/ENGINE.md says why it is counted so.

/**
 * @typedef {import('./types.js').Side} Side
 * @typedef {import('./types.js').Move} Move
 * @typedef {import('./types.js').Verdict} Verdict
 * @typedef {'inaccuracy' | 'mistake' | 'blunder'} Kind
 *
 * What is known of a position: White's chance and score, how many moves there were, the best line,
 * and what the endgame tables say.
 * @typedef {{ chance: number, score: number, wins?: number, choices: number, best: Move[], known: Verdict | null }} Point
 *
 * What is said of a move: its ply from 1, how much of the mover's chance it cost, and what would
 * have been better.
 * @typedef {{ ply: number, side: Side, text: string, cost: number, only: boolean, kind: Kind | null, better: Move[] }} Judged
 *
 * What the tables know: who would have won up to a move, and who after it.
 * @typedef {{ ply: number, before: Side | null, after: Side | null }} Fact
 */

/** What a move costs at least to be called so. @type {[Kind, number][]} */
const KINDS = [['blunder', 0.15], ['mistake', 0.1], ['inaccuracy', 0.05]];
/** How quickly accuracy falls with what a move costs. */
const STRICTNESS = 4.5;

/**
 * Judges every move of a game.
 * @param {Point[]} points of each position, the start included
 * @param {string[]} texts the moves as they are written
 * @param {Side} first who makes the first of them
 * @returns {Judged[]}
 */
export function judge(points, texts, first) {
  return texts.map((text, index) => {
    const side = (index % 2 === 0) === (first === 'white') ? 'white' : 'black';
    const [before, after] = [points[index], points[index + 1]];
    const only = before.choices < 2;
    const cost = only ? 0 : costOf(before, after, text, side);
    const kind = KINDS.find(([, least]) => cost >= least)?.[0] ?? null;
    return { ply: index + 1, side, text, cost, only, kind, better: kind ? before.best : [] };
  });
}

/** @param {Point} before @param {Point} after @param {string} text @param {Side} side */
function costOf(before, after, text, side) {
  const known = before.known && after.known;
  // The engine's own choice costs nothing, whatever a deeper look says of it.
  if (!known && before.best[0]?.text === text) return 0;
  const chance = (/** @type {Point} */ point) => (side === 'white' ? chanceOf(point) : 1 - chanceOf(point));
  return Math.max(0, chance(before) - chance(after));
}

/** White's chance; where the tables know it there is nothing to guess. @param {Point} point */
export function chanceOf({ chance, known }) {
  if (!known) return chance;
  return known.winner === 'white' ? 1 : known.winner === 'black' ? 0 : 0.5;
}

/**
 * How well a side has played, in per cent: the mean over its moves. Only moves are nobody's merit.
 * `null` if it had no choice at all.
 * @param {Judged[]} moves
 * @param {Side} side
 */
export function accuracy(moves, side) {
  const own = moves.filter((move) => move.side === side && !move.only);
  if (!own.length) return null;
  const sum = own.reduce((total, { cost }) => total + Math.exp(-STRICTNESS * cost), 0);
  return Math.round((100 * sum) / own.length);
}

/**
 * What the endgame tables know of the course: every move that changed who wins, or else what it was
 * from the first position that they know.
 * @param {Point[]} points
 * @returns {Fact[]}
 */
export function facts(points) {
  const begins = points.findIndex(({ known }) => known);
  if (begins < 0) return [];
  const changes = points.flatMap(({ known }, ply) => {
    const before = points[ply - 1]?.known;
    return known && before && before.winner !== known.winner ? [{ ply, before: before.winner, after: known.winner }] : [];
  });
  const winner = points[begins].known?.winner ?? null;
  return changes.length ? changes : [{ ply: begins, before: winner, after: winner }];
}

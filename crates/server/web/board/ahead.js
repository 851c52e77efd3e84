// A move that is chosen in the opponent's turn. It can't be judged yet, so only where it begins and
// ends is kept; `fulfil` finds the move that is meant once there are moves to choose from.

/**
 * @typedef {import('../types.js').Move} Move
 * @typedef {{ from: number, to: number }} Plan
 */

export class Ahead {
  /**
   * @param {'white' | 'black'} side whose moves are chosen
   * @param {Plan | null} plan what was chosen before
   * @param {number | null} from a piece that was chosen, without a square to go to
   */
  constructor(side, plan, from) {
    this.side = side;
    this.plan = plan;
    this.from = plan ? null : from;
  }

  /** The squares that it is about. */
  get squares() {
    return this.plan ? [this.plan.from, this.plan.to] : this.from === null ? [] : [this.from];
  }

  /** Forgets everything. */
  cancel() {
    this.plan = null;
    this.from = null;
  }

  /**
   * Chooses a square; whatever is pressed after a plan takes it back.
   * @param {number} square
   * @param {boolean} own whether a piece of one's own stands there
   * @returns whether that means anything
   */
  pick(square, own) {
    const { plan, from } = this;
    this.cancel();
    if (own && square !== from && square !== plan?.from) this.from = square;
    else if (from !== null && square !== from) this.plan = { from, to: square };
    return own || plan !== null || from !== null;
  }

  /** Takes a piece up. @param {number} square */
  lift(square) {
    this.plan = null;
    this.from = square;
  }

  /** Puts it down, also where a piece of one's own stands now: it may be taken by then. @param {number} square */
  drop(square) {
    const { from } = this;
    this.cancel();
    if (from !== null) this.plan = { from, to: square };
  }
}

/**
 * The move that a plan means: the largest of those that begin and end so, or else the only one that
 * begins so and comes by.
 * @param {Plan} plan
 * @param {Move[]} legal
 * @returns {Move | null}
 */
export function fulfil({ from, to }, legal) {
  const begun = legal.filter((move) => move.path[0] === from);
  const ending = begun.filter((move) => move.path.at(-1) === to);
  if (ending.length) return ending.reduce((best, move) => (size(move) > size(best) ? move : best));
  const passing = begun.filter((move) => move.path.includes(to, 1));
  return passing.length === 1 ? passing[0] : null;
}

/** @param {Move} move */
const size = (move) => move.captured?.length ?? 0;

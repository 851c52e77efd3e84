// Choosing a move square by square, out of a list. This knows no rules: only which paths there are.

/** @typedef {import('../types.js').Move} Move */

/**
 * @typedef {{ type: 'none' }
 *   | { type: 'changed' }
 *   | { type: 'play', move: Move }
 *   | { type: 'refused', squares: number[] }} Answer
 */

export class Choice {
  /**
   * @param {Move[]} legal
   * @param {{ hold: boolean, quick: boolean }} options
   */
  constructor(legal, options) {
    this.legal = legal;
    this.options = options;
    /** @type {number[]} the squares chosen so far */
    this.path = [];
    this.held = false;
    this.#hold();
  }

  /** The only piece that can capture is selected, and stays so. */
  #hold() {
    const froms = new Set(this.legal.map((move) => move.path[0]));
    this.held = this.options.hold && this.due.length > 0 && froms.size === 1;
    if (this.held) this.path = [...froms];
  }

  /** Where the piece stands that is being moved. */
  get current() {
    return this.path.at(-1) ?? null;
  }

  /** Moves that begin as chosen so far. */
  get open() {
    return this.legal.filter((move) => startsWith(move.path, this.path));
  }

  /** Squares that a next step can lead to. */
  get targets() {
    if (!this.path.length) return [];
    const next = this.open.map((move) => move.path[this.path.length]);
    return [...new Set(next)].filter((square) => square !== undefined);
  }

  /** Squares where a move that began so can end. */
  get ends() {
    return this.path.length ? [...new Set(this.open.map((move) => move.path.at(-1)))] : [];
  }

  /** Squares of pieces that can move. */
  get movable() {
    return [...new Set(this.legal.map((move) => move.path[0]))];
  }

  /** Squares of pieces one has to capture with, or lose one of them. */
  get due() {
    const owed = this.legal.every((move) => move.captured?.length || move.huffed !== undefined);
    return owed ? [...new Set(this.legal.filter((move) => move.captured?.length).map((move) => move.path[0]))] : [];
  }

  /** Whether there is something to capture. */
  get captures() {
    return this.legal.some((move) => move.captured?.length);
  }

  /** What the chain has captured so far. */
  get captured() {
    const steps = this.path.length - 1;
    const move = this.open[0];
    if (steps < 1 || !move?.captured || move.captured.length !== move.path.length - 1) return [];
    return move.captured.slice(0, steps);
  }

  /** The move that ends here, if the chain may stop. */
  get stop() {
    return this.open.find((move) => move.path.length === this.path.length) ?? null;
  }

  /** Forgets what was chosen. */
  cancel() {
    this.path = [];
    this.#hold();
  }

  /**
   * Chooses a square.
   * @param {number} square
   * @param {boolean} own whether a piece of the same side stands there
   * @returns {Answer}
   */
  pick(square, own = false) {
    return this.path.length ? this.#goOn(square, own) : this.#begin(square);
  }

  /** @param {number} square @returns {Answer} */
  #begin(square) {
    if (this.movable.includes(square)) {
      this.path = [square];
      return { type: 'changed' };
    }
    const ending = this.legal.filter((move) => move.path.at(-1) === square);
    if (this.options.quick && this.captures && ending.length === 1) {
      return { type: 'play', move: ending[0] };
    }
    return { type: 'refused', squares: [square, square] };
  }

  /** @param {number} square @param {boolean} own @returns {Answer} */
  #goOn(square, own) {
    if (square === this.current) return this.#again();
    const prefixes = this.#prefixes(square);
    if (prefixes.length === 1) return this.#extend(prefixes[0]);
    const ending = this.open.filter((move) => move.path.at(-1) === square);
    if (ending.length === 1) return { type: 'play', move: ending[0] };
    const next = prefixes.find((path) => path.length === this.path.length + 1);
    if (next) return this.#extend(next);
    if (this.path.length === 1 && this.movable.includes(square)) {
      this.path = [square];
      return { type: 'changed' };
    }
    // Another piece of one's own was meant to be selected, not to be moved onto.
    if (own && this.path.length === 1) return { type: 'refused', squares: [square, square] };
    return { type: 'refused', squares: [...this.path, square] };
  }

  /** The square of the piece itself: put it down, or stop the chain here. @returns {Answer} */
  #again() {
    const move = this.stop;
    if (move && this.path.length > 1) return { type: 'play', move };
    if (this.held || this.path.length > 1) return { type: 'none' };
    this.path = [];
    return { type: 'changed' };
  }

  /** The different ways so far that end on a square. @param {number} square */
  #prefixes(square) {
    /** @type {Map<string, number[]>} */
    const found = new Map();
    for (const move of this.open) {
      const at = move.path.indexOf(square, this.path.length);
      if (at >= 0) found.set(move.path.slice(0, at + 1).join(), move.path.slice(0, at + 1));
    }
    return [...found.values()];
  }

  /** @param {number[]} path @returns {Answer} */
  #extend(path) {
    this.path = path;
    const open = this.open;
    if (open.length === 1 && open[0].path.length === path.length) {
      return { type: 'play', move: open[0] };
    }
    return { type: 'changed' };
  }
}

/**
 * @param {number[]} path
 * @param {number[]} start
 */
function startsWith(path, start) {
  return start.every((square, index) => path[index] === square);
}

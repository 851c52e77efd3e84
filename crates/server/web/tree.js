// A tree of moves: the first child goes on with the line, the others are variations.

/**
 * @typedef {import('./types.js').Move} Move
 * @typedef {import('./types.js').PaperMove} PaperMove
 * @typedef {{
 *   text: string, squares: string, before: string, comment: string, nags: number[],
 *   parent: Node | null, children: Node[],
 * }} Node
 */

export class Tree {
  constructor() {
    this.root = node(null, { text: '', squares: '' });
    this.current = this.root;
    /** How often the tree has changed; where one stands in it does not count. */
    this.changes = 0;
    /** @type {string[]} the names of the squares */
    this.names = [];
  }

  /** Plays a move here: the way there is already, or a new one. @param {Move} move */
  play(move) {
    this.current = this.#child(this.current, { text: move.text, squares: move.path.map((square) => this.names[square]).join('-') });
  }

  /** Goes on by squares: along the way there is already, or a new one that has no name yet. @param {string} squares */
  follow(squares) {
    this.current = this.#child(this.current, { text: squares, squares });
  }

  /** Gives the moves that lead here the texts that the game has for them. @param {Move[]} history */
  name(history) {
    this.line().forEach((at, ply) => { at.text = history[ply]?.text ?? at.text; });
    this.changes += 1;
  }

  back() {
    this.current = this.current.parent ?? this.root;
  }

  forward() {
    this.current = this.current.children[0] ?? this.current;
  }

  toStart() {
    this.current = this.root;
  }

  toEnd() {
    while (this.current.children.length) this.forward();
  }

  /** @param {Node | null} to */
  goTo(to) {
    this.current = to ?? this.root;
  }

  /** Says something about the move at hand. @param {{ comment?: string, nags?: number[] }} remarks */
  remark(remarks) {
    Object.assign(this.current, remarks);
    this.changes += 1;
  }

  /** Makes the line at hand the main line. */
  promote() {
    for (let at = this.current; at.parent; at = at.parent) {
      const { children } = at.parent;
      children.unshift(...children.splice(children.indexOf(at), 1));
    }
    this.changes += 1;
  }

  /** Whether the move at hand is one of the main line. */
  get onMainLine() {
    return this.line().every((at) => at.parent?.children[0] === at);
  }

  /** Forgets the move at hand and all that follows. */
  cut() {
    const gone = this.current;
    if (!gone.parent) return;
    this.current = gone.parent;
    this.current.children.splice(this.current.children.indexOf(gone), 1);
    this.changes += 1;
  }

  /** The moves that lead here. */
  line() {
    const nodes = [];
    for (let at = this.current; at.parent; at = at.parent) nodes.unshift(at);
    return nodes;
  }

  /** The moves of the main line. */
  main() {
    const nodes = [];
    for (let [next] = this.root.children; next; [next] = next.children) nodes.push(next);
    return nodes;
  }

  // ---- on paper ---------------------------------------------------------------------------------

  /** Takes in a line with its variations. @param {PaperMove[]} line @param {Node} [from] */
  read(line, from = this.root) {
    let at = from;
    for (const { variations = [], ...move } of line) {
      const next = this.#child(at, move);
      for (const other of variations) this.read(other, at);
      at = next;
    }
  }

  /** The line from a move on, with its variations. @param {Node} [from] @returns {PaperMove[]} */
  write(from = this.root) {
    const line = [];
    for (let at = from; at.children.length; [at] = at.children) {
      const [next, ...others] = at.children;
      line.push({ ...onPaper(next), variations: others.map((other) => [onPaper(other), ...this.write(other)]) });
    }
    return line;
  }

  /** The move after another: the one there is already, or a new one. @param {Node} parent @param {PaperMove} move */
  #child(parent, move) {
    const known = parent.children.find((child) => child.squares === move.squares);
    if (known) return known;
    const made = node(parent, move);
    parent.children.push(made);
    this.changes += 1;
    return made;
  }
}

/** @param {Node | null} parent @param {PaperMove} move @returns {Node} */
function node(parent, { text, squares, before = '', comment = '', nags = [] }) {
  return { text, squares, before, comment, nags, parent, children: [] };
}

/** @param {Node} of */
function onPaper({ text, squares, before, comment, nags }) {
  return { text, squares, before, comment, nags };
}

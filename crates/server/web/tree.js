// A tree of moves: the first child goes on with the line, the others are variations.

/**
 * @typedef {{ text: string, full: string, parent: Node | null, children: Node[] }} Node
 * @typedef {import('./types.js').Move} Move
 */

export class Tree {
  constructor() {
    /** @type {Node} */
    this.root = { text: '', full: '', parent: null, children: [] };
    this.current = this.root;
    /** @type {string[]} the names of the squares */
    this.names = [];
  }

  /** Plays a move here: the way there is already, or a new one. @param {Move} move */
  play(move) {
    const full = move.path.map((square) => this.names[square]).join('-');
    let node = this.current.children.find((child) => child.full === full);
    if (!node) {
      node = { text: move.text, full, parent: this.current, children: [] };
      this.current.children.push(node);
    }
    this.current = node;
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

  /** @param {Node | null} node */
  goTo(node) {
    this.current = node ?? this.root;
  }

  /** The moves that lead here. */
  line() {
    const nodes = [];
    for (let node = this.current; node.parent; node = node.parent) nodes.unshift(node);
    return nodes;
  }

  /** The moves of the main line. */
  main() {
    return this.root.children.length ? this.lineFrom(this.root.children[0]) : [];
  }

  /** A line from a move on. @param {Node} node */
  lineFrom(node) {
    const nodes = [node];
    for (let [next] = node.children; next; [next] = next.children) nodes.push(next);
    return nodes;
  }

  /** What else could have been played instead of a move of a line. @param {Node} node */
  others(node) {
    const siblings = node.parent?.children ?? [];
    return siblings[0] === node ? siblings.slice(1) : [];
  }
}

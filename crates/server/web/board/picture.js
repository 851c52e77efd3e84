// The drawing: squares, pieces, marks and arrows in SVG, in layers over each other. It shows what
// it is told.

import { svg } from '../dom.js';
import { drawPiece, put, travel, vanish } from './pieces.js';

/**
 * @typedef {import('../types.js').Card & { squares?: string[] }} Card
 * @typedef {import('../types.js').Move} Move
 * @typedef {import('./layout.js').Cell} Cell
 * @typedef {import('./layout.js').Layout} Layout
 * @typedef {{ from: number, to: number, kind?: string }} Arrow
 */

const LAYERS = /** @type {const} */ (['squares', 'marks', 'names', 'dots', 'pieces', 'arrows', 'cursor']);

export class Picture {
  #layers = /** @type {Record<typeof LAYERS[number], SVGGElement>} */ (Object.fromEntries(LAYERS.map((name) => [name, svg('g', { class: name })])));
  #pieces = /** @type {Map<number, SVGGElement>} */ (new Map());
  #board = '';

  /**
   * @param {Card} card
   * @param {Layout} layout
   * @param {{ plain: boolean, names: boolean }} detail `plain` pieces have fewer lines; `names` are written on the squares
   */
  constructor(card, layout, { plain, names }) {
    this.card = card;
    this.layout = layout;
    this.plain = plain;
    this.element = svg('svg', { viewBox: `0 0 ${layout.columns} ${layout.rows}`, 'aria-hidden': true, focusable: false },
      svg('defs', null, svg('marker', { id: 'king-head', viewBox: '0 0 4 4', refX: 2, refY: 2, markerWidth: 2.4, markerHeight: 2.4, orient: 'auto' },
        svg('path', { d: 'M0 0 L4 2 L0 4 Z' }))),
      ...Object.values(this.#layers));
    this.#drawSquares();
    if (names) this.#drawNames();
  }

  /** One outline for all squares of a kind: boards are many on some pages. */
  #drawSquares() {
    const outlines = /** @type {Record<string, string>} */ ({});
    // Where every square is played on, every other one is shaded.
    const full = !this.card.grid.some((line) => line.includes('_'));
    for (const cell of this.layout.cells) {
      const [x, y] = this.layout.place(cell);
      const hole = this.card.grid[cell.row]?.[cell.column] === '#';
      const shade = full && (cell.row + cell.column) % 2;
      const kind = cell.square === null ? (hole ? 'hole' : 'unused') : shade ? 'used shade' : 'used';
      outlines[kind] = `${outlines[kind] ?? ''}M${x} ${y}h1v1h-1z`;
    }
    this.#layers.squares.append(...Object.entries(outlines).map(([kind, d]) => svg('path', { class: `square ${kind}`, d })));
  }

  #drawNames() {
    this.layout.squares.forEach((cell, square) => {
      const [x, y] = this.layout.place(cell);
      const name = this.card.squares?.[square];
      if (name) this.#layers.names.append(svg('text', { class: 'name', x: x + 0.04, y: y + 0.17 }, name));
    });
  }

  // ---- pieces -----------------------------------------------------------------------------------

  /** Whether no piece was drawn yet. */
  get isEmpty() {
    return this.#pieces.size === 0;
  }

  /** Draws the pieces as they stand, at once; those that stand right are left alone. @param {string} board */
  settle(board) {
    this.#board = board;
    const kept = new Set();
    [...board].forEach((letter, square) => {
      let element = this.#pieces.get(square);
      if (letter === '.' || !this.layout.squares[square]) {
        this.#pieces.delete(square);
        return;
      }
      if (element?.dataset.letter !== letter) {
        element = drawPiece(this.card, letter, this.plain);
        this.#pieces.set(square, element);
        this.#layers.pieces.append(element);
      }
      put(element, this.layout.middle(square));
      kept.add(element);
    });
    for (const element of [...this.#layers.pieces.children]) {
      if (!kept.has(element) && !element.classList.contains('spark')) element.remove();
    }
  }

  /**
   * Shows a move as it happens; then the pieces stand as on the board after it.
   * @param {string} board
   * @param {Move} move
   * @param {number[]} way the squares that are left of it, the first is where the piece is now
   * @param {{ glide: boolean, speed: string, explode: boolean }} options
   */
  async fly(board, move, way, { glide, speed, explode }) {
    const [from] = move.path;
    const element = this.#pieces.get(from);
    if (!element) {
      this.settle(board);
      return;
    }
    this.#board = board;
    this.#pieces.delete(from);
    const removal = (move.captured ?? []).map((square) => {
      const victim = this.#pieces.get(square);
      this.#pieces.delete(square);
      return victim && vanish(victim, this.layout.middle(square), explode);
    });
    await travel(element, way.map((square) => this.layout.middle(square)), glide ? speed : null);
    if (move.huffed !== undefined && board === this.#board) await this.#huff(element, move.huffed, way, explode);
    // Crowned on landing, unless something else has happened since.
    if (board !== this.#board) return;
    this.settle(board);
    await Promise.allSettled(removal);
  }

  /** A piece goes that could have captured: the one that moved, or another. @param {SVGElement} moved @param {number} square @param {number[]} way @param {boolean} bang */
  async #huff(moved, square, way, bang) {
    const victim = square === way.at(-1) ? moved : this.#pieces.get(square);
    this.#pieces.delete(square);
    if (victim) await vanish(victim, this.layout.middle(square), bang);
  }

  /** In a chain the piece stands where it has come to, and what it has captured is pale. @param {number[]} path @param {number[]} captured */
  showChain(path, captured) {
    for (const [square, element] of this.#pieces) {
      element.classList.toggle('taken', captured.includes(square));
      element.classList.toggle('lifted', square === path[0]);
    }
    const end = path.at(-1);
    if (end !== undefined) this.carry(path[0], this.layout.middle(end));
  }

  /** Puts the piece of a square somewhere else on the screen. @param {number} square @param {[number, number]} place */
  carry(square, place) {
    const element = this.#pieces.get(square);
    if (element) put(element, place);
  }

  /** Puts the piece of a square over all others. @param {number} square */
  raise(square) {
    const element = this.#pieces.get(square);
    if (element) this.#layers.pieces.append(element);
  }

  // ---- marks ------------------------------------------------------------------------------------

  /** @param {[square: number, kind: string][]} marks */
  showMarks(marks) {
    this.#layers.marks.replaceChildren(...marks.map(([square, kind]) => {
      const [x, y] = this.layout.middle(square);
      return svg('rect', { class: `mark ${kind}`, x: x - 0.5, y: y - 0.5, width: 1, height: 1 });
    }));
  }

  /** @param {number[]} targets */
  showDots(targets) {
    this.#layers.dots.replaceChildren(...targets.map((square) => {
      const [cx, cy] = this.layout.middle(square);
      return this.#board[square] === '.'
        ? svg('circle', { class: 'dot', cx, cy, r: 0.14 })
        : svg('circle', { class: 'dot around', cx, cy, r: 0.44 });
    }));
  }

  /** @param {Arrow[]} arrows those that end where they begin are rings */
  showArrows(arrows) {
    this.#layers.arrows.replaceChildren(...arrows.map(({ from, to, kind = 'user' }) => {
      const [x1, y1] = this.layout.middle(from);
      const [x2, y2] = this.layout.middle(to);
      if (from === to) return svg('circle', { class: `ringmark ${kind}`, cx: x1, cy: y1, r: 0.44 });
      return svg('line', { class: `arrow ${kind}`, x1, y1, x2: x2 - (x2 - x1) * 0.06, y2: y2 - (y2 - y1) * 0.06, 'marker-end': 'url(#king-head)' });
    }));
  }

  /** @param {Cell | null} cell */
  showCursor(cell) {
    if (!cell) {
      this.#layers.cursor.replaceChildren();
      return;
    }
    const [x, y] = this.layout.place(cell);
    this.#layers.cursor.replaceChildren(svg('rect', { class: 'outline', x: x + 0.03, y: y + 0.03, width: 0.94, height: 0.94 }));
  }
}

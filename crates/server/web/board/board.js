// <king-board>: draws a position and lets a person choose among moves that it is given. It knows
// no rules. The drawing is SVG; over it lies a grid of cells for pointer, keyboard and screen reader.
//
// Events: `choose` {move}, `refuse` {squares}, `stop-possible` {possible}, `pick` {square, row, column} in edit mode.

import { h, set, svg } from '../dom.js';
import { t, word } from '../texts.js';
import { Choice } from './choice.js';
import { Layout } from './layout.js';
import { lookOf } from './looks.js';
import { drawPiece, pieceOf, put, travel, vanish } from './pieces.js';

/**
 * @typedef {import('../types.js').Card & { squares?: string[] }} Card
 * @typedef {import('../types.js').Move} Move
 * @typedef {import('../types.js').Side} Side
 * @typedef {import('./layout.js').Cell} Cell
 * @typedef {{ from: number, to: number, kind?: string }} Arrow
 */

const DRAG = 3; // pixels before a press becomes a drag
const KEYS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});

const DEFAULTS = {
  glide: true, explode: false, dots: true, marks: true, hold: true, quick: true, names: true,
};

export class KingBoard extends HTMLElement {
  /** @type {Card | null} */
  #card = null;
  #layout = new Layout(['_']);
  #board = '';
  #options = { ...DEFAULTS };
  #choice = new Choice([], DEFAULTS);
  #legal = /** @type {Move[]} */ ([]);
  #last = /** @type {number[]} */ ([]);
  #arrows = /** @type {Arrow[]} */ ([]);
  #drawn = /** @type {Arrow[]} */ ([]);
  #pieces = /** @type {Map<number, SVGGElement>} */ (new Map());
  #cells = /** @type {Map<Cell, HTMLElement>} */ (new Map());
  #cursor = /** @type {Cell | null} */ (null);
  #wish = 0;
  #press = /** @type {{ cell: Cell, x: number, y: number, id: number, drag: boolean, right: boolean } | null} */ (null);
  #flight = Promise.resolve();
  #layers = /** @type {Record<string, SVGGElement>} */ ({});
  #grid = h('div');
  /** Whether clicks report squares instead of choosing moves; `cells` are all, holes included. @type {boolean | 'cells'} */
  editing = false;
  /** Whether there is nothing to do here: a picture of a position. */
  still = false;
  /** Whether a picture is large enough for every line of a piece. */
  fine = false;

  /**
   * Shows a game's board. Everything else is forgotten.
   * @param {Card} card
   * @param {{ theme?: string, label?: string }} [look]
   */
  setup(card, look = {}) {
    const flipped = this.#layout.flipped;
    this.#card = card;
    this.#layout = new Layout(card.grid);
    this.#layout.flipped = flipped;
    this.theme = look.theme ?? card.theme;
    this.#board = card.grid.join('').replace(/[_#]/g, '');
    this.#build(look.label ?? card.title);
  }

  /** @param {string} theme */
  set theme(theme) {
    this.dataset.theme = theme;
  }

  /** @param {Partial<typeof DEFAULTS>} options */
  set options(options) {
    this.#options = { ...this.#options, ...options };
    set(this, 'data-names', this.#options.names);
  }

  get flipped() {
    return this.#layout.flipped;
  }

  set flipped(flipped) {
    if (flipped === this.#layout.flipped) return;
    this.#layout.flipped = flipped;
    if (this.#card) this.#build(this.#grid.getAttribute('aria-label') ?? '');
  }

  /**
   * Shows a position.
   * @param {{ board: string, legal?: Move[], last?: Move | null, arrived?: Move | null }} position
   *   `legal` are the moves to choose from, `last` is marked, `arrived` is shown as it happens
   */
  show({ board, legal = [], last = null, arrived = null }) {
    const shown = this.#choice.path;
    this.#legal = legal;
    this.#last = last?.path ?? [];
    this.#choice = new Choice(legal, this.#options);
    this.#drawn = [];
    this.#board = board;
    this.#flight = arrived && this.#pieces.size ? this.#fly(arrived, shown) : this.#settle();
    this.#paint();
    return this.#flight;
  }

  /** @param {Arrow[]} arrows */
  set arrows(arrows) {
    this.#arrows = arrows;
    this.#paintArrows();
  }

  /** The piece on a square, as words. @param {number} square */
  describe(square) {
    const piece = this.#card && pieceOf(this.#card, this.#board[square]);
    if (!this.#card || !piece) return t('empty');
    const side = this.#card.sides[piece.side === 'white' ? 0 : 1].name;
    return t('piece', { side: word(side).toLowerCase(), kind: word(this.#card.kinds[piece.kind].name) });
  }

  /** Ends a chain here, where that is allowed. */
  stop() {
    const move = this.#choice.stop;
    if (move) this.#play(move);
  }

  // ---- building -------------------------------------------------------------------------------

  /** @param {string} label */
  #build(label) {
    const { columns, rows } = this.#layout;
    this.style.setProperty('--columns', String(columns));
    this.style.setProperty('--rows', String(rows));
    set(this, 'data-names', this.#options.names);
    this.#layers = Object.fromEntries(['squares', 'marks', 'dots', 'pieces', 'arrows', 'cursor']
      .map((name) => [name, svg('g', { class: name })]));
    const picture = svg('svg', { viewBox: `0 0 ${columns} ${rows}`, 'aria-hidden': true, focusable: false },
      svg('defs', null, svg('marker', { id: 'king-head', viewBox: '0 0 4 4', refX: 2, refY: 2, markerWidth: 2.4, markerHeight: 2.4, orient: 'auto' },
        svg('path', { d: 'M0 0 L4 2 L0 4 Z' }))),
      ...Object.values(this.#layers));
    this.#drawSquares();
    this.#pieces.clear();
    this.#grid = this.#buildGrid(label);
    this.replaceChildren(picture, this.#grid);
    this.#settle();
    this.#paint();
  }

  /** One outline for all squares of a kind: boards are many on some pages. */
  #drawSquares() {
    const names = this.#card?.squares;
    const outlines = /** @type {Record<string, string>} */ ({ used: '', 'used shade': '', unused: '', hole: '' });
    // Where every square is played on, every other one is shaded.
    const full = !this.#card?.grid.some((line) => line.includes('_'));
    for (const cell of this.#layout.cells) {
      const [x, y] = this.#layout.place(cell);
      const used = cell.square !== null;
      const hole = this.#card?.grid[cell.row]?.[cell.column] === '#';
      outlines[used ? (full && (cell.row + cell.column) % 2 ? 'used shade' : 'used') : hole ? 'hole' : 'unused'] += `M${x} ${y}h1v1h-1z`;
      if (used && names && !this.still) {
        this.#layers.squares.append(svg('text', { class: 'name', x: x + 0.04, y: y + 0.17 }, names[/** @type {number} */ (cell.square)]));
      }
    }
    this.#layers.squares.prepend(...Object.entries(outlines).filter(([, d]) => d).map(([kind, d]) => svg('path', { class: `square ${kind}`, d })));
  }

  /** @param {string} label */
  #buildGrid(label) {
    this.#cells.clear();
    if (this.still) return h('div', { role: 'img', 'aria-label': label, class: 'picture' });
    const rows = Array.from({ length: this.#layout.rows }, () => h('div', { role: 'row' }));
    const ordered = [...this.#layout.cells].sort((a, b) => this.#order(a) - this.#order(b));
    for (const cell of ordered) {
      if (cell.square === null && !this.#everywhere) continue;
      const [x, y] = this.#layout.place(cell);
      const element = h('div', { role: 'gridcell', tabindex: -1, 'aria-colindex': x + 1, 'aria-selected': 'false', 'data-square': cell.square });
      element.style.gridColumn = String(x + 1);
      this.#cells.set(cell, element);
      rows[y].append(element);
    }
    rows.forEach((row, index) => row.setAttribute('aria-rowindex', String(index + 1)));
    const size = { 'aria-rowcount': this.#layout.rows, 'aria-colcount': this.#layout.columns };
    const grid = h('div', { role: 'grid', 'aria-label': label, ...size }, rows.filter((row) => row.childElementCount));
    this.#moveCursor(ordered.find((cell) => this.#cells.has(cell)) ?? null, false);
    this.#listen(grid);
    return grid;
  }

  /** Reading order on the screen. @param {Cell} cell */
  #order(cell) {
    const [x, y] = this.#layout.place(cell);
    return y * 100 + x;
  }

  get #everywhere() {
    return lookOf(this.dataset.theme).everywhere || this.editing === 'cells';
  }

  // ---- drawing --------------------------------------------------------------------------------

  /** Draws the pieces as they stand, at once; those that stand right are left alone. */
  async #settle() {
    if (!this.#card) return;
    const kept = new Set();
    [...this.#board].forEach((letter, square) => {
      let element = this.#pieces.get(square);
      if (letter === '.' || !this.#layout.squares[square]) {
        this.#pieces.delete(square);
        return;
      }
      if (element?.dataset.letter !== letter) {
        element = drawPiece(/** @type {Card} */ (this.#card), letter, this.still && !this.fine);
        this.#pieces.set(square, element);
        this.#layers.pieces.append(element);
      }
      put(element, this.#layout.middle(square));
      kept.add(element);
    });
    for (const element of [...this.#layers.pieces?.children ?? []]) {
      if (!kept.has(element) && !element.classList.contains('spark')) element.remove();
    }
  }

  /**
   * Shows a move as it happens, from wherever the piece was put while choosing.
   * @param {Move} move
   * @param {number[]} shown
   */
  async #fly(move, shown) {
    const from = move.path[0];
    const element = this.#pieces.get(from);
    if (!element) return this.#settle();
    const done = shown.length > 1 && shown.every((square, index) => move.path[index] === square) ? shown.length - 1 : 0;
    const rest = this.#dropped ? move.path.slice(-1) : move.path.slice(done);
    this.#dropped = false;
    this.#pieces.delete(from);
    const board = this.#board;
    const places = rest.map((square) => this.#layout.middle(square));
    const removal = (move.captured ?? []).map((square) => {
      const victim = this.#pieces.get(square);
      this.#pieces.delete(square);
      return victim && vanish(victim, this.#layout.middle(square), this.#options.explode);
    });
    await travel(element, places, this.#options.glide);
    // Crowned on landing.
    if (board !== this.#board) return undefined;
    this.#settle();
    await Promise.allSettled(removal);
    return undefined;
  }

  #dropped = false;

  /** Draws what is chosen, marked and possible. */
  #paint() {
    const choice = this.#choice;
    const marks = /** @type {SVGElement[]} */ ([]);
    const mark = (/** @type {number} */ square, /** @type {string} */ kind) => {
      const [x, y] = this.#layout.middle(square);
      marks.push(svg('rect', { class: `mark ${kind}`, x: x - 0.5, y: y - 0.5, width: 1, height: 1 }));
    };
    for (const square of this.#last) mark(square, 'last');
    if (this.#options.marks && choice.captures) for (const square of choice.movable) mark(square, 'must');
    if (choice.current !== null) mark(choice.current, 'selected');
    this.#layers.marks?.replaceChildren(...marks);
    this.#layers.dots?.replaceChildren(...(this.#options.dots ? this.#dots() : []));
    this.#paintChain();
    this.#paintArrows();
    this.#paintCells();
    this.dispatchEvent(new CustomEvent('stop-possible', { detail: { possible: choice.path.length > 1 && choice.stop !== null } }));
  }

  #dots() {
    return this.#choice.targets.map((square) => {
      const [cx, cy] = this.#layout.middle(square);
      return this.#board[square] === '.'
        ? svg('circle', { class: 'dot', cx, cy, r: 0.14 })
        : svg('circle', { class: 'dot around', cx, cy, r: 0.44 });
    });
  }

  /** In a chain the piece stands where it has come to, and what it has captured is pale. */
  #paintChain() {
    const { path, captured } = this.#choice;
    for (const [square, element] of this.#pieces) {
      element.classList.toggle('taken', captured.includes(square));
      element.classList.toggle('lifted', square === path[0]);
    }
    const element = path.length ? this.#pieces.get(path[0]) : undefined;
    if (element) put(element, this.#layout.middle(/** @type {number} */ (path.at(-1))));
  }

  #paintArrows() {
    const arrows = [...this.#arrows, ...this.#drawn].map(({ from, to, kind = 'user' }) => {
      const [x1, y1] = this.#layout.middle(from);
      const [x2, y2] = this.#layout.middle(to);
      if (from === to) return svg('circle', { class: `ringmark ${kind}`, cx: x1, cy: y1, r: 0.44 });
      return svg('line', { class: `arrow ${kind}`, x1, y1, x2: x2 - (x2 - x1) * 0.06, y2: y2 - (y2 - y1) * 0.06, 'marker-end': 'url(#king-head)' });
    });
    this.#layers.arrows?.replaceChildren(...arrows);
  }

  #paintCells() {
    const { movable, captures, targets, current } = this.#choice;
    for (const [cell, element] of this.#cells) {
      const { square } = cell;
      if (square === null) {
        label(element, t('unused'));
        continue;
      }
      const name = this.#card?.squares?.[square] ?? String(square + 1);
      const parts = [name, this.describe(square)];
      if (square === current) parts.push(t('selected'));
      else if (targets.includes(square)) parts.push(t('target'));
      else if (movable.includes(square)) parts.push(captures ? t('can_capture') : t('can_move'));
      label(element, parts.join(', '));
      if ((element.ariaSelected === 'true') !== (square === current)) element.setAttribute('aria-selected', String(square === current));
      element.classList.toggle('movable', movable.includes(square));
    }
    this.#paintCursor();
  }

  #paintCursor() {
    const over = this.still || this.hasAttribute('data-over');
    if (!this.#cursor || over) {
      this.#layers.cursor?.replaceChildren();
      return;
    }
    const [x, y] = this.#layout.place(this.#cursor);
    this.#layers.cursor?.replaceChildren(svg('rect', { class: 'outline', x: x + 0.03, y: y + 0.03, width: 0.94, height: 0.94 }));
  }

  // ---- pointer and keyboard -------------------------------------------------------------------

  /** @param {HTMLElement} grid */
  #listen(grid) {
    grid.addEventListener('pointerdown', (event) => this.#down(event));
    grid.addEventListener('pointermove', (event) => this.#moved(event));
    grid.addEventListener('pointerup', (event) => this.#up(event));
    grid.addEventListener('pointercancel', () => this.#letGo());
    grid.addEventListener('contextmenu', (event) => event.preventDefault());
    grid.addEventListener('keydown', (event) => this.#key(event));
    grid.addEventListener('focusin', (event) => {
      const cell = this.#cellOf(event.target);
      if (cell) this.#moveCursor(cell, false);
    });
  }

  /** @param {EventTarget | null} target */
  #cellOf(target) {
    for (const [cell, element] of this.#cells) if (element === target) return cell;
    return null;
  }

  /** The cell under a pointer. @param {PointerEvent} event */
  #under(event) {
    const { left, top, width, height } = this.#grid.getBoundingClientRect();
    const x = Math.floor(((event.clientX - left) / width) * this.#layout.columns);
    const y = Math.floor(((event.clientY - top) / height) * this.#layout.rows);
    return this.#layout.at(x, y) ?? null;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const cell = this.#under(event);
    if (!cell || event.button === 1) return;
    this.#press = { cell, x: event.clientX, y: event.clientY, id: event.pointerId, drag: false, right: event.button === 2 };
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const press = this.#press;
    if (!press || press.right || press.id !== event.pointerId) return;
    if (!press.drag) {
      const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG;
      if (!far || !this.#lift(press.cell.square)) return;
      press.drag = true;
      this.#grid.setPointerCapture(event.pointerId);
    }
    const element = this.#pieces.get(this.#choice.path[0]);
    const { left, top, width, height } = this.#grid.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * this.#layout.columns;
    const y = ((event.clientY - top) / height) * this.#layout.rows;
    if (element) put(element, [x, y]);
  }

  /** Takes a piece up to drag it, if it can be. @param {number | null} square */
  #lift(square) {
    if (square === null || this.editing) return false;
    if (square !== this.#choice.current) {
      if (this.#choice.path.length > 1 || !this.#choice.movable.includes(square)) return false;
      this.#choice.pick(square);
    }
    this.#paint();
    const element = this.#pieces.get(this.#choice.path[0]);
    element?.parentNode?.append(element);
    return true;
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    const cell = this.#under(event);
    this.#press = null;
    if (!press || !cell) return this.#paint();
    if (press.right) return this.#drawArrow(press.cell, cell);
    if (press.drag) return this.#drop(cell);
    // A tap whose finger slid into the next square is still a tap on the first.
    this.#moveCursor(press.cell, true);
    return this.#activate(press.cell);
  }

  #letGo() {
    this.#press = null;
    this.#paint();
  }

  /** @param {Cell} cell */
  #drop(cell) {
    const home = cell.square === this.#choice.current;
    if (home || cell.square === null) return this.#paint();
    this.#dropped = true;
    this.#moveCursor(cell, false);
    return this.#activate(cell);
  }

  /** @param {Cell} from @param {Cell} to */
  #drawArrow(from, to) {
    if (from.square === null || to.square === null) return;
    const same = (/** @type {Arrow} */ arrow) => arrow.from === from.square && arrow.to === to.square;
    if (this.#drawn.some(same)) this.#drawn = this.#drawn.filter((arrow) => !same(arrow));
    else this.#drawn.push({ from: from.square, to: to.square });
    this.#paintArrows();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.#cursor || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = KEYS[event.key];
    if (step) {
      const to = this.#layout.step(this.#cursor, step, this.#everywhere, this.#wish);
      const wish = this.#wish;
      this.#moveCursor(to, true);
      if (step[1] && !this.#everywhere) this.#wish = wish;
    } else if (event.key === 'Home' || event.key === 'End') {
      this.#toEdge(event.key === 'Home' ? -1 : 1);
    } else if (event.key === ' ' || event.key === 'Enter') {
      this.#activate(this.#cursor);
    } else if (event.key === 'Escape') {
      this.#choice.cancel();
      this.#paint();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** @param {number} direction */
  #toEdge(direction) {
    let cell = /** @type {Cell} */ (this.#cursor);
    for (let next = cell; ; cell = next) {
      next = this.#layout.step(cell, [direction, 0], this.#everywhere, this.#wish);
      if (next === cell) break;
    }
    this.#moveCursor(cell, true);
  }

  /** @param {Cell | null} cell @param {boolean} focus */
  #moveCursor(cell, focus) {
    if (!cell || !this.#cells.has(cell)) return;
    if (this.#cursor) this.#cells.get(this.#cursor)?.setAttribute('tabindex', '-1');
    this.#cursor = cell;
    [this.#wish] = this.#layout.place(cell);
    const element = this.#cells.get(cell);
    element?.setAttribute('tabindex', '0');
    if (focus && document.activeElement !== element) element?.focus({ preventScroll: true });
    this.#paintCursor();
  }

  // ---- choosing -------------------------------------------------------------------------------

  /** @param {Cell} cell */
  #activate(cell) {
    if (this.#drawn.length) {
      this.#drawn = [];
      this.#paintArrows();
    }
    if (this.editing === 'cells' || (this.editing && cell.square !== null)) return this.#tell('pick', { ...cell });
    if (cell.square === null) return this.#tell('refuse', { squares: [], unused: true });
    const answer = this.#choice.pick(cell.square, this.#isOwn(cell.square));
    if (answer.type === 'play') return this.#play(answer.move);
    this.#paint();
    if (answer.type === 'refused') {
      this.#dropped = false;
      this.#tell('refuse', { squares: answer.squares });
    } else if (answer.type === 'changed') {
      this.#tell('select', { square: this.#choice.current });
    }
    return undefined;
  }

  /** Whether a square has a piece of the side that is choosing. @param {number} square */
  #isOwn(square) {
    const side = (/** @type {number | undefined} */ at) => (at === undefined || !this.#card ? null : pieceOf(this.#card, this.#board[at])?.side);
    return !!side(square) && side(square) === side(this.#choice.movable[0]);
  }

  /** @param {Move} move */
  #play(move) {
    this.#choice = new Choice([], this.#options);
    this.#choice.path = this.#dropped ? move.path : [];
    const element = this.#pieces.get(move.path[0]);
    if (this.#dropped && element) put(element, this.#layout.middle(/** @type {number} */ (move.path.at(-1))));
    this.#choice.path = [];
    this.#layers.dots?.replaceChildren();
    this.#tell('choose', { move });
  }

  /** The server said no to a move that was chosen: everything as before. */
  restore() {
    this.#dropped = false;
    this.#choice = new Choice(this.#legal, this.#options);
    this.#settle();
    this.#paint();
  }

  /** @param {string} name @param {object} detail */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** Says what a cell is, if that is news. @param {HTMLElement} element @param {string} text */
function label(element, text) {
  if (element.ariaLabel !== text) element.setAttribute('aria-label', text);
}

customElements.define('king-board', KingBoard);

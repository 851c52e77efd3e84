// <king-board>: shows a position and lets a person choose among moves that it is given. It knows
// no rules. `picture.js` draws; over it lies the grid of `cells.js`, which `pointer.js` and
// `cursor.js` (the keyboard) work on; `choice.js` knows what is chosen so far.
//
// Events: `choose` {move}, `refuse` {squares}, `select` {square, jumps, mayStop}, in the opponent's
// turn `plan` {plan} (see `ahead.js`), and in edit mode `pick` {square, row, column}.

import { h, set } from '../dom.js';
import { t, word } from '../texts.js';
import { Ahead } from './ahead.js';
import { Cells } from './cells.js';
import { Choice } from './choice.js';
import { Cursor } from './cursor.js';
import { Layout } from './layout.js';
import { lookOf } from './looks.js';
import { Picture } from './picture.js';
import { pieceOf } from './pieces.js';
import { Pointer } from './pointer.js';

/**
 * @typedef {import('./picture.js').Card} Card
 * @typedef {import('./picture.js').Arrow} Arrow
 * @typedef {import('../types.js').Move} Move
 * @typedef {import('./layout.js').Cell} Cell
 * @typedef {import('./ahead.js').Plan} Plan
 */

const DEFAULTS = {
  glide: true, speed: 'usual', explode: false, dots: true, marks: true, hold: true, quick: true, names: true,
};

/** The most columns and rows of a board that is always seen as a whole. */
const MOST_WHOLE = 26;

export class KingBoard extends HTMLElement {
  #card = /** @type {Card | null} */ (null);
  #label = '';
  #layout = new Layout(['_']);
  #board = '';
  #options = { ...DEFAULTS };
  #legal = /** @type {Move[]} */ ([]);
  #choice = new Choice([], DEFAULTS);
  /** What is chosen in the opponent's turn, where that can be. */
  #ahead = /** @type {Ahead | null} */ (null);
  #last = /** @type {number[]} */ ([]);
  /** Arrows that the page wants, and those that the person has drawn. */
  #arrows = /** @type {Arrow[]} */ ([]);
  #drawn = /** @type {Arrow[]} */ ([]);
  #picture = /** @type {Picture | null} */ (null);
  #cells = /** @type {Cells | null} */ (null);
  #cursor = /** @type {Cursor | null} */ (null);
  /** Whether a piece was dragged to its place, so that it need not glide there. */
  #dropped = false;
  /** The selection that the page knows of. */
  #told = '';
  /** Whether clicks report squares instead of choosing moves; `cells` are all, holes included. @type {boolean | 'cells'} */
  editing = false;
  /** Whether the page has moves to go through by arrow keys, after a click on the board as well. */
  browsing = false;
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
    const { flipped } = this;
    this.#card = card;
    this.#label = look.label ?? card.title;
    this.#layout = new Layout(card.grid);
    this.#layout.flipped = flipped;
    this.theme = look.theme ?? card.theme;
    this.#board = card.grid.join('').replace(/[_#]/g, '');
    this.#build(card);
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
    if (this.#card) this.#build(this.#card);
  }

  /**
   * Shows a position.
   * @param {{ board: string, legal?: Move[], last?: Move | null, arrived?: Move | null, ahead?: { side: 'white' | 'black', plan: Plan | null } | null }} position
   *   `legal` are the moves to choose from, `last` is marked, `arrived` is shown as it happens;
   *   `ahead` lets a side choose in the other's turn
   */
  show({ board, legal = [], last = null, arrived = null, ahead = null }) {
    const shown = this.#choice.path;
    const early = this.#ahead?.from ?? null;
    set(this, 'data-busy', false);
    this.#legal = legal;
    this.#last = last?.path ?? [];
    this.#choice = new Choice(legal, this.#options);
    this.#ahead = ahead && new Ahead(ahead.side, ahead.plan, early);
    // A piece that was chosen too early is chosen now.
    if (!ahead && early !== null && this.#choice.movable.includes(early)) this.#choice.pick(early);
    this.#drawn = [];
    this.#board = board;
    if (arrived && !this.#picture?.isEmpty) this.#picture?.fly(board, arrived, this.#wayLeft(arrived, shown), this.#options);
    else this.#picture?.settle(board);
    this.#dropped = false;
    this.#paint();
    if (last) this.#bringIntoView(/** @type {number} */ (last.path.at(-1)));
  }

  /** @param {Arrow[]} arrows */
  set arrows(arrows) {
    this.#arrows = arrows;
    this.#paintArrows();
  }

  /** The piece on a square, as words. @param {number} square */
  describe(square) {
    const piece = this.#card && pieceOf(this.#card, this.#standing(square));
    if (!this.#card || !piece) return t('empty');
    const side = this.#card.sides[piece.side === 'white' ? 0 : 1].name;
    return t('piece', { side: word(side).toLowerCase(), kind: word(this.#card.kinds[piece.kind].name) });
  }

  /** The letter of what stands on a square, with the jumps that were made so far. @param {number} square */
  #standing(square) {
    const { path, captured } = this.#choice;
    if (path.length < 2) return this.#board[square];
    if (square === path.at(-1)) return this.#board[path[0]];
    return square === path[0] || captured.includes(square) ? '.' : this.#board[square];
  }

  /** Lets the keys move the cursor, as if somebody had come here with Tab. */
  takeKeys() {
    this.#cursor?.moveTo(this.#cursor.cell, true);
  }

  /** Takes back what was chosen in the opponent's turn; says whether there was anything. */
  cancelPlan() {
    if (!this.#ahead?.squares.length) return false;
    this.#ahead.cancel();
    this.#replan();
    return true;
  }

  /** Ends a chain here, where that is allowed. */
  stop() {
    const move = this.#choice.stop;
    if (move) this.#play(move);
  }

  /** The server said no to a move that was chosen: everything as before. */
  restore() {
    set(this, 'data-busy', false);
    this.#dropped = false;
    this.#told = '';
    this.#choice = new Choice(this.#legal, this.#options);
    this.#picture?.settle(this.#board);
    this.#paint();
  }

  // ---- building and painting ----------------------------------------------------------------------

  /** @param {Card} card */
  #build(card) {
    this.style.setProperty('--columns', String(this.#layout.columns));
    this.style.setProperty('--rows', String(this.#layout.rows));
    set(this, 'data-names', this.#options.names);
    set(this, 'data-large', !this.still && Math.max(this.#layout.columns, this.#layout.rows) > MOST_WHOLE);
    this.#picture = new Picture(card, this.#layout, { plain: this.still && !this.fine, names: !this.still });
    this.replaceChildren(this.#picture.element, this.still ? h('div', { role: 'img', 'aria-label': this.#label, class: 'picture' }) : this.#buildGrid());
    this.#picture.settle(this.#board);
    this.#paint();
    this.#bringIntoView(this.#last.at(-1) ?? Math.floor(this.#layout.squares.length / 2));
  }

  #buildGrid() {
    const everywhere = lookOf(this.dataset.theme).everywhere || this.editing === 'cells';
    const before = this.#cursor?.cell ?? null;
    const focused = this.contains(document.activeElement);
    const cells = new Cells(this.#layout, { label: this.#label, everywhere });
    const cursor = new Cursor(cells, everywhere, {
      move: () => this.#paintCursor(),
      pick: (cell) => this.#pick(cell),
      cancel: () => { if (!this.cancelPlan()) { this.#choice.cancel(); this.#paint(); } },
      yields: () => this.browsing && !this.editing,
    });
    new Pointer(cells, {
      tap: (cell) => { cursor.click(cell); this.#pick(cell); },
      lift: (cell) => this.#lift(cell),
      carry: (place) => this.#picture?.carry(this.#ahead?.from ?? this.#choice.path[0], place),
      drop: (cell) => this.#drop(cell),
      cancel: () => this.#paint(),
      draw: (from, to) => this.#drawArrow(from, to),
    });
    this.#cells = cells;
    this.#cursor = cursor;
    // A board that is turned keeps its cursor; one of another game begins at the start.
    const kept = before && cells.elementOf(before) ? before : null;
    cursor.moveTo(kept ?? cells.first, false);
    if (kept && focused) queueMicrotask(() => cursor.moveTo(kept, true));
    return cells.element;
  }

  /** Draws what is chosen, marked and possible. */
  #paint() {
    const { path, captured, current, captures, due, movable, targets } = this.#choice;
    const begun = path.length > 1;
    // In a chain only the way so far matters.
    const marks = /** @type {[number, string][]} */ ((begun ? path : this.#last).map((square) => [square, 'last']));
    if (this.#options.marks && !begun) for (const square of due) marks.push([square, 'must']);
    if (current !== null) marks.push([current, 'selected']);
    for (const square of this.#ahead?.squares ?? []) marks.push([square, 'ahead']);
    this.#picture?.showMarks(marks);
    this.#picture?.showDots(this.#options.dots ? targets : []);
    this.#picture?.showChain(path, captured);
    this.#paintArrows();
    this.#paintCursor();
    // Looked up once: a large board has thousands of cells.
    const spots = { movable: new Set(movable), targets: new Set(targets), captures, current, ahead: this.#ahead };
    this.#cells?.describe((cell) => this.#say(cell, spots));
    this.#tellSelection();
  }

  /** Scrolls a large board to a square, unless it is seen. @param {number} square */
  #bringIntoView(square) {
    const inner = this.#cells?.element;
    if (!inner || !this.hasAttribute('data-large')) return;
    const [x, y] = this.#layout.middle(square);
    const left = (x / this.#layout.columns) * inner.offsetWidth - this.clientWidth / 2;
    const top = (y / this.#layout.rows) * inner.offsetHeight - this.clientHeight / 2;
    const seen = Math.abs(left - this.scrollLeft) * 2 < this.clientWidth && Math.abs(top - this.scrollTop) * 2 < this.clientHeight;
    if (!seen) this.scrollTo(left, top);
  }

  #paintArrows() {
    const planned = this.#ahead?.plan ? [{ ...this.#ahead.plan, kind: 'ahead' }] : [];
    this.#picture?.showArrows([...this.#arrows, ...this.#drawn, ...planned]);
  }

  #paintCursor() {
    this.#picture?.showCursor(this.hasAttribute('data-over') ? null : this.#cursor?.cell ?? null);
  }

  /**
   * What a screen reader says of a cell.
   * @param {Cell} cell
   * @param {{ movable: Set<number>, targets: Set<number>, captures: boolean, current: number | null, ahead: Ahead | null }} spots
   */
  #say({ square }, { movable, captures, targets, current, ahead }) {
    if (square === null) return { label: t('unused'), selected: false, movable: false };
    const parts = [this.#card?.squares?.[square] ?? String(square + 1), this.describe(square)];
    if (ahead) {
      const chosen = ahead.squares.includes(square);
      if (chosen) parts.push(t('chosen_ahead'));
      return { label: parts.join(', '), selected: chosen, movable: this.#isOfSide(square, ahead.side) };
    }
    if (square === current) parts.push(t('selected'));
    else if (targets.has(square)) parts.push(t('target'));
    else if (movable.has(square)) parts.push(captures ? t('can_capture') : t('can_move'));
    return { label: parts.join(', '), selected: square === current, movable: movable.has(square) };
  }

  /** What is left of a move when the person has shown some of it already. @param {Move} move @param {number[]} shown */
  #wayLeft(move, shown) {
    if (this.#dropped) return move.path.slice(-1);
    const begun = shown.length > 1 && shown.every((square, index) => move.path[index] === square);
    return move.path.slice(begun ? shown.length - 1 : 0);
  }

  // ---- choosing -----------------------------------------------------------------------------------

  /** @param {Cell} cell */
  #pick(cell) {
    if (this.hasAttribute('data-busy')) return;
    if (this.#drawn.length) {
      this.#drawn = [];
      this.#paintArrows();
    }
    if (this.editing === 'cells' || (this.editing && cell.square !== null)) this.#tell('pick', { ...cell });
    else if (cell.square === null) this.#tell('refuse', { squares: [], unused: true });
    else this.#choose(cell.square);
  }

  /** @param {number} square */
  #choose(square) {
    if (this.#ahead) {
      if (this.#ahead.pick(square, this.#isOfSide(square, this.#ahead.side))) this.#replan();
      else this.#tell('refuse', { squares: [square, square] });
      return;
    }
    const answer = this.#choice.pick(square, this.#isOwn(square));
    if (answer.type === 'play') {
      this.#play(answer.move);
      return;
    }
    this.#paint();
    if (answer.type !== 'refused') return;
    this.#dropped = false;
    this.#tell('refuse', { squares: answer.squares });
  }

  /** Whether a square has a piece of the side that is choosing. @param {number} square */
  #isOwn(square) {
    const side = this.#sideAt(this.#choice.movable[0]);
    return !!side && this.#isOfSide(square, side);
  }

  /** @param {number} square @param {'white' | 'black'} side */
  #isOfSide(square, side) {
    return this.#sideAt(square) === side;
  }

  /** Whose piece stands on a square. @param {number | undefined} square */
  #sideAt(square) {
    return square === undefined || !this.#card ? null : pieceOf(this.#card, this.#board[square])?.side ?? null;
  }

  /** Shows what is chosen in the opponent's turn, and tells of it. */
  #replan() {
    this.#picture?.settle(this.#board);
    this.#paint();
    this.#tell('plan', { plan: this.#ahead?.plan ?? null });
  }

  /** Hands a move over. Until the next position is shown, clicks mean nothing. @param {Move} move */
  #play(move) {
    set(this, 'data-busy', true);
    this.#choice = new Choice([], this.#options);
    if (this.#dropped) this.#picture?.carry(move.path[0], this.#layout.middle(/** @type {number} */ (move.path.at(-1))));
    this.#picture?.showDots([]);
    this.#tell('choose', { move });
  }

  /** Takes a piece up to drag it, if it can be. @param {Cell} cell */
  #lift({ square }) {
    if (square === null || this.editing) return false;
    if (this.#ahead) {
      if (!this.#isOfSide(square, this.#ahead.side)) return false;
      this.#ahead.lift(square);
      this.#replan();
      this.#picture?.raise(square);
      return true;
    }
    if (square !== this.#choice.current) {
      if (this.#choice.path.length > 1 || !this.#choice.movable.includes(square)) return false;
      this.#choice.pick(square);
    }
    this.#paint();
    this.#picture?.raise(this.#choice.path[0]);
    return true;
  }

  /** Puts a piece down that was dragged. @param {Cell} cell */
  #drop(cell) {
    if (this.#ahead) {
      if (cell.square !== null && cell.square !== this.#ahead.from) this.#ahead.drop(cell.square);
      this.#replan();
      return;
    }
    if (cell.square === null || cell.square === this.#choice.current) {
      this.#paint();
      return;
    }
    this.#dropped = true;
    this.#cursor?.click(cell);
    this.#pick(cell);
  }

  /** Draws an arrow or a ring, or wipes it away. @param {Cell} from @param {Cell} to */
  #drawArrow({ square: from }, { square: to }) {
    if (from === null || to === null || this.cancelPlan()) return;
    const others = this.#drawn.filter((arrow) => arrow.from !== from || arrow.to !== to);
    this.#drawn = others.length < this.#drawn.length ? others : [...others, { from, to }];
    this.#paintArrows();
  }

  /** Tells what is selected, whenever that is news. */
  #tellSelection() {
    const { current: square, path, stop } = this.#choice;
    const jumps = Math.max(path.length - 1, 0);
    const told = `${square} ${jumps}`;
    if (told === this.#told) return;
    this.#told = told;
    this.#tell('select', { square, jumps, mayStop: jumps > 0 && stop !== null });
  }

  /** @param {string} name @param {object} detail */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

customElements.define('king-board', KingBoard);

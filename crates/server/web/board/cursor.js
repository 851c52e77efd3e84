// The keyboard on a board: a cursor that goes from cell to cell, picks and drops. It is the one
// tab stop of the grid.

/**
 * @typedef {import('./cells.js').Cells} Cells
 * @typedef {import('./layout.js').Cell} Cell
 * @typedef {{ move: (cell: Cell) => void, pick: (cell: Cell) => void, cancel: () => void, yields: () => boolean }} On
 *   `yields` says whether arrows after a click belong to the page, which has moves to go through
 */

const STEPS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});

/** Keys that go through moves. */
const THROUGH = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];

export class Cursor {
  /** Whether a pointer has brought it here, not a key. */
  #clicked = false;
  #cell = /** @type {Cell | null} */ (null);
  /** The column that steps up and down keep to. */
  #wish = 0;

  /**
   * @param {Cells} cells
   * @param {boolean} everywhere whether the cursor visits squares that are not played on
   * @param {On} on
   */
  constructor(cells, everywhere, on) {
    this.cells = cells;
    this.everywhere = everywhere;
    this.on = on;
    cells.element.addEventListener('keydown', (event) => this.#key(event));
    cells.element.addEventListener('focusin', (event) => {
      const cell = cells.cellOf(event.target);
      this.#clicked = false;
      if (cell) this.moveTo(cell, false);
    });
  }

  /** Where it is. */
  get cell() {
    return this.#cell;
  }

  /** A pointer has picked a cell. @param {Cell} cell */
  click(cell) {
    this.moveTo(cell, true);
    this.#clicked = true;
  }

  /** @param {Cell | null} cell @param {boolean} focus */
  moveTo(cell, focus) {
    const element = cell && this.cells.elementOf(cell);
    if (!cell || !element) return;
    if (this.#cell) this.cells.elementOf(this.#cell)?.setAttribute('tabindex', '-1');
    this.#cell = cell;
    [this.#wish] = this.cells.layout.place(cell);
    element.setAttribute('tabindex', '0');
    if (focus && document.activeElement !== element) element.focus({ preventScroll: true });
    this.on.move(cell);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.#cell || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#clicked && THROUGH.includes(event.key) && this.on.yields()) return;
    this.#clicked = false;
    const step = STEPS[event.key];
    if (step) this.#step(this.#cell, step);
    else if (event.key === 'Home') this.#toEdge(this.#cell, -1);
    else if (event.key === 'End') this.#toEdge(this.#cell, 1);
    else if (event.key === ' ' || event.key === 'Enter') this.on.pick(this.#cell);
    else if (event.key === 'Escape') this.on.cancel();
    else return;
    event.preventDefault();
  }

  /** @param {Cell} from @param {[number, number]} step */
  #step(from, step) {
    const wish = this.#wish;
    this.moveTo(this.cells.layout.step(from, step, this.everywhere, wish), true);
    if (step[1] && !this.everywhere) this.#wish = wish;
  }

  /** @param {Cell} from @param {number} direction */
  #toEdge(from, direction) {
    const next = this.cells.layout.step(from, [direction, 0], this.everywhere, this.#wish);
    if (next === from) this.moveTo(from, true);
    else this.#toEdge(next, direction);
  }
}

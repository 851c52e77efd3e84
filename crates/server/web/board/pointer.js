// The pointer on a board: taps, drags of a piece, and arrows with the right button.

/**
 * @typedef {import('./cells.js').Cells} Cells
 * @typedef {import('./layout.js').Cell} Cell
 * @typedef {{
 *   tap: (cell: Cell) => void,
 *   lift: (cell: Cell) => boolean,
 *   carry: (place: [number, number]) => void,
 *   drop: (cell: Cell) => void,
 *   cancel: () => void,
 *   draw: (from: Cell, to: Cell) => void,
 * }} On what a pointer does; `lift` says whether there is a piece that can be dragged
 */

const DRAG = 3; // pixels before a press becomes a drag

export class Pointer {
  #press = /** @type {{ cell: Cell, x: number, y: number, id: number, drag: boolean, right: boolean } | null} */ (null);

  /** @param {Cells} cells @param {On} on */
  constructor(cells, on) {
    this.cells = cells;
    this.on = on;
    const grid = cells.element;
    grid.addEventListener('pointerdown', (event) => this.#down(event));
    grid.addEventListener('pointermove', (event) => this.#moved(event));
    grid.addEventListener('pointerup', (event) => this.#up(event));
    grid.addEventListener('pointercancel', () => this.#letGo());
    grid.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const cell = this.cells.under(event);
    if (!cell || event.button === 1) return;
    this.#press = { cell, x: event.clientX, y: event.clientY, id: event.pointerId, drag: false, right: event.button === 2 };
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const press = this.#press;
    if (!press || press.right || press.id !== event.pointerId) return;
    if (!press.drag) {
      const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG;
      if (!far || !this.on.lift(press.cell)) return;
      press.drag = true;
      this.cells.element.setPointerCapture(event.pointerId);
    }
    this.on.carry(this.cells.placeOf(event));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    const cell = this.cells.under(event);
    this.#press = null;
    if (!press || !cell) this.on.cancel();
    else if (press.right) this.on.draw(press.cell, cell);
    else if (press.drag) this.on.drop(cell);
    // A tap whose finger slid into the next square is still a tap on the first.
    else this.on.tap(press.cell);
  }

  #letGo() {
    this.#press = null;
    this.on.cancel();
  }
}

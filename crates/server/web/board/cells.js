// The grid over the drawing: a cell for every square, for pointers, keys and screen readers.

import { h } from '../dom.js';

/**
 * @typedef {import('./layout.js').Cell} Cell
 * @typedef {import('./layout.js').Layout} Layout
 */

export class Cells {
  #elements = /** @type {Map<Cell, HTMLElement>} */ (new Map());

  /**
   * @param {Layout} layout
   * @param {{ label: string, everywhere: boolean }} options `everywhere` has cells for squares that are not played on
   */
  constructor(layout, { label, everywhere }) {
    this.layout = layout;
    const rows = Array.from({ length: layout.rows }, (_, index) => h('div', { role: 'row', 'aria-rowindex': index + 1 }));
    for (const cell of inReadingOrder(layout)) {
      if (cell.square === null && !everywhere) continue;
      const [x, y] = layout.place(cell);
      const element = h('div', { role: 'gridcell', tabindex: -1, 'aria-colindex': x + 1, 'aria-selected': 'false', 'data-square': cell.square });
      element.style.gridColumn = String(x + 1);
      this.#elements.set(cell, element);
      rows[y].append(element);
    }
    const size = { 'aria-rowcount': layout.rows, 'aria-colcount': layout.columns };
    this.element = h('div', { role: 'grid', 'aria-label': label, ...size }, rows.filter((row) => row.childElementCount));
  }

  /** The first cell, as one reads. */
  get first() {
    return this.#elements.keys().next().value ?? null;
  }

  /** @param {Cell} cell */
  elementOf(cell) {
    return this.#elements.get(cell);
  }

  /** The cell that an element is. @param {EventTarget | null} element */
  cellOf(element) {
    for (const [cell, known] of this.#elements) if (known === element) return cell;
    return null;
  }

  /** Where a pointer is, in squares from the top left. @param {PointerEvent} event @returns {[number, number]} */
  placeOf(event) {
    const { left, top, width, height } = this.element.getBoundingClientRect();
    return [((event.clientX - left) / width) * this.layout.columns, ((event.clientY - top) / height) * this.layout.rows];
  }

  /** The cell under a pointer. @param {PointerEvent} event */
  under(event) {
    const [x, y] = this.placeOf(event);
    return this.layout.at(Math.floor(x), Math.floor(y)) ?? null;
  }

  /**
   * Says of every cell what it is.
   * @param {(cell: Cell) => { label: string, selected: boolean, movable: boolean }} say
   */
  describe(say) {
    for (const [cell, element] of this.#elements) {
      const { label, selected, movable } = say(cell);
      // Only news is written: screen readers listen.
      if (element.ariaLabel !== label) element.setAttribute('aria-label', label);
      if ((element.ariaSelected === 'true') !== selected) element.setAttribute('aria-selected', String(selected));
      element.classList.toggle('movable', movable);
    }
  }
}

/** @param {Layout} layout */
function inReadingOrder(layout) {
  const order = (/** @type {Cell} */ cell) => {
    const [x, y] = layout.place(cell);
    return y * layout.columns + x;
  };
  return [...layout.cells].sort((a, b) => order(a) - order(b));
}

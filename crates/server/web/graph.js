// The course of a game as a curve of chances, with axes, to be pointed at and to be walked along.

import { h, svg } from './dom.js';
import { t } from './texts.js';

/** The height of the drawing; its width is the number of plies, and both are stretched. */
const HEIGHT = 100;
/** About so many numbers of moves stand below. */
const TICKS = 6;

/** Signs of what moves were, as players write them. */
export const SIGNS = { inaccuracy: '?!', mistake: '?', blunder: '??' };

/**
 * @typedef {{ chance: number, label: string, says: string, kind: keyof typeof SIGNS | null }} Stop
 *   A position: White's chance, the move that led to it, and all that is to be said of it.
 */

export class Graph {
  #cursor = svg('line', { class: 'here', y1: 0, y2: HEIGHT });
  #tip = h('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
  #plot;

  /**
   * @param {Stop[]} stops from the start on
   * @param {{ sides: [string, string], firstMove: number }} names the sides, and the number of the first move in half moves
   * @param {(ply: number) => void} goTo
   */
  constructor(stops, { sides, firstMove }, goTo) {
    this.stops = stops;
    this.goTo = goTo;
    this.ply = 0;
    const last = Math.max(stops.length - 1, 1);
    const y = (/** @type {number} */ chance) => (1 - chance) * HEIGHT;
    const curve = stops.map(({ chance }, ply) => `${ply},${y(chance).toFixed(1)}`).join(' ');
    const signs = stops.flatMap(({ kind, chance }, ply) => (kind ? [placed(h('span', { class: `sign ${kind}` }, SIGNS[kind]), ply / last, y(chance) / HEIGHT)] : []));
    this.#plot = h('div', {
      class: 'plot', tabindex: 0, role: 'slider', 'aria-label': t('graph'), 'aria-valuemin': 0, 'aria-valuemax': stops.length - 1,
      onpointermove: (/** @type {PointerEvent} */ event) => this.#point(this.#plyAt(event)), onpointerleave: () => this.#point(null),
      onclick: (/** @type {MouseEvent} */ event) => goTo(this.#plyAt(event)), onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
      onfocus: () => this.#point(this.ply), onblur: () => this.#point(null),
    }, svg('svg', { viewBox: `0 0 ${last} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': true },
      [0.25, 0.5, 0.75].map((at) => svg('line', { class: at === 0.5 ? 'zero' : 'rule', x1: 0, x2: last, y1: HEIGHT * at, y2: HEIGHT * at })),
      svg('polygon', { class: 'area', points: `0,${HEIGHT} ${curve} ${last},${HEIGHT}` }), svg('polyline', { class: 'curve', points: curve }), this.#cursor), signs, this.#tip);
    const step = Math.max(1, Math.ceil((last + firstMove) / 2 / TICKS));
    const moves = Array.from({ length: TICKS + 1 }, (_, index) => index * step + 1).filter((number) => number * 2 - 1 - firstMove <= last && number * 2 - 1 > firstMove);
    this.element = h('div', { class: 'graph' },
      h('div', { class: 'ys', 'aria-hidden': 'true' }, h('span', null, `${sides[0]} 100%`), h('span', null, '50%'), h('span', null, `${sides[1]} 100%`)),
      this.#plot, h('div', { class: 'xs', 'aria-hidden': 'true' }, moves.map((number) => placed(h('span', null, number), (number * 2 - 1 - firstMove) / last, 0))));
    this.show(0);
  }

  /** Marks where one stands. @param {number} ply */
  show(ply) {
    this.ply = ply;
    this.#cursor.setAttribute('x1', String(ply));
    this.#cursor.setAttribute('x2', String(ply));
    this.#plot.setAttribute('aria-valuenow', String(ply));
    this.#plot.setAttribute('aria-valuetext', this.stops[ply].says);
    if (document.activeElement === this.#plot) this.#point(ply);
  }

  /** @param {MouseEvent} event */
  #plyAt({ clientX }) {
    const { left, width } = this.#plot.getBoundingClientRect();
    const last = this.stops.length - 1;
    return Math.max(0, Math.min(last, Math.round(((clientX - left) / width) * last)));
  }

  /** Says what a position was like, beside it. @param {number | null} ply */
  #point(ply) {
    this.#tip.hidden = ply === null;
    if (ply === null) return;
    this.#tip.textContent = this.stops[ply].says;
    const at = ply / Math.max(this.stops.length - 1, 1);
    this.#tip.style.left = `${at * 100}%`;
    this.#tip.style.transform = `translateX(${-at * 100}%)`;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const last = this.stops.length - 1;
    const to = { ArrowLeft: this.ply - 1, ArrowDown: this.ply - 1, ArrowRight: this.ply + 1, ArrowUp: this.ply + 1, PageDown: this.ply - 10, PageUp: this.ply + 10, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    // The page has its own arrows.
    event.stopPropagation();
    this.goTo(Math.max(0, Math.min(last, to)));
  }
}

/** An element at a place of the plot, as fractions from the top left. @param {HTMLElement} element @param {number} x @param {number} y */
function placed(element, x, y) {
  element.style.left = `${x * 100}%`;
  element.style.top = `${y * 100}%`;
  return element;
}

// The moves of a game, two a line, with a way to each of them.

import { button, h } from './dom.js';
import { icon } from './icons.js';
import { t } from './texts.js';

/** @typedef {import('./types.js').Move} Move */

/** @typedef {Record<'first' | 'previous' | 'next' | 'latest', () => void>} Steps */

/**
 * Takes a step for a key, by the arrows, Home and End, or does what another key is for; unless somebody else needs the key.
 * @param {KeyboardEvent} event @param {Steps} to @param {Record<string, () => void>} [others]
 */
export function stepByKey(event, to, others) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target.closest('input, textarea, select, dialog, .options')) return;
  const step = { ArrowLeft: to.previous, ArrowRight: to.next, Home: to.first, End: to.latest, ...others }[event.key];
  if (!step) return;
  step();
  event.preventDefault();
}

/**
 * Buttons to the start, back, on and to the end.
 * @param {Steps} to
 */
export function steps(to) {
  const step = (/** @type {'first' | 'previous' | 'next' | 'latest'} */ name) => h('button', { type: 'button', class: 'icon', 'aria-label': t(name), title: t(name), onclick: to[name] }, icon(name));
  return h('div', { class: 'steps' }, step('first'), step('previous'), step('next'), step('latest'));
}

export class MoveList {
  /** @param {(ply: number) => void} goTo */
  constructor(goTo) {
    this.goTo = goTo;
    this.ply = 0;
    this.count = 0;
    this.list = h('div', { class: 'moves', tabindex: 0, role: 'group', 'aria-label': t('moves') });
    this.nothing = h('p', { class: 'soft' }, t('no_moves'));
    /** @type {Steps} */
    this.steps = {
      first: () => goTo(0), previous: () => goTo(this.ply - 1), next: () => goTo(this.ply + 1), latest: () => goTo(this.count),
    };
    this.element = h('div', { class: 'record-moves' }, this.nothing, this.list, steps(this.steps));
  }

  /**
   * @param {Move[]} moves
   * @param {number} ply the one that is shown
   */
  show(moves, ply) {
    this.ply = ply;
    this.count = moves.length;
    this.nothing.hidden = moves.length > 0;
    this.list.hidden = moves.length === 0;
    this.#grow(moves);
    this.list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const current = /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-ply="${ply}"]`));
    current?.setAttribute('aria-current', 'true');
    // Scrolls the list, never the page.
    if (current) this.list.scrollTop = current.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }

  /** Renders only what changed. @param {Move[]} moves */
  #grow(moves) {
    const shown = /** @type {HTMLCollectionOf<HTMLElement>} */ (this.list.children);
    // A line is a number and two moves.
    const element = (/** @type {number} */ index) => shown[Math.floor(index / 2) * 3 + 1 + (index % 2)];
    let same = 0;
    while (same < moves.length && element(same)?.textContent === moves[same].text) same += 1;
    const kept = Math.floor(same / 2) * 3 + (same % 2 ? 2 : 0);
    while (shown.length > kept) shown[shown.length - 1].remove();
    for (let index = same; index < moves.length; index += 1) {
      if (index % 2 === 0) this.list.append(h('span', { class: 'no' }, `${index / 2 + 1}.`));
      this.list.append(button(moves[index].text, () => this.goTo(index + 1), { 'data-ply': index + 1 }));
    }
  }
}

// The moves of a game, two a line, with a way to each of them.

import { button, h } from './dom.js';
import { t } from './texts.js';

/** @typedef {import('./types.js').Move} Move */

export class MoveList {
  /** @param {(ply: number) => void} goTo */
  constructor(goTo) {
    this.goTo = goTo;
    this.ply = 0;
    this.count = 0;
    this.list = h('div', { class: 'moves' });
    this.nothing = h('p', { class: 'soft' }, t('no_moves'));
    const step = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => number} */ to) => button(sign, () => goTo(to()), { class: 'icon', 'aria-label': label, title: label });
    this.element = h('div', null, this.nothing, this.list, h('div', { class: 'row' },
      step('«', t('first'), () => 0), step('‹', t('previous'), () => this.ply - 1),
      step('›', t('next'), () => this.ply + 1), step('»', t('latest'), () => this.count)));
  }

  /**
   * @param {Move[]} moves
   * @param {number} ply the one that is shown
   */
  show(moves, ply) {
    this.ply = ply;
    this.count = moves.length;
    this.nothing.hidden = moves.length > 0;
    this.#grow(moves);
    this.list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const current = this.list.querySelector(`[data-ply="${ply}"]`);
    current?.setAttribute('aria-current', 'true');
    current?.scrollIntoView?.({ block: 'nearest' });
  }

  /** Renders only what changed. @param {Move[]} moves */
  #grow(moves) {
    const shown = /** @type {NodeListOf<HTMLElement>} */ (this.list.querySelectorAll('[data-ply]'));
    let same = 0;
    while (same < shown.length && same < moves.length && shown[same].textContent === moves[same].text) same += 1;
    for (let index = shown.length - 1; index >= same; index -= 1) {
      if (index % 2 === 0) shown[index].previousElementSibling?.remove();
      shown[index].remove();
    }
    for (let index = same; index < moves.length; index += 1) {
      if (index % 2 === 0) this.list.append(h('span', { class: 'no' }, `${index / 2 + 1}.`));
      this.list.append(button(moves[index].text, () => this.goTo(index + 1), { 'data-ply': index + 1 }));
    }
  }
}

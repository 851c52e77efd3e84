// The end of a game: a card at the board with the result, its reason, what it did to the ratings,
// how well it was played, and the ways on.

import { drawPiece } from './board/pieces.js';
import { button, h, svg } from './dom.js';
import { icon } from './icons.js';
import { seatName } from './pictures.js';
import { over as overText, t, word } from './texts.js';

/**
 * @typedef {import('./types.js').Whole} Whole
 * @typedef {import('./types.js').RatingChange} RatingChange
 */

export class EndCard {
  #title = h('h2', { id: 'end-title', tabindex: -1 });
  #picture = h('span', { class: 'winners', 'aria-hidden': 'true' });
  #why = h('p', { class: 'result' });
  #ratings = h('ul', { class: 'changes', hidden: true, 'aria-label': t('ratings') });
  #accuracy = h('p', { class: 'accuracy', role: 'status' });
  #ask = button(t('ask_accuracy'), () => this.#examine(), { class: 'quiet' });
  /** The ways on. */
  ways = h('div', { class: 'ways' });
  element;
  /** Whether it was closed by hand. */
  closed = false;

  /** @param {{ closed: () => void, examine: (tell: (text: string) => void) => Promise<void> }} on `examine` finds out how well the game was played */
  constructor({ closed, examine }) {
    this.examine = examine;
    const close = () => { this.close(); closed(); };
    this.element = h('section', { class: 'panel endcard', hidden: true, 'aria-labelledby': 'end-title', onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === 'Escape' && close() },
      h('div', { class: 'endcard-head' }, this.#picture, h('div', null, this.#title, this.#why),
        h('button', { type: 'button', class: 'icon', 'aria-label': t('close'), title: t('close'), onclick: close }, icon('close'))),
      this.#ratings, this.#accuracy, this.ways, this.#ask);
  }

  get isOpen() {
    return !this.element.hidden;
  }

  close() {
    this.closed = true;
    this.element.hidden = true;
  }

  /** @param {Whole} whole @param {string} theme of the board */
  paint(whole, theme) {
    const { over } = whole.game;
    // A game can go on when its last move is taken back.
    if (!over) this.closed = false;
    this.element.hidden = !over || this.closed;
    if (!over) return;
    this.#title.textContent = headline(whole);
    this.#why.textContent = overText(over);
    this.#picture.replaceChildren(...winners(whole, theme));
    if (!whole.history.length) this.#ask.hidden = true;
  }

  /** Has the game looked at, once. */
  async #examine() {
    this.#ask.disabled = true;
    try {
      await this.examine((text) => { this.#accuracy.textContent = text; });
      this.#ask.hidden = true;
    } finally {
      this.#ask.disabled = false;
    }
  }

  /** Lets the keys and a screen reader begin here, if they are nowhere else. */
  takeFocus() {
    if (this.isOpen && document.activeElement === document.body) this.#title.focus({ preventScroll: true });
  }

  /** @param {Whole} whole @param {[RatingChange, RatingChange]} changes */
  paintRatings({ game, variant }, changes) {
    this.#ratings.hidden = false;
    this.#ratings.replaceChildren(...changes.map(({ before, after }, index) => {
      const change = after - before;
      return h('li', null, h('span', null, h('b', null, word(variant.sides[index].name)), ' ',
        h('span', { class: 'soft', translate: 'no' }, seatName(game.seats[index]))),
      h('span', { class: 'numbers' }, `${before} → ${after} `, h('b', { class: change < 0 ? 'bad' : 'good' }, `${change < 0 ? '−' : '+'}${Math.abs(change)}`)));
    }));
  }
}

/** The result, as whoever looks sees it. @param {Whole} whole */
function headline({ game, variant, you }) {
  const winner = game.over?.winner;
  if (!winner) return t('draw');
  if (you.length === 1) return t(you[0] === winner ? 'you_win' : 'you_lose');
  return t('wins', { side: word(variant.sides[winner === 'white' ? 0 : 1].name) });
}

/** A piece of whoever won, crowned; of both in a draw. @param {Whole} whole @param {string} theme */
function winners({ game, variant }, theme) {
  const sides = game.over?.winner ? [game.over.winner] : ['white', 'black'];
  const kind = variant.kinds[1] ?? variant.kinds[0];
  return sides.map((side) => h('king-board', { class: 'winner', 'data-theme': theme },
    svg('svg', { viewBox: '-.5 -.5 1 1' }, drawPiece(variant, kind.letters[side === 'white' ? 0 : 1]))));
}

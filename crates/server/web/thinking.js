// The engine beside the board: its best lines, deeper and deeper while the position is shown.

import { ApiError } from './api.js';
import { button, h } from './dom.js';
import { paintBar, worth } from './gameview.js';
import { linesOf } from './stream.js';
import { t } from './texts.js';

/**
 * @typedef {import('./types.js').Advice} Advice
 * @typedef {import('./types.js').Move} Move
 */

/** How many lines are asked for. */
const LINES = 3;
/** So long until a busy engine is asked again, in ms. */
const PAUSE_MS = 1000;

export class Thinking {
  #on = h('input', { type: 'checkbox', onchange: () => this.#switch() });
  #depth = h('span', { class: 'soft', role: 'status' });
  #go = button('', () => this.#pause(), { class: 'quiet' });
  #state = h('div', { class: 'row thinking', hidden: true }, this.#depth, this.#go);
  #lines = h('ol', { class: 'lines' });
  element = h('div', null, h('label', { class: 'check' }, this.#on, t('engine_on')), this.#state, this.#lines);
  #bar = h('div');
  #score = h('span', { 'aria-hidden': 'true' });
  bar = h('div', { class: 'evalbar', hidden: true, role: 'img', 'aria-label': t('evaluate') }, this.#bar, this.#score);

  /** What it is asked about: nothing if the game is over. @type {object | null} */
  #question = null;
  /** Hangs up. */
  #call = new AbortController();
  #deepest = 0;
  #began = 0;
  #runs = false;

  /** @param {{ play: (move: Move) => void, arrows: (lines: Advice['lines']) => void }} on */
  constructor(on) {
    this.on = on;
    setInterval(() => this.#runs && this.#paintState(), 1000);
  }

  /** Whether the engine is wanted. */
  get wanted() {
    return this.#on.checked;
  }

  /** Leaves what it thought about and turns to another position. @param {object | null} question */
  about(question) {
    this.#question = question;
    this.#lines.replaceChildren();
    this.bar.hidden = !this.wanted;
    this.#think();
  }

  /** Not any more, until somebody wants it again. */
  off() {
    this.#on.checked = false;
    this.#switch();
  }

  #switch() {
    this.#lines.replaceChildren();
    this.bar.hidden = !this.wanted;
    this.on.arrows([]);
    this.#think();
  }

  #pause() {
    if (this.#runs) this.#hangUp();
    else this.#think();
  }

  #hangUp() {
    this.#call.abort();
    this.#runs = false;
    this.#paintState();
  }

  async #think() {
    this.#hangUp();
    this.#state.hidden = !this.wanted || !this.#question;
    if (this.#state.hidden) return;
    const call = this.#call = new AbortController();
    this.#runs = true;
    this.#deepest = 0;
    this.#began = performance.now();
    this.#paintState();
    try {
      for await (const advice of linesOf('/api/analysis', { ...this.#question, lines: LINES }, call.signal)) {
        if (call.signal.aborted) return;
        this.#show(advice);
      }
    } catch (error) {
      if (call.signal.aborted) return;
      const busy = error instanceof ApiError && error.status === 429;
      if (busy) setTimeout(() => call === this.#call && !call.signal.aborted && this.#think(), PAUSE_MS);
      if (busy) return;
    }
    if (call === this.#call) this.#hangUp();
  }

  /** How deep it is, and the way to stop it or to let it go on. */
  #paintState() {
    const seconds = Math.floor((performance.now() - this.#began) / 1000);
    const text = this.#deepest ? t('engine_depth', { depth: this.#deepest }) : t('engine_waits');
    // Readers hear of the depth, not of every second.
    if (this.#depth.textContent !== text) this.#depth.textContent = text;
    if (this.#runs) this.#depth.title = t('engine_seconds', { seconds });
    this.#go.textContent = t(this.#runs ? 'engine_stop' : 'engine_go');
  }

  /** @param {Advice} advice */
  #show({ depth, lines }) {
    this.#deepest = depth;
    this.#paintState();
    const focused = this.#lines.contains(document.activeElement);
    this.#lines.replaceChildren(...lines.map(({ score, wins_in: wins, moves }) => h('li', null, h('b', null, worth(score, wins)),
      h('span', null, button(moves[0].text, () => this.on.play(moves[0]), { title: t('play_line') }), ` ${moves.slice(1, 8).map(({ text }) => text).join(' ')}`))));
    if (focused) this.#lines.querySelector('button')?.focus();
    const { score: best = 0, wins_in: wins } = lines[0] ?? {};
    paintBar(this.#bar, this.#score, best);
    this.#score.textContent = worth(best, wins);
    this.bar.setAttribute('aria-label', `${t('evaluate')} ${worth(best, wins)}`);
    this.on.arrows(lines);
  }
}

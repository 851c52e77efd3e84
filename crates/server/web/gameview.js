// What stands around the board of a game: status, players, clocks, offers, buttons.

import { clockText } from './clocks.js';
import { button, copyFrom, h, menu, svg } from './dom.js';
import { icon } from './icons.js';
import { seatName } from './pictures.js';
import { over as overText, t, whyOver, word } from './texts.js';

/**
 * @typedef {import('./types.js').Whole} Whole
 * @typedef {import('./types.js').Side} Side
 * @typedef {import('./types.js').Advice} Advice
 * @typedef {[import('./texts.js').Key, () => void, Record<string, any>?]} Action
 */

/** After so long without a page somebody is said to be away: a reload is no absence. */
const AWAY_MS = 5_000;
/** And after so long, the server lets the other claim the win. */
const CLAIM_MS = 60_000;

const SIDES = /** @type {Side[]} */ (['white', 'black']);
const ICONS = /** @type {Record<string, import('./icons.js').Icon>} */ ({ offer_draw: 'draw', next_game: 'next', study: 'analyse', to_league: 'watch' });

export class View {
  #line = h('span', { id: 'status', role: 'status' });
  #extra = h('span', { class: 'soft' });
  status = h('h1', { class: 'status' }, this.#line, this.#extra);
  /** Whose turn it is, or how it ended. */
  line = '';
  title = h('h2');
  spoken = h('p', { class: 'soft', role: 'status', 'aria-live': 'polite', id: 'spoken' });
  invite = h('div', { class: 'panel invite', hidden: true });
  offer = h('div', { class: 'panel offer', hidden: true, role: 'alert' });
  #away = h('p');
  #claim = button(t('claim'), () => this.act('claim'), { class: 'main', hidden: true });
  absence = h('div', { class: 'panel', hidden: true, role: 'status' }, this.#away, this.#claim);
  above = h('div', { class: 'above' });
  below = h('div', { class: 'below' });
  actions = h('div', { class: 'actions' });
  menu = menu(t('more_tools'));
  advice = h('p', { class: 'soft', hidden: true });
  #bar = h('div');
  #score = h('span', { 'aria-hidden': 'true' });
  evaluation = h('div', { class: 'evalbar', hidden: true, role: 'img' }, this.#bar, this.#score);
  #players = { white: h('div', { class: 'player' }), black: h('div', { class: 'player' }) };

  /**
   * @param {{ id: string, board: import('./board/board.js').KingBoard, act: (action: string) => void, say: (text: string) => void }} game
   */
  constructor({ id, board, act, say }) {
    this.id = id;
    this.board = board;
    this.act = act;
    this.say = say;
  }

  /** @param {Whole} whole @param {boolean} myTurn @param {boolean} alone whether no card says why a game ended */
  paint(whole, myTurn, alone) {
    this.#paintStatus(whole, myTurn, alone);
    this.#paintPlayers(whole);
    this.#paintOffer(whole);
    this.#paintInvite(whole);
  }

  /** @param {Whole} whole @param {import('./types.js').Move} move */
  announce(whole, move) {
    const mover = whole.game.turn === 'white' ? 'black' : 'white';
    const moved = t('moved', { side: nameOf(whole, mover), move: move.text });
    this.spoken.textContent = move.huffed === undefined ? moved : `${moved} ${t('huffed')}`;
  }

  /** Says how a game has ended, after its last move if that was the end. @param {Whole} whole */
  announceEnd({ game }) {
    this.spoken.textContent = [this.spoken.textContent, game.over && overText(game.over)].filter(Boolean).join(' ');
  }

  /** @param {Whole} whole @param {boolean} myTurn @param {boolean} alone */
  #paintStatus(whole, myTurn, alone) {
    const { game, you } = whole;
    const { over } = game;
    const line = over ? (over.winner ? t('wins', { side: nameOf(whole, over.winner) }) : t('draw')) : t('turn', { side: nameOf(whole, game.turn) });
    const seat = game.seats[game.turn === 'white' ? 0 : 1];
    const owed = myTurn ? due(game.legal) : null;
    const open = game.seats.some(({ type }) => type === 'open');
    const extra = over ? (alone ? whyOver(over) : '') : open ? t('waiting') : you.length === 0 ? t('spectator') : seat.type === 'computer' ? t('thinking') : owed ? t(owed) : you.length === 1 && myTurn ? t('your_turn') : '';
    this.line = line;
    // Only news is written: screen readers listen.
    if (this.#line.textContent !== line) this.#line.textContent = line;
    this.#extra.textContent = extra;
  }

  /** @param {Whole} whole */
  #paintPlayers(whole) {
    const { game, variant, you } = whole;
    for (const side of SIDES) {
      const index = side === 'white' ? 0 : 1;
      const seat = game.seats[index];
      const name = seat.type === 'person' && !seat.name && you.includes(side) ? t('you') : seatName(seat);
      const pieces = countOf(whole, index);
      this.#players[side].replaceChildren(
        h('king-board', { class: 'stone', 'data-theme': this.board.dataset.theme, 'aria-hidden': 'true' }, svg('svg', { viewBox: '-.5 -.5 1 1' }, svg('circle', { class: side, r: 0.42 }))),
        h('b', null, nameOf(whole, side)), h('span', { class: 'soft', translate: 'no' }, name),
        h('span', { class: 'more', title: t('pieces_left', { count: pieces }), 'aria-label': t('pieces_left', { count: pieces }), role: 'img' }, `×${pieces}`),
        h('span', { class: 'clock', hidden: !game.clock, 'data-side': side }));
    }
    const top = this.board.flipped ? (variant.top === 'white' ? 'black' : 'white') : variant.top;
    this.above.replaceChildren(this.#players[top]);
    this.below.replaceChildren(this.#players[top === 'white' ? 'black' : 'white']);
  }

  /** @param {Whole} whole @param {{ white: number, black: number }} now @param {boolean} unsure whether the server is not heard */
  paintClocks({ game }, now, unsure) {
    if (!game.clock) return;
    for (const side of SIDES) {
      const clock = this.#players[side].querySelector('.clock');
      if (!clock) continue;
      const running = game.clock.running === side;
      const text = `${unsure && running ? '~' : ''}${clockText(now[side])}`;
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle('runs', running);
      clock.classList.toggle('low', now[side] < 20_000 && running);
    }
  }

  /** Says that the other player has left, and lets the win be claimed. @param {Whole} whole @param {number} since ms since that was told */
  paintAbsence({ game, you, away }, since) {
    const other = you.length === 1 ? away[you[0] === 'white' ? 1 : 0] : null;
    const ms = other === null ? 0 : other + since;
    const shown = !game.over && ms >= AWAY_MS;
    this.absence.hidden = !shown;
    if (!shown) return;
    this.#away.textContent = t('away', { seconds: Math.floor(ms / 1000) });
    this.#claim.hidden = !game.clock || !!game.league || ms < CLAIM_MS;
  }

  /** @param {Whole} whole */
  #paintOffer(whole) {
    const { game, you } = whole;
    this.offer.hidden = !game.offer || !you.length;
    if (!game.offer) return;
    const { side, offer: kind } = game.offer;
    if (you.includes(side)) this.offer.replaceChildren(t('offered'));
    else {
      this.offer.replaceChildren(h('p', null, t(`offers_${kind}`, { side: nameOf(whole, side) })),
        h('div', { class: 'row' }, button(t('accept'), () => this.act('accept'), { class: 'main' }), button(t('decline'), () => this.act('decline'))));
    }
  }

  /** @param {Whole} whole */
  #paintInvite(whole) {
    const secret = localStorage.getItem(`invite:${this.id}`);
    const open = whole.game.seats.findIndex((seat) => seat.type === 'open');
    this.invite.hidden = open < 0 || !secret;
    if (open < 0 && secret) localStorage.removeItem(`invite:${this.id}`);
    if (this.invite.hidden || this.invite.childElementCount) return;
    const link = h('input', { type: 'text', readonly: true, id: 'invite', 'aria-label': t('invite_link'), value: `${location.origin}/game/${this.id}#join=${secret}` });
    const copy = async () => { await copyFrom(link); this.say(t('copied')); };
    this.invite.replaceChildren(h('p', null, t('invite', { side: nameOf(whole, open ? 'black' : 'white') })),
      h('div', { class: 'row' }, link, h('button', { type: 'button', class: 'main', onclick: copy }, icon('copy'), t('copy'))),
      h('p', { class: 'soft', hidden: !isLoopback(location.hostname) }, t('invite_here'), ' ', h('code', null, t('invite_command'))));
  }

  /** @param {boolean} shown */
  showEvaluation(shown) {
    this.advice.hidden = !shown;
    this.evaluation.hidden = !shown;
  }

  /** @param {Advice} advice */
  paintEvaluation({ lines, depth }) {
    const score = lines[0]?.score ?? 0;
    this.advice.textContent = t('score_is', { score: worth(score), depth, line: lines[0]?.moves.slice(0, 6).map((move) => move.text).join(' ') ?? '' });
    paintBar(this.#bar, this.#score, score);
    this.evaluation.setAttribute('aria-label', `${t('evaluate')} ${worth(score)}`);
  }
}

/** Buttons for some actions; only what changed is built again, so that the focus stays. @param {HTMLElement} place @param {Action[]} actions */
export function paintButtons(place, actions) {
  const shown = actions.map(([key, , more]) => `${key} ${more?.['aria-pressed'] ?? ''}`).join();
  if (place.dataset.shown === shown) return;
  const focused = place.contains(document.activeElement) ? /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.action : null;
  place.dataset.shown = shown;
  place.replaceChildren(...actions.map(([key, action, more]) => h('button', { type: 'button', onclick: action, 'data-action': key, ...more },
    icon(ICONS[key] ?? /** @type {import('./icons.js').Icon} */ (key)), t(key))));
  if (focused) /** @type {HTMLElement | null} */ (place.querySelector(`[data-action="${focused}"]`))?.focus();
}

/**
 * A bar that is half full when both sides stand equal, with the score at the end of whoever leads.
 * @param {HTMLElement} bar
 * @param {HTMLElement} label
 * @param {number} score
 */
export function paintBar(bar, label, score) {
  bar.style.width = `${50 + 50 * Math.tanh(score / 3)}%`;
  label.textContent = worth(score);
  label.classList.toggle('behind', score < 0);
}

/** No evaluation is so great: the endgame tables know it for a win. */
const KNOWN = 280;

/** A score as people write it; a proven win in moves, one that the tables know without. @param {number} score @param {number} [wins] plies */
export function worth(score, wins) {
  const sign = score > 0 ? '+' : score < 0 ? '−' : '';
  if (wins) return `${wins < 0 ? '−' : ''}#${Math.ceil(Math.abs(wins) / 2)}`;
  return Math.abs(score) > KNOWN ? `${sign}∞` : `${sign}${Math.abs(score).toFixed(2)}`;
}

/** Whether a host is this computer, by a name that means another one elsewhere. @param {string} host */
const isLoopback = (host) => /^(localhost|127\..*|\[::1\])$/.test(host);

/**
 * What is said of captures that are due, if any are.
 * @param {import('./types.js').Move[]} legal
 */
function due(legal) {
  if (legal.some((move) => move.huffed !== undefined)) return 'or_huffed';
  return legal.length > 0 && legal.every((move) => move.captured?.length) ? 'must_capture' : null;
}

/** @param {Whole} whole @param {Side} side */
function nameOf({ variant }, side) {
  return word(variant.sides[side === 'white' ? 0 : 1].name);
}

/** How many pieces a side has. @param {Whole} whole @param {number} index */
function countOf({ game, variant }, index) {
  return [...game.board].filter((letter) => variant.kinds.some(({ letters }) => letters[index] === letter)).length;
}

// Small boards that only show something, and cards of games with them.

import './board/board.js';
import { flipFor } from './board/looks.js';
import { h } from './dom.js';
import { onSettings, settings } from './settings.js';
import { gameTitle, over, t, word } from './texts.js';

/**
 * @typedef {import('./types.js').Card} Card
 * @typedef {import('./types.js').Summary} Summary
 */

/** The theme that a person sees a game in. @param {Card} card */
export const themeOf = (card) => (settings.theme === 'auto' ? card.theme : settings.theme);

// Another look is seen at once, on all small boards that there are.
onSettings(() => {
  for (const board of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('king-board[data-own]'))) {
    board.dataset.theme = settings.theme === 'auto' ? board.dataset.own : settings.theme;
  }
});

/** The start of a game as a picture. @param {Card} card @param {boolean} [fine] with every line */
export function smallBoard(card, fine = false) {
  const board = document.createElement('king-board');
  board.still = true;
  board.fine = fine;
  board.setAttribute('aria-hidden', 'true');
  board.dataset.own = card.theme;
  board.options = { names: false };
  board.setup(card, { theme: themeOf(card), label: gameTitle(card) });
  return board;
}

/** @param {import('./types.js').Seat} seat */
export function seatName(seat) {
  if (seat.type === 'computer') return t(seat.level ? 'computer_level' : 'computer_random', { level: seat.level ?? 0 });
  return seat.type === 'open' ? t('waiting') : seat.name || t('guest');
}

/**
 * A game that is played or over, as a card that follows it. One's own say which seat is one's own.
 * @param {Summary} game
 */
export function gameCard(game) {
  const { you = [] } = game;
  const nameAt = (/** @type {import('./types.js').Seat} */ seat, /** @type {number} */ index) => (you.includes(index ? 'black' : 'white') ? t('you') : seatName(seat));
  const board = smallBoard(game.card);
  board.flipped = you.length === 1 && flipFor(game.card, you[0]);
  const tags = h('span', { class: 'tags' });
  const state = h('span', { class: 'soft' });
  const players = h('span', { translate: 'no' });
  const element = h('a', { class: 'card', href: `/game/${game.id}` }, board, h('strong', null, gameTitle(game.card)), players, state, tags);
  /** @param {Summary} now */
  const update = (now) => {
    board.show({ board: now.board, last: { text: '', path: now.last } });
    const side = word(now.card.sides[now.turn === 'white' ? 0 : 1].name);
    players.textContent = now.seats.map(nameAt).join(' – ');
    state.textContent = now.over ? over(now.over) : [t('turn', { side }), you.length === 1 && you[0] === now.turn && t('your_turn')].filter(Boolean).join(', ');
    tags.replaceChildren(h('span', { class: now.over ? 'tag' : 'tag live' }, t(now.over ? 'over' : 'live')), h('span', { class: 'tag' }, t('ply', { ply: now.ply })));
  };
  update(game);
  return { element, update };
}

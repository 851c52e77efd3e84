// Games that anybody may watch, on a wall of small boards that move by themselves.

import { get, listen } from './api.js';
import './board/board.js';
import { flipFor } from './board/looks.js';
import { h } from './dom.js';
import { frame, messageLine } from './frame.js';
import { settings } from './settings.js';
import { t, word } from './texts.js';

/** @typedef {import('./types.js').Summary} Summary */

const wall = h('ul', { class: 'wall' });
const nobody = h('p', { class: 'soft', hidden: true }, t('no_games'));
const message = messageLine();
/** @type {Map<string, (game: Summary) => void>} */
const shown = new Map();

frame('watch', h('h1', null, t('live_games')), message, nobody, wall);

listen('/api/games/socket', {
  // After a break the first message says that we are back: ask for everything.
  message: (game) => (game.id ? show(game, true) : load()),
  online: (online) => message.say(online ? '' : t('offline'), !online),
});

async function load() {
  const games = /** @type {Summary[]} */ (await get('/api/games'));
  for (const game of games) show(game, false);
  nobody.hidden = shown.size > 0;
}

/** @param {Summary} game @param {boolean} first */
function show(game, first) {
  const known = shown.get(game.id);
  if (known) return known(game);
  nobody.hidden = true;
  const { item, update } = gameItem(game);
  shown.set(game.id, update);
  if (first) wall.prepend(item);
  else wall.append(item);
  return undefined;
}

/** @param {Summary} game */
function gameItem(game) {
  const board = document.createElement('king-board');
  board.still = true;
  board.className = 'mini';
  board.setAttribute('aria-hidden', 'true');
  board.setup(game.card, { theme: settings.theme === 'auto' ? game.card.theme : settings.theme });
  board.flipped = flipFor(game.card, game.card.first);
  const tags = h('span', { class: 'tags' });
  const state = h('span', { class: 'soft' });
  const item = h('li', null, h('a', { class: 'card', href: `/game/${game.id}` }, board, h('strong', null, game.card.title), h('span', null, game.seats.map(seatName).join(' – ')), state, tags));
  /** @param {Summary} now */
  const update = (now) => {
    board.show({ board: now.board, last: { text: '', path: now.last } });
    const side = word(now.card.sides[now.turn === 'white' ? 0 : 1].name);
    state.textContent = now.over ? now.over.words : t('turn', { side });
    tags.replaceChildren(h('span', { class: now.over ? 'tag' : 'tag live' }, t(now.over ? 'over' : 'live')), h('span', { class: 'tag' }, t('ply', { ply: now.ply })));
  };
  update(game);
  return { item, update };
}

/** @param {import('./types.js').Seat} seat */
function seatName(seat) {
  if (seat.type === 'computer') return t('computer_level', { level: seat.level ?? 0 });
  return seat.type === 'open' ? t('waiting') : seat.name || t('guest');
}

// Games and leagues that anybody may watch: they move by themselves.

import { get, listen } from './api.js';
import { h } from './dom.js';
import { frame, messageLine } from './frame.js';
import { gameCard, smallBoard } from './pictures.js';
import { gameTitle, t } from './texts.js';

/**
 * @typedef {import('./types.js').Summary} Summary
 * @typedef {import('./types.js').LeagueCard} LeagueCard
 */

const message = messageLine();
const id = new URLSearchParams(location.search).get('league');

if (id) {
  const { openLeague } = await import('./league.js');
  openLeague(id, message);
} else {
  openWall();
}

function openWall() {
  const wall = h('ul', { class: 'wall' });
  const nobody = h('p', { class: 'empty', hidden: true }, t('no_games'));
  const leagues = h('section', { hidden: true });
  /** @type {Map<string, (game: Summary) => void>} */
  const shown = new Map();
  frame('watch', h('h1', null, t('watch')), message, leagues, h('h2', null, t('live_games')), nobody, wall);

  listen('/api/games/socket', {
    // After a break the first message says that we are back: ask for everything.
    message: (game) => (game.id ? show(game, true) : load()),
    online: (online) => message.say(online ? '' : t('offline'), !online),
  });

  async function load() {
    const [games, cards] = /** @type {[Summary[], LeagueCard[]]} */ (await Promise.all([get('/api/games'), get('/api/leagues').catch(() => [])]));
    showLeagues(leagues, cards);
    for (const game of games) show(game, false);
    nobody.hidden = shown.size > 0;
  }

  /** @param {Summary} game @param {boolean} first */
  function show(game, first) {
    const known = shown.get(game.id);
    if (known) return known(game);
    nobody.hidden = true;
    const { element, update } = gameCard(game);
    shown.set(game.id, update);
    const item = h('li', null, element);
    if (first) wall.prepend(item);
    else wall.append(item);
    return undefined;
  }
}

/** @param {HTMLElement} place @param {LeagueCard[]} cards */
function showLeagues(place, cards) {
  place.hidden = !cards.length;
  place.replaceChildren(h('h2', null, t('leagues')), h('ul', { class: 'wall' }, cards.map((league) => h('li', null,
    h('a', { class: 'card', href: `/watch?league=${encodeURIComponent(league.id)}` }, smallBoard(league.card), h('strong', { translate: 'no' }, league.name),
      h('span', { class: 'soft' }, gameTitle(league.card)),
      h('span', { class: 'tags' }, league.running && h('span', { class: 'tag live' }, t('live')), h('span', { class: 'tag' }, t('count_players', { count: league.players.length })), h('span', { class: 'tag' }, t('count_games', { count: league.games }))))))));
}

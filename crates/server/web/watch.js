// Games and leagues that anybody may watch: they move by themselves.

import { get, listen } from './api.js';
import { h } from './dom.js';
import { frame, messageLine } from './frame.js';
import { gameCard, smallBoard } from './pictures.js';
import { gameTitle, t } from './texts.js';

/**
 * @typedef {import('./types.js').Summary} Summary
 * @typedef {import('./types.js').LeagueCard} LeagueCard
 * @typedef {import('./types.js').Worker} Worker
 */

/** Milliseconds from one look at the leagues to the next. */
const LOOK = 4000;

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
  const helpers = h('section', { hidden: true });
  /** @type {Map<string, (game: Summary) => void>} */
  const shown = new Map();
  frame('watch', h('h1', null, t('watch')), message, leagues, helpers, h('h2', null, t('live_games')), nobody, wall);

  listen('/api/games/socket', {
    // After a break the first message says that we are back: ask for everything.
    message: (game) => (game.id ? show(game, true) : load()),
    online: (online) => message.say(online ? '' : t('offline'), !online),
  });

  async function load() {
    const [games] = /** @type {[Summary[], void]} */ (await Promise.all([get('/api/games'), loadLeagues()]));
    for (const game of games) show(game, false);
    nobody.hidden = shown.size > 0;
  }

  let known = '';
  /** Leagues begin and end without telling us: look now and then. */
  async function loadLeagues() {
    const ask = (/** @type {string} */ path) => get(path).catch(() => []);
    const [cards, workers] = /** @type {[LeagueCard[], Worker[]]} */ (await Promise.all([ask('/api/leagues'), ask('/api/workers')]));
    showWorkers(helpers, workers);
    const now = JSON.stringify(cards);
    if (now !== known) showLeagues(leagues, cards);
    known = now;
  }
  setInterval(() => document.visibilityState === 'visible' && loadLeagues(), LOOK);

  /** @param {Summary} game @param {boolean} first */
  function show(game, first) {
    const follow = shown.get(game.id);
    if (follow) return follow(game);
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
  const focused = place.contains(document.activeElement) ? document.activeElement?.getAttribute('href') : null;
  place.hidden = !cards.length;
  place.replaceChildren(h('h2', null, t('leagues')), h('ul', { class: 'wall' }, cards.map((league) => h('li', null,
    h('a', { class: 'card', href: `/watch?league=${encodeURIComponent(league.id)}` }, smallBoard(league.card), h('strong', { translate: 'no' }, league.name),
      h('span', { class: 'soft' }, gameTitle(league.card)),
      h('span', { class: 'tags' }, league.running && h('span', { class: 'tag live' }, t('live')), h('span', { class: 'tag' }, t('count_players', { count: league.players.length })), h('span', { class: 'tag' }, t('count_games', { count: league.games }))))))));
  if (focused) /** @type {HTMLElement | null} */ (place.querySelector(`[href="${focused}"]`))?.focus();
}

/** The machines that play for this server. @param {HTMLElement} place @param {Worker[]} workers */
function showWorkers(place, workers) {
  place.hidden = !workers.length;
  place.replaceChildren(h('h2', null, t('workers')), h('ul', null, workers.map((worker) => h('li', null,
    h('strong', { translate: 'no' }, worker.name), ` · ${t('count_games', { count: worker.games })} · `, h('span', { translate: 'no' }, worker.doing || t('worker_waits'))))));
}

// A league: standings beside the games; one main board, small boards of the others, and every
// finished game to play through. Everything follows the league without a reload.

import { get, listen, post } from './api.js';
import { h } from './dom.js';
import { frame, messageLine } from './frame.js';
import { BracketPanel, GameList, Incidents, Rounds } from './leaguepanels.js';
import { MoveList, stepByKey } from './movelist.js';
import { smallBoard, themeOf } from './pictures.js';
import { replay } from './replay.js';
import { settings } from './settings.js';
import { gameTitle, t, word } from './texts.js';

/**
 * @typedef {import('./types.js').League} League
 * @typedef {import('./types.js').LeagueLive} LeagueLive
 * @typedef {import('./types.js').LeagueRow} LeagueRow
 * @typedef {import('./types.js').LeagueGame} LeagueGame
 */

/** @param {string} id @param {ReturnType<typeof import('./frame.js').messageLine>} message */
export async function openLeague(id, message) {
  const view = new LeagueView(id);
  frame('watch', h('p', null, h('a', { href: '/watch' }, t('all_leagues'))), view.head, message, view.seat, view.body);
  try {
    view.hear(await get(`/api/leagues/${encodeURIComponent(id)}`));
  } catch (error) {
    message.fail(error);
    return;
  }
  const here = new URL(location.href);
  const code = here.searchParams.get('seat');
  if (code) {
    // The link is for one person: it does not stay in the bar, where others read it.
    here.searchParams.delete('seat');
    history.replaceState(null, '', here);
    await view.takeSeat(code).catch((error) => message.fail(error));
  }
  // Whether somebody is waited for is not in the log.
  setInterval(() => view.askSeat(), 3000);
  listen(`/api/leagues/${encodeURIComponent(id)}/socket`, {
    message: (data) => view.hear(data),
    online: (online) => message.say(online ? '' : t('offline'), !online),
  });
}

class LeagueView {
  head = h('div', { class: 'lead' });
  seat = h('div', { class: 'panel', hidden: true });
  #title = h('h2', { translate: 'no' });
  #state = h('p', { class: 'soft' });
  #board = document.createElement('king-board');
  #others = h('ul', { class: 'wall small' });
  #standings = h('div');
  #cross = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('cross_table') });
  #moves = new MoveList((ply) => this.#goTo(ply));
  #replay = h('div', { hidden: true }, this.#moves.element);
  #test = h('p', { class: 'soft', lang: 'en', hidden: true });

  /** @type {League['about'] | undefined} */
  #about;
  /** @type {LeagueLive[]} */
  #live = [];
  /** The number of the game on the main board; `null` is any that is live. @type {number | null} */
  #chosen = null;
  /** The game that is shown, and how far. */
  #shown = { number: -1, ply: -1 };
  /** @type {LeagueGame | null} */
  #game = null;
  /** @type {Map<number, { item: HTMLElement, update: (live: LeagueLive) => void }>} */
  #small = new Map();

  /** @param {string} id */
  constructor(id) {
    this.path = `/api/leagues/${encodeURIComponent(id)}`;
    this.#board.browsing = true;
    addEventListener('keydown', (event) => { if (this.#game) stepByKey(event, this.#moves.steps); });
    this.games = new GameList(this.path, (number) => this.#open(number));
    this.rounds = new Rounds(this.path, (meeting) => this.games.show(meeting));
    this.bracket = new BracketPanel();
    this.incidents = new Incidents(this.path, (game, ply) => this.#open(game, ply));
    this.body = h('div', { class: 'league', hidden: true },
      h('section', null, h('div', { class: 'panel' }, this.#title, this.#state, this.#board, this.#replay), this.#others),
      h('section', null, this.bracket.element, h('div', { class: 'panel' }, h('h2', null, t('standings')), this.#standings, this.#test),
        this.rounds.element, this.games.element, this.incidents.element,
        h('div', { class: 'panel' }, h('h2', null, t('cross_table')), this.#cross)));
  }

  /** @param {League} data */
  hear(data) {
    if (data.about) this.#begin(data.about);
    if (!this.#about) return;
    this.#live = data.live;
    this.#paintHead(data);
    if (data.table) {
      this.#paintStandings(data.table);
      this.#paintCross(data.table);
    }
    if (data.bracket) this.bracket.hear(data.bracket);
    if (data.round) this.rounds.hear(data.round);
    if (data.finished) {
      this.games.hear(data.finished);
      this.#paintTest(data.test);
      this.incidents.load();
    }
    this.#paintMain();
    this.#paintOthers();
    // Whose turn it is to sit down changes as games end.
    if (data.finished) this.askSeat();
    this.body.hidden = false;
  }

  /** The league, and whatever league has its place later. @param {NonNullable<League['about']>} about */
  #begin(about) {
    const same = JSON.stringify(about) === JSON.stringify(this.#about);
    this.#about = about;
    if (same) return;
    this.#forget();
    document.title = `${about.name} – ${t('title')}`;
    this.#board.still = true;
    this.#board.fine = true;
    this.#board.options = { ...settings, names: false };
    this.#board.setup({ ...about.card, squares: about.squares }, { theme: themeOf(about.card), label: t('board_of', { title: gameTitle(about.card) }) });
  }

  /** Nothing that is shown is worth keeping. */
  #forget() {
    this.#game = null;
    this.#chosen = null;
    this.#shown = { number: -1, ply: -1 };
    this.#replay.hidden = true;
    this.#others.replaceChildren();
    this.#small.clear();
    this.games.forget();
  }

  /** @param {League} data */
  #paintHead({ running, games }) {
    const about = /** @type {NonNullable<League['about']>} */ (this.#about);
    this.head.replaceChildren(h('h1', { translate: 'no' }, about.name), h('span', { class: 'tags' },
      h('span', { class: running ? 'tag live' : 'tag' }, t(running ? 'live' : 'not_running')), h('span', { class: 'tag' }, gameTitle(about.card)),
      h('span', { class: 'tag', translate: 'no' }, about.time), h('span', { class: 'tag' }, t('count_games', { count: games }))));
  }

  // ---- the main board ---------------------------------------------------------------------------

  #paintMain() {
    if (this.#game) return;
    const live = this.#live.find(({ number }) => number === this.#chosen) ?? this.#live[0];
    this.#title.hidden = !live;
    if (!live) {
      this.#state.textContent = t('no_live_games');
      return;
    }
    const same = this.#shown.number === live.number;
    this.#title.textContent = live.players.join(' – ');
    const side = word(/** @type {NonNullable<League['about']>} */ (this.#about).card.sides[live.turn === 'white' ? 0 : 1].name);
    this.#state.textContent = `${t('game_number', { number: live.number, round: live.round })} · ${t('turn', { side })} · ${t('ply', { ply: live.ply })}`;
    if (same && this.#shown.ply === live.ply) return;
    // A move that follows the one shown glides; anything else is simply there.
    this.#board.show({ board: live.board, last: live.last, arrived: same && live.ply === this.#shown.ply + 1 ? live.last : null });
    this.#shown = { number: live.number, ply: live.ply };
  }

  #paintOthers() {
    const about = /** @type {NonNullable<League['about']>} */ (this.#about);
    const main = this.#game ? -1 : this.#shown.number;
    const wanted = this.#live.filter(({ number }) => number !== main);
    for (const [number, { item }] of this.#small) {
      if (!wanted.some((live) => live.number === number)) {
        item.remove();
        this.#small.delete(number);
      }
    }
    for (const live of wanted) {
      if (!this.#small.has(live.number)) {
        const board = smallBoard(about.card);
        const item = h('li', null, h('button', { type: 'button', class: 'card', onclick: () => this.#watch(live.number) }, board, h('span', { class: 'soft', translate: 'no' }, live.players.join(' – '))));
        this.#small.set(live.number, { item, update: (now) => board.show({ board: now.board, last: now.last }) });
        this.#others.append(item);
      }
      this.#small.get(live.number)?.update(live);
    }
  }

  /** Puts a live game on the main board. @param {number | null} number */
  #watch(number) {
    this.#chosen = number;
    this.#game = null;
    this.#replay.hidden = true;
    this.#shown = { number: -1, ply: -1 };
    this.#paintMain();
    this.#paintOthers();
  }

  /** Plays a finished game through, from its end or from a turn. @param {number} number @param {number} [turn] */
  async #open(number, turn) {
    this.#game = /** @type {LeagueGame} */ (await get(`${this.path}/games/${number}`));
    this.#title.hidden = false;
    this.#title.textContent = this.#game.players.join(' – ');
    this.#state.replaceChildren(h('span', { lang: 'en' }, this.#game.words), ' ', h('button', { type: 'button', class: 'quiet', onclick: () => this.#watch(null) }, t('back_to_live')));
    this.#replay.hidden = false;
    this.#goTo(turn ? this.#game.opening + turn : this.#game.history.length);
    this.#paintOthers();
    this.#board.scrollIntoView({ block: 'nearest' });
  }

  /** @param {number} ply */
  #goTo(ply) {
    if (!this.#game) return;
    const { start, history } = this.#game;
    const to = Math.max(0, Math.min(history.length, ply));
    this.#board.show({ board: replay(start, history.slice(0, to)), last: history[to - 1] ?? null });
    this.#moves.show(history, to);
  }

  // ---- tables -----------------------------------------------------------------------------------

  /** Ratings with their error bars on one scale. @param {LeagueRow[]} rows */
  #paintStandings(rows) {
    const low = Math.min(...rows.map(({ elo, error }) => elo - error));
    const high = Math.max(...rows.map(({ elo, error }) => elo + error));
    const at = (/** @type {number} */ elo) => (high > low ? ((elo - low) / (high - low)) * 100 : 50);
    this.#standings.replaceChildren(h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('standings') }, h('table', { class: 'list' },
      h('thead', null, h('tr', null, h('th', null, '#'), h('th', null, t('player')), h('th', { class: 'number' }, t('points')), h('th', { class: 'number' }, t('results')), h('th', { class: 'number' }, t('elo')), h('th', { class: 'bars' }, h('span', { class: 'hidden' }, t('error_bars'))))),
      h('tbody', null, rows.map((row, index) => h('tr', null, h('td', null, index + 1), h('td', { translate: 'no' }, row.name), h('td', { class: 'number' }, row.points),
        h('td', { class: 'number' }, row.results.join('–')), h('td', { class: 'number' }, `${row.elo > 0 ? '+' : ''}${row.elo} ± ${row.error}`), h('td', { class: 'bars' }, bar(at(row.elo - row.error), at(row.elo), at(row.elo + row.error)))))))));
  }

  /** @param {LeagueRow[]} rows */
  #paintCross(rows) {
    const cell = (/** @type {[number, number]} */ [points, games], /** @type {boolean} */ self) => h('td', { class: 'number' }, self ? '×' : games ? `${points}/${games}` : '');
    this.#cross.replaceChildren(h('table', { class: 'list cross' },
      h('thead', null, h('tr', null, h('th', null, t('player')), (rows[0]?.against ?? []).map((_, index) => h('th', { class: 'number' }, index + 1)))),
      h('tbody', null, rows.map((row, index) => h('tr', null, h('th', { scope: 'row', translate: 'no' }, `${index + 1} ${row.name}`), row.against.map((score, other) => cell(score, other === index)))))));
  }

  /** How the test stands that ends the league. @param {string | undefined} test */
  #paintTest(test) {
    this.#test.hidden = !test;
    this.#test.textContent = test ?? '';
  }

  // ---- one's own seat ---------------------------------------------------------------------------

  async askSeat() {
    const nobody = { name: null, game: null, awaited: [] };
    const { name, game, awaited } = await get(this.#seatPath).catch(() => nobody);
    this.seat.hidden = !name && awaited.length === 0;
    const shown = JSON.stringify([name, game, awaited]);
    if (this.seat.dataset.shown === shown) return;
    this.seat.dataset.shown = shown;
    if (game) {
      this.seat.replaceChildren(h('p', null, t('your_seat')), h('a', { class: 'button main', href: `/game/${game}` }, t('play_seat')));
    } else if (name) {
      this.seat.replaceChildren(h('p', null, t('your_name_here', { name })));
    } else {
      this.seat.replaceChildren(h('p', null, t('awaited', { names: awaited.join(', ') })), this.#codeForm());
    }
  }

  /** Takes the seat of a code. @param {string} code */
  async takeSeat(code) {
    await post(this.#seatPath, { code });
    await this.askSeat();
  }

  get #seatPath() {
    return `${this.path}/seat`;
  }

  /** Where the code of a seat is typed. */
  #codeForm() {
    const code = /** @type {HTMLInputElement} */ (h('input', { name: 'code', required: true, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' }));
    const message = messageLine();
    return h('form', {
      class: 'row',
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        this.takeSeat(code.value).catch((error) => message.fail(error));
      },
    }, h('label', null, t('seat_code'), code), h('button', { type: 'submit' }, t('take_seat')), message);
  }
}

/** A rating on a scale of 0 to 100, with what it may be. @param {number} low @param {number} at @param {number} high */
function bar(low, at, high) {
  const line = h('span', { class: 'line' });
  const dot = h('span', { class: 'point' });
  line.style.left = `${low}%`;
  line.style.width = `${high - low}%`;
  dot.style.left = `${at}%`;
  return h('span', { class: 'errorbar', 'aria-hidden': 'true' }, line, dot);
}

// What stands beside the boards of a league: its rounds, its bracket, its games, what went wrong.

import { get } from './api.js';
import { h } from './dom.js';
import { t } from './texts.js';

/**
 * @typedef {import('./types.js').LeagueFinished} LeagueFinished
 * @typedef {import('./types.js').LeagueRound} LeagueRound
 * @typedef {import('./types.js').LeagueMeeting} LeagueMeeting
 * @typedef {import('./types.js').LeagueIncident} LeagueIncident
 * @typedef {import('./types.js').Bracket} Bracket
 * @typedef {import('./types.js').Stage} Stage
 * @typedef {import('./types.js').StageMeeting} StageMeeting
 */

/** Points as people write them: 1½. @param {number} points */
const halves = (points) => (points % 1 ? `${Math.floor(points) || ''}½` : String(points));

/** @param {[number, number]} points */
const score = ([first, second]) => `${halves(first)}–${halves(second)}`;

/** A part of the page with its heading. @param {string} title @param {...(Node | null)} children */
const panel = (title, ...children) => h('div', { class: 'panel', hidden: true }, h('h2', null, title), ...children);

// ---- rounds -------------------------------------------------------------------------------------

/** One round at a time: the one that is played, until somebody chooses another. */
export class Rounds {
  #choice = /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': t('round'), onchange: () => this.#choose(Number(this.#choice.value)) }));
  #list = h('ul', { class: 'picks' });
  element = panel(t('rounds'), this.#choice, this.#list);
  /** The number of the round that somebody chose; `null` follows the league. @type {number | null} */
  #chosen = null;
  /** What is shown, so that nothing is painted twice. */
  #shown = '';

  /** @param {string} path @param {(meeting: LeagueMeeting) => void} open */
  constructor(path, open) {
    this.path = path;
    this.open = open;
  }

  /** The round that is played now. @param {LeagueRound} round */
  async hear(round) {
    // One meeting in all is a match: its games are in the list of games.
    this.element.hidden = round.rounds === 1 && round.meetings.length + round.byes.length < 2;
    if (this.#chosen === null || this.#chosen === round.number) this.#paint(round);
    else await this.#choose(this.#chosen);
    this.#count(round.rounds);
  }

  /** @param {number} number */
  async #choose(number) {
    this.#chosen = number;
    this.#paint(await get(`${this.path}/rounds/${number}`));
  }

  /** @param {number} rounds */
  #count(rounds) {
    for (let number = this.#choice.options.length + 1; number <= rounds; number += 1) this.#choice.append(h('option', { value: number }, number));
    while (this.#choice.options.length > rounds) this.#choice.lastChild?.remove();
    this.#choice.value = this.#shownNumber;
  }

  #shownNumber = '';

  /** @param {LeagueRound} round */
  #paint(round) {
    this.#shownNumber = String(round.number);
    const now = JSON.stringify([round.number, round.meetings, round.byes]);
    if (now === this.#shown) return;
    this.#shown = now;
    this.#list.dataset.round = String(round.number);
    const focused = [...this.#list.children].findIndex((item) => item.contains(document.activeElement));
    this.#list.replaceChildren(...round.meetings.map((meeting) => h('li', null,
      h('button', { type: 'button', onclick: () => this.open(meeting) }, h('span', { class: 'names', translate: 'no' }, meeting.players.join(' – ')), meeting.games > 1 && h('small', { class: 'soft' }, t('of_games', { played: meeting.played, games: meeting.games })), h('b', null, meeting.played ? score(meeting.points) : t('not_begun'))))),
    ...round.byes.map((name) => h('li', { class: 'soft' }, t('bye', { name }))));
    if (focused >= 0) this.#list.children[focused]?.querySelector('button')?.focus();
  }
}

// ---- the bracket of a knockout ------------------------------------------------------------------

export class BracketPanel {
  #winner = h('p', { hidden: true });
  #stages = h('div', { class: 'bracket scroll', tabindex: 0, role: 'region', 'aria-label': t('bracket') });
  element = panel(t('bracket'), this.#winner, this.#stages);

  /** @param {Bracket} bracket */
  hear({ stages, winner }) {
    this.element.hidden = !stages.length;
    this.#winner.hidden = !winner;
    this.#winner.textContent = winner ? t('cup_winner', { name: winner }) : '';
    this.#stages.replaceChildren(...stages.map((stage) => h('section', null, h('h3', null, stageName(stage)),
      h('ul', null, stage.meetings.map(meetingBox), stage.byes.map((name) => h('li', { class: 'soft' }, t('bye', { name })))))));
  }
}

/** @param {Stage} stage */
function stageName({ players }) {
  if (players <= 2) return t('final');
  if (players <= 4) return t('semi_finals');
  if (players <= 8) return t('quarter_finals');
  return t('round_of', { count: 2 ** Math.ceil(Math.log2(players)) });
}

/** @param {StageMeeting} meeting */
const meetingBox = ({ players, points, winner }) => h('li', { class: 'meeting' }, players.map((name, index) => h('div', { class: winner === index ? 'wins' : '' },
  h('span', { translate: 'no' }, name), winner === index && h('span', { class: 'hidden' }, t('goes_on')), h('b', null, halves(points[index])))));

// ---- games that have ended ----------------------------------------------------------------------

/** Games that have ended, the last one first: all of a league, or those of a meeting. */
export class GameList {
  #title = h('h2', null, t('finished_games'));
  #all = h('button', { type: 'button', class: 'quiet', hidden: true, onclick: () => this.show(null) }, t('games_of_all'));
  #list = h('ul', { class: 'picks' });
  #nothing = h('p', { class: 'soft' }, t('no_finished_games'));
  #earlier = h('button', { type: 'button', class: 'quiet', hidden: true, onclick: () => this.#loadEarlier() }, t('earlier_games'));
  element = h('div', { class: 'panel' }, this.#title, this.#all, this.#nothing, h('div', { class: 'scroll tall', tabindex: 0, role: 'region', 'aria-label': t('finished_games') }, this.#list, this.#earlier));
  /** The meeting whose games are shown. @type {LeagueMeeting | null} */
  #meeting = null;
  /** The games of the list, the last one first. @type {LeagueFinished[]} */
  #games = [];
  /** The latest of all. @type {LeagueFinished[]} */
  #latest = [];

  /** @param {string} path @param {(number: number) => void} open */
  constructor(path, open) {
    this.path = path;
    this.open = open;
  }

  /** Nothing that is shown is worth keeping. */
  forget() {
    this.#games = [];
    this.#latest = [];
    this.#meeting = null;
    this.#paint();
  }

  /** The latest games. @param {LeagueFinished[]} latest */
  async hear(latest) {
    this.#latest = latest;
    if (this.#meeting) return this.#load(this.#meeting);
    const newest = this.#games[0]?.number ?? 0;
    const oldest = latest.at(-1)?.number ?? 0;
    // Games end in any order, so the newest are taken as they come; after a break all are new.
    const kept = oldest > newest ? [] : this.#games.filter(({ number }) => number < oldest);
    this.#games = [...latest, ...kept];
    return this.#paint();
  }

  /** The games of a meeting, or all. @param {LeagueMeeting | null} meeting */
  async show(meeting) {
    this.#meeting = meeting;
    this.#games = meeting ? [] : this.#latest;
    if (meeting) await this.#load(meeting);
    else this.#paint();
    this.element.scrollIntoView({ block: 'nearest' });
  }

  /** @param {LeagueMeeting} meeting */
  async #load({ first, games }) {
    const latest = await this.#ask(first, first + games);
    const oldest = latest.at(-1)?.number ?? 0;
    this.#games = [...latest, ...this.#games.filter(({ number }) => number < oldest)];
    this.#paint();
  }

  async #loadEarlier() {
    const before = this.#games.at(-1)?.number ?? 0;
    this.#games = [...this.#games, ...await this.#ask(this.#first, before)];
    this.#paint();
  }

  get #first() {
    return this.#meeting?.first ?? 1;
  }

  /** @param {number} from @param {number} before @returns {Promise<LeagueFinished[]>} */
  #ask(from, before) {
    return get(`${this.path}/games?from=${from}&before=${before}`);
  }

  #paint() {
    this.#title.textContent = this.#meeting ? t('games_of', { names: this.#meeting.players.join(' – ') }) : t('finished_games');
    this.#all.hidden = !this.#meeting;
    this.#nothing.hidden = this.#games.length > 0;
    this.#earlier.hidden = !this.#games.length || (this.#games.at(-1)?.number ?? 0) <= this.#first;
    /** @type {Map<string | undefined, Element>} */
    const there = new Map([...this.#list.children].map((item) => [/** @type {HTMLElement} */ (item).dataset.game, item]));
    const focused = document.activeElement;
    this.#list.replaceChildren(...this.#games.map((game) => there.get(String(game.number)) ?? this.#item(game)));
    if (focused instanceof HTMLElement && this.#list.contains(focused)) focused.focus();
  }

  /** @param {LeagueFinished} game */
  #item(game) {
    return h('li', { 'data-game': game.number }, h('button', { type: 'button', 'data-number': game.number, onclick: () => this.open(game.number) },
      h('span', { class: 'soft' }, `${game.number}.`), h('span', { translate: 'no' }, game.players.join(' – ')), h('b', null, score([game.white_score, 1 - game.white_score]))));
  }
}

// ---- what went wrong ----------------------------------------------------------------------------

/** The server's words for what went wrong. @type {Record<string, Parameters<typeof t>[0]>} */
const REASONS = {
  time: 'incident_time', illegal: 'incident_illegal', crash: 'incident_crash', stall: 'incident_stall',
  protocol: 'incident_protocol', resources: 'incident_resources', left: 'incident_left',
};

/** What went wrong, the last first; what a bot said is there for whom the server tells it. */
export class Incidents {
  #list = h('ul', { class: 'plain' });
  element = panel(t('incidents'), h('div', { class: 'scroll tall', tabindex: 0, role: 'region', 'aria-label': t('incidents') }, this.#list));
  #shown = '';

  /** @param {string} path @param {(game: number, ply: number) => void} open */
  constructor(path, open) {
    this.path = path;
    this.open = open;
  }

  async load() {
    const incidents = /** @type {LeagueIncident[]} */ (await get(`${this.path}/incidents`).catch(() => []));
    const now = JSON.stringify(incidents);
    if (now === this.#shown) return;
    this.#shown = now;
    this.element.hidden = !incidents.length;
    this.#list.replaceChildren(...incidents.map((incident) => this.#item(incident)));
  }

  /** @param {LeagueIncident} incident */
  #item({ game, ply, name, reason, words, more, written }) {
    return h('li', null, h('button', { type: 'button', class: 'quiet', onclick: () => this.open(game, ply) }, t('incident_at', { game, ply })), ' ',
      h('span', { translate: 'no' }, name), `: ${REASONS[reason] ? t(REASONS[reason]) : reason}`, words && h('span', { class: 'soft', lang: 'en' }, ` ${words}`), more > 0 && ` ${t('incidents_more', { count: more })}`,
      written?.length && h('pre', { translate: 'no' }, written.join('\n')));
  }
}

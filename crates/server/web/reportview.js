// The report of a game on the page: accuracy, what the endgame tables know, the course as a curve
// and as a table, and every mistake with the better line.

import { ApiError, post } from './api.js';
import { button, h } from './dom.js';
import { Graph, SIGNS } from './graph.js';
import { replay } from './replay.js';
import { accuracy, chanceOf, facts, judge } from './report.js';
import { t, word } from './texts.js';
import { worth } from './gameview.js';

/**
 * @typedef {import('./types.js').Look} Look
 * @typedef {import('./types.js').Move} Move
 * @typedef {import('./types.js').Side} Side
 * @typedef {import('./report.js').Point} Point
 */

/** How long the engine looks at each position, in ms. */
const EACH_MS = 250;
/** With more pieces than this nobody has tables. */
const FEW = 8;

/**
 * Looks at every position of a game, one after the other.
 * @param {Look} look the end of the game, with all that led there
 * @param {(ply: number) => object} question about the position after so many plies
 * @param {{ progress: (done: number, all: number) => void, signal: AbortSignal }} on
 * @returns {Promise<Point[]>}
 */
export async function examine(look, question, { progress, signal }) {
  const { history, start, position } = look;
  /** @type {Point[]} */
  const points = [];
  for (let ply = 0; ply <= history.length && !signal.aborted; ply += 1) {
    const over = ply === history.length ? position.over : null;
    const few = replay(start, history.slice(0, ply)).replaceAll('.', '').length <= FEW;
    const advice = over ? null : /** @type {import('./types.js').Advice} */ (await patiently('/api/advice', { ...question(ply), ms: EACH_MS }, signal));
    const known = few && !over ? await patiently('/api/tables', question(ply), signal) : null;
    points.push(pointOf(advice, known, over));
    progress(ply + 1, history.length + 1);
  }
  return points;
}

/** A request that waits its turn. @param {string} path @param {object} body @param {AbortSignal} signal @returns {Promise<any>} */
async function patiently(path, body, signal) {
  for (;;) {
    try {
      return await post(path, body);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 429) || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/**
 * @param {import('./types.js').Advice | null} advice
 * @param {import('./types.js').Verdict | null} known
 * @param {import('./types.js').Over | null} over
 * @returns {Point}
 */
function pointOf(advice, known, over) {
  const best = advice?.lines[0];
  if (best) return { chance: best.chance, score: best.score, wins: best.wins_in, choices: advice.choices, best: best.moves, known };
  const chance = over?.winner === 'white' ? 1 : over?.winner === 'black' ? 0 : 0.5;
  return { chance, score: 0, choices: 0, best: [], known: over ? { winner: over.winner, distance: 0, moves: [] } : known };
}

export class Report {
  /** @type {Graph} */
  #graph;
  element;

  /**
   * @param {Look} look
   * @param {Point[]} points
   * @param {{ goTo: (ply: number) => void, better: (ply: number, line: Move[]) => void }} on
   */
  constructor(look, points, on) {
    const { variant, history, position } = look;
    const even = history.length % 2 === 0;
    const first = even ? position.turn : /** @type {Side} */ (position.turn === 'white' ? 'black' : 'white');
    this.names = /** @type {[string, string]} */ (variant.sides.map(({ name }) => word(name)));
    this.points = points;
    /** The side that usually moves second may have begun. */
    this.offset = first === variant.first ? 0 : 1;
    this.moves = judge(points, history.map(({ text }) => text), first);
    const stops = points.map((point, ply) => ({ chance: chanceOf(point), label: this.#label(ply), says: this.#says(ply), kind: this.moves[ply - 1]?.kind ?? null }));
    this.#graph = new Graph(stops, { sides: this.names, firstMove: this.offset }, on.goTo);
    this.element = h('section', { class: 'report', 'aria-label': t('report') }, h('h3', null, t('report')), h('p', null, this.summary()),
      facts(points).map((fact) => h('p', { class: 'fact' }, this.#fact(fact))), this.#graph.element,
      this.#mistakes(on), h('details', null, h('summary', null, t('report_table')), this.#table(stops, on.goTo)));
  }

  /** Marks where one stands; nowhere if that is in no main line. @param {number} ply */
  show(ply) {
    if (ply >= 0 && ply < this.points.length) this.#graph.show(ply);
  }

  /** Both accuracies in a sentence. */
  summary() {
    const of = (/** @type {Side} */ side, /** @type {number} */ index) => {
      const value = accuracy(this.moves, side);
      return value === null ? t('accuracy_none', { side: this.names[index] }) : t('accuracy_is', { side: this.names[index], value });
    };
    return t('accuracy', { both: [of('white', 0), of('black', 1)].join(', ') });
  }

  /** @param {number} ply */
  #label(ply) {
    if (!ply) return t('at_start');
    const count = ply - 1 + this.offset;
    return `${Math.floor(count / 2) + 1}${count % 2 ? '…' : '.'} ${this.moves[ply - 1].text}`;
  }

  /** All that is to be said of a position and the move that led to it. @param {number} ply */
  #says(ply) {
    const { score, wins, known } = this.points[ply];
    const move = this.moves[ply - 1];
    const chance = Math.round(100 * chanceOf(this.points[ply]));
    const value = known ? this.#outcome(known.winner) : worth(score, wins);
    const parts = [`${this.#label(ply)}: ${value}`, t('chance_is', { side: this.names[0], chance })];
    if (move?.only) parts.push(t('only_move'));
    if (move?.kind) parts.push(t(`kind_${move.kind}`));
    return parts.join(', ');
  }

  /** @param {Side | null} winner */
  #outcome(winner) {
    return winner ? t('table_wins', { side: this.names[winner === 'white' ? 0 : 1] }) : t('table_draw');
  }

  /** @param {import('./report.js').Fact} fact */
  #fact({ ply, before, after }) {
    const stood = (/** @type {Side | null} */ winner) => (winner ? t('fact_won', { side: this.names[winner === 'white' ? 0 : 1] }) : t('fact_drawn'));
    const values = { move: this.#label(ply), before: stood(before), after: stood(after) };
    return before === after ? t('fact_from', values) : t('fact_until', values);
  }

  /** @param {{ goTo: (ply: number) => void, better: (ply: number, line: Move[]) => void }} on */
  #mistakes(on) {
    const bad = this.moves.filter(({ kind }) => kind);
    if (!bad.length) return h('p', { class: 'soft' }, t('no_mistakes'));
    return h('ol', { class: 'mistakes' }, bad.map(({ ply, kind, better, cost }) => h('li', null,
      button(`${this.#label(ply)}${SIGNS[/** @type {keyof typeof SIGNS} */ (kind)]}`, () => on.goTo(ply), { title: t('go_there') }),
      h('span', null, t('kind_cost', { kind: t(`kind_${/** @type {keyof typeof SIGNS} */ (kind)}`), cost: Math.round(100 * cost) })),
      better.length && button(t('better', { line: better.slice(0, 6).map(({ text }) => text).join(' ') }), () => on.better(ply, better), { class: 'quiet', title: t('better_add') }))));
  }

  /** The same as a table, for those who don't see curves. @param {import('./graph.js').Stop[]} stops @param {(ply: number) => void} goTo */
  #table(stops, goTo) {
    const row = (/** @type {import('./graph.js').Stop} */ { label, chance, kind }, /** @type {number} */ ply) => {
      const { score, wins, known } = this.points[ply];
      return h('tr', null, h('th', { scope: 'row' }, button(label, () => goTo(ply), { class: 'quiet' })),
        h('td', { class: 'number' }, known ? this.#outcome(known.winner) : worth(score, wins)), h('td', { class: 'number' }, `${Math.round(100 * chance)}%`), h('td', null, kind ? t(`kind_${kind}`) : ''));
    };
    const heads = [t('column_move'), t('evaluate'), t('column_chance', { side: this.names[0] }), t('column_remark')];
    return h('div', { class: 'scroll tall', tabindex: 0, role: 'region', 'aria-label': t('report_table') },
      h('table', { class: 'list' }, h('thead', null, h('tr', null, heads.map((head) => h('th', { scope: 'col' }, head)))), h('tbody', null, stops.map(row))));
  }
}

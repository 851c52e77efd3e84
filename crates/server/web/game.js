// One game: play it, watch it, look back. The server keeps it; this shows what it says.

import { ApiError, bring, get, listen, post } from './api.js';
import { fulfil } from './board/ahead.js';
import './board/board.js';
import { flipFor, lookOf } from './board/looks.js';
import { clocksNow } from './clocks.js';
import { button, download, h, set } from './dom.js';
import { EndCard } from './endcard.js';
import { frame, messageLine, sheet } from './frame.js';
import { IN_THE_ROW, tools, waysOn } from './gametools.js';
import { View, paintButtons } from './gameview.js';
import { icon } from './icons.js';
import { MoveList, stepByKey } from './movelist.js';
import { themeOf } from './pictures.js';
import { replay } from './replay.js';
import { onSettings, settings } from './settings.js';
import { answer } from './speak.js';
import { gameTitle, t } from './texts.js';

/**
 * @typedef {import('./types.js').Whole} Whole
 * @typedef {import('./types.js').Game} Game
 * @typedef {import('./types.js').Move} Move
 * @typedef {import('./types.js').RatingChange} RatingChange
 * @typedef {import('./board/ahead.js').Plan} Plan
 */

const id = location.pathname.split('/').pop() ?? '';
const api = `/api/games/${id}`;

/** @type {Whole | null} */
let whole = null;
/** The ply that is looked at; `null` is the latest. @type {number | null} */
let ply = null;
let received = performance.now();
/** When it was last said who is away. */
let told = performance.now();
let evaluating = false;
/** What is to be played as soon as it can be. @type {Plan | null} */
let plan = null;
/** What the game did to the ratings, once that was asked. @type {Promise<[RatingChange, RatingChange] | null> | null} */
let ratings = null;

const board = document.createElement('king-board');
const offline = h('p', { class: 'offline', role: 'alert', hidden: true }, t('offline'));
const message = messageLine();
const list = new MoveList((to) => goTo(to));
const finish = button(t('finish'), () => board.stop(), { hidden: true, class: 'main' });
const fen = h('input', { type: 'text', readonly: true, 'aria-label': t('fen') });
const input = h('input', { type: 'text', name: 'move', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'move-help' });
const help = h('p', { class: 'soft', id: 'move-help' });
const form = h('form', { onsubmit: submitText }, h('label', { class: 'field' }, h('span', null, t('your_move')), input), help);
const card = new EndCard({ closed: () => { show(null); board.takeKeys(); }, examine });
const view = new View({ id, board, act, say: (text) => message.say(text) });

const table = h('div', { class: 'table play', 'data-loading': true },
  h('section', { class: 'stage', 'aria-label': t('game') }, view.status, view.above, board, view.below, h('div', { class: 'told' }, message, finish), view.evaluation),
  h('section', { class: 'side' }, card.element, view.invite, view.offer, view.absence,
    h('div', { class: 'panel record' }, h('div', { class: 'head' }, view.title, view.spoken), view.advice, list.element),
    h('div', { class: 'panel tools' }, view.actions, view.menu.opener, view.menu.list),
    h('details', { class: 'panel' }, h('summary', null, t('type_moves')), form),
    h('details', { class: 'panel' }, h('summary', null, t('share')), share())));

frame('play', offline, table);

board.addEventListener('choose', (event) => choose(detail(event).move));
board.addEventListener('refuse', (event) => refuse(detail(event)));
board.addEventListener('plan', (event) => choosePlan(detail(event).plan));
board.addEventListener('select', (event) => {
  const { jumps, mayStop } = detail(event);
  finish.hidden = !mayStop;
  message.say(mayStop ? t('chain_or_stop') : jumps ? t('chain') : '');
});
addEventListener('keydown', keys);
onSettings(() => whole && (look(), show(null)));
setInterval(() => whole && view.paintClocks(whole, now(), !offline.hidden), 200);
setInterval(() => whole && view.paintAbsence(whole, performance.now() - told), 1000);

const socket = await enter();

/** @param {Event} event */
function detail(event) {
  return /** @type {CustomEvent} */ (event).detail;
}

/** The clocks as they stand at this moment. */
function now() {
  return clocksNow(whole?.game.clock ?? null, performance.now() - received);
}

/** Joins first, if the link says so; then listens. */
async function enter() {
  const secret = new URLSearchParams(location.hash.slice(1)).get('join');
  if (secret) {
    history.replaceState(null, '', location.pathname);
    await join(secret).catch((error) => message.say(error.message, true));
  }
  return listen(`${api}/socket`, { message: hear, online: (online) => { offline.hidden = online; set(table, 'data-unsure', !online); } });
}

/** Takes the open seat; whether a game is to be rated is asked first. @param {string} invite */
async function join(invite) {
  try {
    await post(`${api}/join`, { invite });
  } catch (error) {
    if (!(error instanceof ApiError && error.said === 'rated_consent')) throw error;
    if (await sure(t('rated_join'))) await post(`${api}/join`, { invite, rated: true });
  }
}

/** Asks for a yes or no. @param {string} question @returns {Promise<boolean>} */
function sure(question) {
  return new Promise((resolve) => {
    const dialog = sheet(question, h('div', { class: 'row' },
      button(t('yes'), () => { resolve(true); dialog.close(); }, { class: 'main' }), button(t('no'), () => dialog.close())));
    dialog.classList.add('small');
    dialog.addEventListener('close', () => resolve(false));
  });
}

// A game that can't be seen has no socket.
get(api).catch((error) => error.status === 404 && leave(error.message));

/** Says that there is nothing to see here, and leads on. @param {string} why unless there was a better reason before */
function leave(why) {
  socket.close();
  offline.hidden = true;
  if (!message.textContent) message.say(why, true);
  table.replaceWith(h('section', { class: 'empty' }, h('h1', null, t('game')), message, h('a', { class: 'button', href: '/' }, t('all_games'))));
}

/** @param {any} data */
function hear(data) {
  received = performance.now();
  if (data.whole) {
    const first = !whole;
    whole = data.whole;
    told = performance.now();
    if (first) begin();
    show(null);
    // Shown once it is complete, so that nothing jumps.
    set(table, 'data-loading', false);
    if (first) offerKeys();
    return;
  }
  if (whole && data.away) {
    whole.away = data.away;
    told = performance.now();
    view.paintAbsence(whole, 0);
    return;
  }
  if (!whole || data.seq <= whole.game.seq) return;
  const wasOver = !!whole.game.over;
  const grown = update(whole, data);
  if (grown === undefined) socket.renew();
  else show(grown);
  if (whole.game.over && !wasOver) tellEnd(whole, !!grown);
}

/** Says how the game has just ended. @param {Whole} known @param {boolean} moved whether by a move, which is heard itself */
function tellEnd(known, moved) {
  view.announceEnd(known);
  card.takeFocus();
  if (!moved) sound('end');
}

/**
 * Takes in an update; returns the move that was new, `null` if none was, `undefined` if something
 * is missing.
 * @param {Whole} known
 * @param {Game} game
 */
function update(known, game) {
  const moved = game.ply === known.history.length + 1 && game.last;
  // What was chosen for a position that is taken back means nothing.
  if (game.over || game.ply < known.history.length) plan = null;
  tellChange(known, game);
  known.game = game;
  if (moved) {
    known.history.push(moved);
    return moved;
  }
  if (game.ply > known.history.length) return undefined;
  known.history.length = game.ply;
  return null;
}

/** Says what has changed besides moves. @param {Whole} known @param {Game} game */
function tellChange({ game: before, you }, game) {
  if (game.rematch && !before.rematch && you.length) location.href = `/game/${game.rematch}`;
  const mine = before.offer && you.length === 1 && you.includes(before.offer.side);
  if (mine && !game.offer && !game.over && !game.rematch && game.ply >= before.ply) message.say(t('declined'));
  const came = before.seats.some((seat, index) => seat.type === 'open' && game.seats[index].type !== 'open');
  if (came && you.length) message.say(t('somebody_came'));
}

/** The first time the game is here. */
function begin() {
  const { variant, you } = /** @type {Whole} */ (whole);
  look();
  board.flipped = you.length === 1 && flipFor(variant, you[0]);
  view.title.replaceChildren(gameTitle(variant), ...(whole?.game.rated ? [' ', h('span', { class: 'tag' }, t('is_rated'))] : []));
}

/** Where a cursor is in sight from the start, the arrow keys move it from the start. */
function offerKeys() {
  const busy = document.activeElement !== document.body;
  if (!busy && whole?.you.length && lookOf(board.dataset.theme).everywhere) board.takeKeys();
}

function look() {
  const { variant } = /** @type {Whole} */ (whole);
  board.options = settings;
  board.setup(variant, { theme: themeOf(variant), label: t('board_of', { title: gameTitle(variant) }) });
}

/** Whether the person here is to move. */
function isMyTurn() {
  return !!whole && !whole.game.over && whole.you.includes(whole.game.turn);
}

// ---- showing ----------------------------------------------------------------------------------

/** Shows everything: the board first. @param {Move | null} arrived the move that was just made */
function show(arrived) {
  if (!whole) return;
  const { game, history: moves } = whole;
  if (arrived) ply = null;
  if (ply !== null && ply >= moves.length) ply = null;
  set(board, 'data-over', !!game.over);
  board.browsing = !!game.over || !whole.you.length;
  if (ply === null) {
    const open = game.seats.some((seat) => seat.type === 'open');
    board.show({ board: game.board, legal: isMyTurn() && !open ? game.legal : [], last: game.last, arrived, ahead: ahead(open) });
  } else {
    board.show({ board: replay(whole.start, moves.slice(0, ply)), last: moves[ply - 1] });
  }
  board.arrows = [];
  if (arrived) announce(arrived);
  card.paint(whole, board.dataset.theme ?? '');
  view.paint(whole, isMyTurn(), card.closed);
  document.title = `${isMyTurn() && whole.you.length === 1 ? t('your_turn') : view.line} – ${gameTitle(whole.variant)}`;
  view.paintClocks(whole, now(), !offline.hidden);
  paintActions();
  list.show(moves, ply ?? moves.length);
  fen.value = game.fen;
  help.textContent = t('your_move_help', { example: game.legal[0]?.text ?? '…' });
  if (game.over && game.rated) askRatings();
  if (plan && isMyTurn()) playPlan(plan);
  else if (arrived || !moves.length) autoplay();
  if (evaluating) evaluate();
}

/** What the board lets be chosen in the opponent's turn. @param {boolean} open whether a seat is */
function ahead(open) {
  const { game, you } = /** @type {Whole} */ (whole);
  return settings.premove && !open && !game.over && you.length === 1 && !isMyTurn() ? { side: you[0], plan } : null;
}

/** What the game did to the ratings, asked once. */
async function askRatings() {
  if (ratings) return;
  ratings = get(`${api}/ratings`);
  const changes = await ratings.catch(() => null);
  if (changes && whole) card.paintRatings(whole, changes);
}

/** @param {Move} move */
function announce(move) {
  const { game } = /** @type {Whole} */ (whole);
  view.announce(/** @type {Whole} */ (whole), move);
  message.say('');
  sound(game.over ? 'end' : move.becomes ? 'crown' : move.captured || move.huffed !== undefined ? 'capture' : 'move');
}

/** @param {Parameters<typeof import('./sounds.js').play>[0]} name */
function sound(name) {
  // A sound that can't be had is none.
  if (settings.sounds) import('./sounds.js').then((sounds) => sounds.play(name), () => {});
}

/** The ways on stand on the card of the end while it is open, with the other buttons otherwise. */
function paintActions() {
  const known = /** @type {Whole} */ (whole);
  const on = { act, hint, resign, evaluate: toggleEvaluation, flip };
  const ways = waysOn(known, on);
  const all = card.isOpen ? tools(known, evaluating, on) : [...ways, ...tools(known, evaluating, on)];
  paintButtons(card.ways, known.game.over ? ways : []);
  paintButtons(view.actions, all.slice(0, IN_THE_ROW));
  paintButtons(view.menu.list, all.slice(IN_THE_ROW));
  view.menu.opener.hidden = all.length <= IN_THE_ROW;
}

// ---- doing ------------------------------------------------------------------------------------

/** @param {Move} move */
async function play(move) {
  const names = /** @type {Whole} */ (whole).variant.squares;
  await send(move.path.map((square) => names[square]).join('-'));
}

/** Takes note of what is to be played in one's own turn. @param {Plan | null} next */
function choosePlan(next) {
  const before = plan;
  plan = next;
  if (plan) message.say(t('planned', { move: planText(plan) }));
  else message.say(before ? t('plan_back') : '');
}

/** @param {Plan} planned */
function planText({ from, to }) {
  const { squares } = /** @type {Whole} */ (whole).variant;
  return `${squares[from]}-${squares[to]}`;
}

/** Plays what was chosen in the opponent's turn, if it is a move now. @param {Plan} planned */
function playPlan(planned) {
  const { game } = /** @type {Whole} */ (whole);
  const move = fulfil(planned, game.legal);
  plan = null;
  if (!move) message.say(t('plan_gone', { move: planText(planned) }), true);
  else choose(move);
}

/** @param {Move} move */
function choose(move) {
  if (settings.confirm) askFirst(move);
  else play(move);
}

/** Asks at the board before a move is sent. @param {Move} move */
function askFirst(move) {
  const answered = (/** @type {() => void} */ then) => () => { message.say(''); then(); };
  const yes = button(t('play_move', { move: move.text }), answered(() => play(move)), { class: 'main' });
  message.replaceChildren(h('span', { class: 'row' }, yes, button(t('no'), answered(() => board.restore()))));
  yes.focus();
}

/**
 * Sends a move; a refusal is shown in the server's words.
 * @param {string} text
 * @param {boolean} [chain] whether jumps were made on the board, which stay made if the next was none
 */
async function send(text, chain = false) {
  try {
    await post(`${api}/moves`, { move: text });
  } catch (error) {
    if (!chain) board.restore();
    complain(error);
  }
}

/** @param {unknown} error */
function complain(error) {
  message.fail(error);
  sound('refused');
}

/** Asks the server why a choice is none. @param {{ squares: number[], unused?: boolean }} choice */
async function refuse({ squares, unused }) {
  if (!whole) return;
  const { game } = whole;
  const waiting = game.seats.some((seat) => seat.type === 'open');
  if (ply !== null) message.say(t('looking_back'), true);
  else if (game.over) message.say(t('game_over'), true);
  else if (unused) message.say(t('refused_unused'), true);
  else if (!isMyTurn() && !waiting) message.say(t(whole.you.length ? 'not_your_turn' : 'spectator'), true);
  else await send(squares.map((square) => whole?.variant.squares[square]).join('-'), squares.length > 2);
}

/** @param {string} action */
async function act(action) {
  try {
    const game = await post(`${api}/actions`, { action });
    if (action === 'rematch' && game.rematch) location.href = `/game/${game.rematch}`;
  } catch (error) {
    complain(error);
  }
}

async function resign() {
  if (await sure(t('sure'))) act('resign');
}

function flip() {
  board.flipped = !board.flipped;
  show(null);
}

/** The one possible turn, if the person wants it played. */
function autoplay() {
  const { game } = /** @type {Whole} */ (whole);
  if (!settings.autoplay || !isMyTurn() || game.legal.length !== 1) return;
  const { seq } = game;
  setTimeout(() => whole?.game.seq === seq && play(game.legal[0]), 500);
}

/** A question about the position after so many plies. @param {number} plies */
function question(plies) {
  const { variant, toml, size, fen: from, history: moves } = /** @type {Whole} */ (whole);
  const played = moves.slice(0, plies).map((move) => move.path.map((square) => variant.squares[square]).join('-'));
  return { variant: variant.name, toml, size, fen: from, moves: played };
}

/** Asks the engine about the position at hand. @param {number} ms */
async function ask(ms) {
  const shown = ply ?? /** @type {Whole} */ (whole).history.length;
  return /** @type {import('./types.js').Advice} */ (await post('/api/advice', { ...question(shown), ms }));
}

/** Looks at every position of the game, and tells how well it was played. @param {(text: string) => void} tell */
async function examine(tell) {
  const { variant, start, history: moves, game } = /** @type {Whole} */ (whole);
  const look = { variant, start, history: moves, position: game };
  const report = await bring(import('./reportview.js'));
  const progress = (/** @type {number} */ done, /** @type {number} */ all) => tell(t('progress', { done, all }));
  const points = await report.examine(look, question, { progress, signal: new AbortController().signal });
  tell(new report.Report(look, points, { goTo, better: () => {} }).summary());
}

async function hint() {
  try {
    const { lines } = await ask(700);
    if (!lines.length) return;
    const [move] = lines[0].moves;
    board.arrows = move.path.slice(1).map((to, index) => ({ from: move.path[index], to, kind: 'hint' }));
    message.say(t('hint_is', { move: move.text }));
  } catch (error) {
    complain(error);
  }
}

function toggleEvaluation() {
  evaluating = !evaluating;
  view.showEvaluation(evaluating);
  paintActions();
  if (evaluating) evaluate();
}

async function evaluate() {
  try {
    view.paintEvaluation(await ask(500));
  } catch {
    // The next position brings the next try.
  }
}

/** @param {number} to */
function goTo(to) {
  const { history: moves } = /** @type {Whole} */ (whole);
  const next = Math.max(0, Math.min(moves.length, to));
  ply = next === moves.length ? null : next;
  show(null);
}

/** @param {KeyboardEvent} event */
function keys(event) {
  // The board takes the keys that it knows for itself.
  if (event.key === 'Escape') board.cancelPlan();
  else if (whole) stepByKey(event, list.steps, { f: flip });
}

/** A move or a command, typed. @param {SubmitEvent} event */
async function submitText(event) {
  event.preventDefault();
  const text = input.value.trim();
  if (!whole || !text) return;
  input.value = '';
  const reply = answer(text, whole, board, now());
  if (reply) message.say(reply);
  else if (whole.game.over) message.say(t('game_over'), true);
  else await send(text);
}

function share() {
  const openImport = async () => (await bring(import('./newgame.js'))).openImport(whole?.variant.name);
  return h('div', null, h('label', { class: 'field' }, h('span', null, t('fen')), fen),
    h('div', { class: 'row' },
      h('button', { type: 'button', onclick: async () => download(`kingme-${id}.pdn`, await get(`${api}/pdn`)) }, icon('download'), t('pdn')),
      h('button', { type: 'button', onclick: openImport }, icon('import'), t('import')),
      h('button', { type: 'button', onclick: () => { location.href = `/analyse?game=${id}`; } }, icon('analyse'), t('study'))));
}

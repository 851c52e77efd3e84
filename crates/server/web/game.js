// One game: play it, watch it, look back. The server keeps it; this shows what it says.

import { ApiError, get, listen, post } from './api.js';
import './board/board.js';
import { flipFor } from './board/looks.js';
import { clockText, clocksNow } from './clocks.js';
import { button, download, h, set } from './dom.js';
import { frame, messageLine, rulesInWords, sheet } from './frame.js';
import { MoveList } from './movelist.js';
import { replay } from './replay.js';
import { onSettings, settings } from './settings.js';
import { answer } from './speak.js';
import { t, word } from './texts.js';

/**
 * @typedef {import('./types.js').Whole} Whole
 * @typedef {import('./types.js').Game} Game
 * @typedef {import('./types.js').Side} Side
 * @typedef {import('./types.js').Move} Move
 */

const id = location.pathname.split('/').pop() ?? '';
const api = `/api/games/${id}`;

/** @type {Whole | null} */
let whole = null;
/** The ply that is looked at; `null` is the latest. @type {number | null} */
let ply = null;
let received = performance.now();
let evaluating = false;

const board = document.createElement('king-board');
const status = h('h1', { class: 'status' });
const offline = h('p', { class: 'offline', role: 'alert', hidden: true }, t('offline'));
const message = messageLine();
const spoken = h('p', { class: 'soft', role: 'status', 'aria-live': 'polite', id: 'spoken' });
const invite = h('div', { class: 'panel', hidden: true });
const offer = h('div', { class: 'panel', hidden: true, role: 'alert' });
const result = h('p', { class: 'result', hidden: true });
const players = { white: h('div', { class: 'player' }), black: h('div', { class: 'player' }) };
const [above, below] = [h('div'), h('div')];
const list = new MoveList((to) => goTo(to));
const finish = button(t('finish'), () => board.stop(), { hidden: true, class: 'main' });
const buttons = h('div', { class: 'row' });
const fen = h('input', { type: 'text', readonly: true, 'aria-label': t('fen') });
const advice = h('p', { class: 'soft', hidden: true });
const bar = h('div');
const evaluation = h('div', { class: 'evalbar', hidden: true, role: 'img' }, bar);
const input = h('input', { type: 'text', name: 'move', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'move-help' });
const help = h('p', { class: 'soft', id: 'move-help' });
const form = h('form', { onsubmit: submitText }, h('label', { class: 'field' }, h('span', null, t('your_move')), input), help);

const table = h('div', { class: 'table', 'data-loading': true },
  h('section', { class: 'stage', 'aria-label': t('game') }, status, above, board, below, evaluation, message, finish),
  h('section', { class: 'side' }, invite, offer,
    h('div', { class: 'panel' }, result, spoken, advice, buttons),
    h('div', { class: 'panel' }, h('h2', null, t('moves')), list.element),
    h('div', { class: 'panel' }, form),
    h('details', { class: 'panel' }, h('summary', null, t('share')), share())));

frame('play', offline, table);

board.addEventListener('choose', (event) => play(detail(event).move));
board.addEventListener('refuse', (event) => refuse(detail(event)));
board.addEventListener('select', () => message.say(''));
board.addEventListener('stop-possible', (event) => {
  finish.hidden = !detail(event).possible;
  if (detail(event).possible) message.say(t('chain'));
});
addEventListener('keydown', keys);
onSettings(() => whole && (look(), show(null)));
setInterval(paintClocks, 200);

const socket = await enter();

/** @param {Event} event */
function detail(event) {
  return /** @type {CustomEvent} */ (event).detail;
}

/** Joins first, if the link says so; then listens. */
async function enter() {
  const secret = new URLSearchParams(location.hash.slice(1)).get('join');
  if (secret) {
    history.replaceState(null, '', location.pathname);
    await post(`${api}/join`, { invite: secret }).catch((error) => message.say(error.message, true));
  }
  return listen(`${api}/socket`, { message: hear, online: (online) => { offline.hidden = online; } });
}

// A game that can't be seen has no socket: say so.
get(api).catch((error) => {
  set(table, 'data-loading', false);
  message.say(error.message, true);
});

/** @param {any} data */
function hear(data) {
  received = performance.now();
  if (data.whole) {
    const first = !whole;
    whole = data.whole;
    if (first) begin();
    show(null);
    // Shown once it is complete, so that nothing jumps.
    set(table, 'data-loading', false);
    return;
  }
  if (!whole || data.seq <= whole.game.seq) return;
  const grown = update(whole, data);
  if (grown === undefined) socket.renew();
  else show(grown);
}

/**
 * Takes in an update; returns the move that was new, `null` if none was, `undefined` if something
 * is missing.
 * @param {Whole} known
 * @param {Game} game
 */
function update(known, game) {
  const moved = game.ply === known.history.length + 1 && game.last;
  known.game = game;
  if (moved) {
    known.history.push(moved);
    return moved;
  }
  if (game.ply > known.history.length) return undefined;
  known.history.length = game.ply;
  return null;
}

/** The first time the game is here. */
function begin() {
  const { variant, you } = /** @type {Whole} */ (whole);
  look();
  board.flipped = you.length === 1 && flipFor(variant, you[0]);
  document.title = `${variant.title} – ${t('title')}`;
}

function look() {
  const { variant } = /** @type {Whole} */ (whole);
  board.options = settings;
  board.setup(variant, { theme: settings.theme === 'auto' ? variant.theme : settings.theme, label: t('board_of', { title: variant.title }) });
}

/** @param {Side} side */
const nameOf = (side) => word(/** @type {Whole} */ (whole).variant.sides[side === 'white' ? 0 : 1].name);

/** Whether the person here is to move. */
function isMyTurn() {
  return !!whole && !whole.game.over && whole.you.includes(whole.game.turn);
}

// ---- showing ----------------------------------------------------------------------------------

/** Shows everything. @param {Move | null} arrived the move that was just made */
function show(arrived) {
  if (!whole) return;
  const { game, history: moves } = whole;
  if (arrived) ply = null;
  if (ply !== null && ply >= moves.length) ply = null;
  set(board, 'data-over', !!game.over);
  if (ply === null) {
    const open = game.seats.some((seat) => seat.type === 'open');
    board.show({ board: game.board, legal: isMyTurn() && !open ? game.legal : [], last: game.last, arrived });
  } else {
    board.show({ board: replay(whole.start, moves.slice(0, ply)), last: moves[ply - 1] });
  }
  board.arrows = [];
  if (arrived) announce(arrived);
  paintStatus();
  paintPlayers();
  paintOffer();
  paintButtons();
  paintInvite();
  list.show(moves, ply ?? moves.length);
  fen.value = game.fen;
  help.textContent = t('your_move_help', { example: game.legal[0]?.text ?? '…' });
  if (arrived || !moves.length) autoplay();
  if (evaluating) evaluate();
}

/** @param {Move} move */
function announce(move) {
  const { game } = /** @type {Whole} */ (whole);
  const mover = game.turn === 'white' ? 'black' : 'white';
  spoken.textContent = t('moved', { side: nameOf(mover), move: move.text });
  message.say('');
  if (settings.sounds) {
    import('./sounds.js').then(({ play: sound }) => sound(game.over ? 'end' : move.becomes ? 'crown' : move.captured ? 'capture' : 'move'));
  }
}

function paintStatus() {
  const { game, you } = /** @type {Whole} */ (whole);
  const { over } = game;
  const line = over ? (over.winner ? t('wins', { side: nameOf(over.winner) }) : t('draw')) : t('turn', { side: nameOf(game.turn) });
  const seat = game.seats[game.turn === 'white' ? 0 : 1];
  const extra = over ? '' : you.length === 0 ? t('spectator') : seat.type === 'computer' ? t('thinking') : you.length === 1 && isMyTurn() ? t('your_turn') : '';
  status.replaceChildren(h('span', { id: 'status', role: 'status' }, line), h('span', { class: 'soft' }, extra));
  result.hidden = !over;
  result.textContent = over?.words ?? '';
}

function paintPlayers() {
  const { game, variant, you } = /** @type {Whole} */ (whole);
  for (const side of /** @type {Side[]} */ (['white', 'black'])) {
    const seat = game.seats[side === 'white' ? 0 : 1];
    const name = seat.type === 'computer' ? t('computer_level', { level: seat.level ?? 0 })
      : seat.type === 'open' ? t('waiting')
        : seat.name || (you.includes(side) ? t('you') : t('guest'));
    players[side].replaceChildren(h('b', null, nameOf(side)), h('span', { class: 'soft' }, name), h('span', { class: 'clock', hidden: !game.clock, 'data-side': side }));
  }
  const top = board.flipped ? (variant.top === 'white' ? 'black' : 'white') : variant.top;
  above.replaceChildren(players[top]);
  below.replaceChildren(players[top === 'white' ? 'black' : 'white']);
  paintClocks();
}

function paintClocks() {
  if (!whole?.game.clock) return;
  const now = clocksNow(whole.game.clock, performance.now() - received);
  for (const side of /** @type {Side[]} */ (['white', 'black'])) {
    const clock = players[side].querySelector('.clock');
    if (!clock) continue;
    clock.textContent = clockText(now[side]);
    clock.classList.toggle('runs', whole.game.clock.running === side);
    clock.classList.toggle('low', now[side] < 20_000 && whole.game.clock.running === side);
  }
}

function paintOffer() {
  const { game, you } = /** @type {Whole} */ (whole);
  offer.hidden = !game.offer || !you.length;
  if (!game.offer) return;
  const { side, offer: kind } = game.offer;
  if (you.includes(side)) offer.replaceChildren(t('offered'));
  else {
    offer.replaceChildren(h('p', null, t(`offers_${kind}`, { side: nameOf(side) })),
      h('div', { class: 'row' }, button(t('accept'), () => act('accept'), { class: 'main' }), button(t('decline'), () => act('decline'))));
  }
}

function paintInvite() {
  const { game } = /** @type {Whole} */ (whole);
  const secret = sessionStorage.getItem(`invite:${id}`);
  const open = game.seats.findIndex((seat) => seat.type === 'open');
  invite.hidden = open < 0 || !secret;
  if (invite.hidden || invite.childElementCount) return;
  const link = h('input', { type: 'text', readonly: true, id: 'invite', 'aria-label': t('link'), value: `${location.origin}/game/${id}#join=${secret}` });
  invite.replaceChildren(h('p', null, t('invite', { side: nameOf(open ? 'black' : 'white') })),
    h('div', { class: 'row' }, link, button(t('copy'), () => navigator.clipboard.writeText(link.value).then(() => message.say(t('copied'))))));
}

function paintButtons() {
  const { game, you, history: moves } = /** @type {Whole} */ (whole);
  const playing = you.length > 0;
  const running = playing && !game.over;
  const by = /** @type {[boolean, string, () => void, Record<string, any>?][]} */ ([
    [playing && moves.length > 0, t('take_back'), () => act('take_back')],
    [running, t('hint'), hint],
    [running, t('offer_draw'), () => act('draw')],
    [running, t('resign'), resign],
    [playing && !!game.over && !game.rematch, t('rematch'), () => act('rematch'), { class: 'main' }],
    [!!game.rematch, t('next_game'), () => { location.href = `/game/${game.rematch}`; }, { class: 'main' }],
    [true, t('evaluate'), toggleEvaluation, { 'aria-pressed': String(evaluating) }],
    [true, t('flip'), flip],
    [true, t('rules'), () => whole && sheet(whole.variant.title, rulesInWords(whole.variant.words))],
    [true, t('new_game'), () => { location.href = '/'; }],
  ]);
  const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.textContent;
  const within = buttons.contains(document.activeElement);
  buttons.replaceChildren(...by.filter(([shown]) => shown).map(([, label, action, more]) => button(label, action, more)));
  if (within) [...buttons.querySelectorAll('button')].find((b) => b.textContent === focused)?.focus();
}

// ---- doing ------------------------------------------------------------------------------------

/** @param {Move} move */
async function play(move) {
  const names = /** @type {Whole} */ (whole).variant.squares;
  await send(move.path.map((square) => names[square]).join('-'));
}

/** Sends a move; a refusal is shown in the server's words. @param {string} text */
async function send(text) {
  try {
    await post(`${api}/moves`, { move: text });
  } catch (error) {
    complain(error);
    board.restore();
  }
}

/** @param {unknown} error */
function complain(error) {
  message.say(error instanceof ApiError ? error.message : t('error_offline'), true);
  if (settings.sounds) import('./sounds.js').then(({ play: sound }) => sound('refused'));
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
  else await send(squares.map((square) => whole?.variant.squares[square]).join('-'));
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

function resign() {
  const dialog = sheet(t('sure'), h('div', { class: 'row' },
    button(t('yes'), () => { dialog.close(); act('resign'); }, { class: 'main' }), button(t('no'), () => dialog.close())));
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

/** A question to the engine about the position at hand. @param {number} ms */
async function ask(ms) {
  const { variant, toml, history: moves, start } = /** @type {Whole} */ (whole);
  const shown = moves.slice(0, ply ?? moves.length).map((move) => move.path.map((square) => variant.squares[square]).join('-'));
  const size = variant.sizes && !toml ? variant.grid.length : null;
  const begins = variant.grid.join('').replace(/[_#]/g, '') === start;
  if (!begins) return post('/api/advice', { variant: variant.name, toml, size, fen: whole?.game.fen, ms });
  return post('/api/advice', { variant: variant.name, toml, size, moves: shown, ms });
}

async function hint() {
  try {
    const { lines } = /** @type {import('./types.js').Advice} */ (await ask(700));
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
  advice.hidden = !evaluating;
  evaluation.hidden = !evaluating;
  paintButtons();
  if (evaluating) evaluate();
}

async function evaluate() {
  try {
    const { lines, depth } = /** @type {import('./types.js').Advice} */ (await ask(500));
    const score = lines[0]?.score ?? 0;
    advice.textContent = t('score_is', { score: score.toFixed(2), depth, line: lines[0]?.moves.map((move) => move.text).join(' ') ?? '' });
    bar.style.width = `${50 + 50 * Math.tanh(score / 3)}%`;
    evaluation.setAttribute('aria-label', `${t('evaluate')} ${score.toFixed(2)}`);
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
  const target = /** @type {HTMLElement} */ (event.target);
  if (!whole || target.closest('input, textarea, select, [role=grid], dialog, .options') || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = ply ?? whole.history.length;
  if (event.key === 'ArrowLeft') goTo(at - 1);
  else if (event.key === 'ArrowRight') goTo(at + 1);
  else if (event.key === 'f') flip();
  else return;
  event.preventDefault();
}

/** A move or a command, typed. @param {SubmitEvent} event */
async function submitText(event) {
  event.preventDefault();
  const text = input.value.trim();
  if (!whole || !text) return;
  input.value = '';
  const reply = answer(text, whole, board, clocksNow(whole.game.clock, performance.now() - received));
  if (reply) message.say(reply);
  else if (whole.game.over) message.say(t('game_over'), true);
  else await send(text);
}

function share() {
  return h('div', null, h('label', { class: 'field' }, h('span', null, t('fen')), fen),
    h('div', { class: 'row' },
      button(t('pdn'), async () => download(`kingme-${id}.pdn`, await get(`${api}/pdn`))),
      button(t('study'), () => { location.href = `/analyse?game=${id}`; })));
}

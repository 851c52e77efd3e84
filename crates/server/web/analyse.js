// Study: free moves with variations, a set-up editor, the engine's lines, and whole games.

import { bring, get, post } from './api.js';
import './board/board.js';
import { drawPiece } from './board/pieces.js';
import { button, choice, chosen, download, h, svg } from './dom.js';
import { frame, messageLine } from './frame.js';
import { icon } from './icons.js';
import { GameList, fenOf } from './importing.js';
import { stepByKey, steps } from './movelist.js';
import { themeOf } from './pictures.js';
import { Report, examine } from './reportview.js';
import { onSettings, settings } from './settings.js';
import { gameTitle, over, t, word } from './texts.js';
import { Thinking } from './thinking.js';
import { Tree } from './tree.js';
import { TreeView } from './treeview.js';
import { Keeper } from './works.js';

/**
 * @typedef {import('./types.js').Look} Look
 * @typedef {import('./types.js').Card} Card
 * @typedef {import('./types.js').PaperGame} PaperGame
 * @typedef {import('./types.js').Import} Import
 */

/** What is studied: a game's rules, a start, what a file said about it, and a tree of moves. */
const study = { ...blank('international'), tree: new Tree() };
/** @type {Look | null} */
let look = null;
/** @type {string | null} the letter to put on the board while setting up */
let brush = null;
let layout = '';
/** @type {Card[]} all games of the program */
let cards = [];
/** With more pieces than this nobody has tables. */
const FEW = 8;

const board = document.createElement('king-board');
const message = messageLine();
const game = h('select', { name: 'game', onchange: () => reset({ variant: game.value }) });
/** Where this study comes from: a game that was played, or one that somebody keeps. @type {{ game?: string, study?: string }} */
let source = {};
const keeper = new Keeper('study', {
  body: written, address: (id) => `/analyse?study=${id}`, say: (text, bad) => message.say(text, bad),
  title: () => titleOf(), kept: (id) => { source = { study: id }; remember(); },
});
const moves = new TreeView({ goTo: (node) => go(() => study.tree.goTo(node)), changed: () => go(() => {}) });
const engine = new Thinking({ play: (move) => go(() => study.tree.play(move), move), arrows: pointOut });
const verdict = h('div', { class: 'verdict', role: 'status' });
const text = h('textarea', { 'aria-label': t('import'), placeholder: t('import_help'), spellcheck: 'false' });
const file = h('input', { type: 'file', accept: '.pdn,.fen,.txt', 'aria-label': t('import_file'), onchange: () => { const [given] = file.files ?? []; if (given) load(given); } });
const games = new GameList({ cards: () => cards, progress: (text) => message.say(text), open, fail: complain });
const fen = h('input', { type: 'text', readonly: true, 'aria-label': t('fen') });
const chart = h('div');
/** @type {Report | null} */
let report = null;
/** Ends the making of a report. */
let examination = new AbortController();
const tools = h('div', { class: 'panel setup', hidden: true });
/** Through the moves. @type {import('./movelist.js').Steps} */
const through = {
  first: () => go(() => study.tree.toStart()), previous: () => go(() => study.tree.back()),
  next: () => go(() => study.tree.forward()), latest: () => go(() => study.tree.toEnd()),
};
const onward = tool('play', 'play_from_here', playFromHere);

frame('analyse', h('div', { class: 'table' },
  h('section', { class: 'stage' }, h('h1', null, t('analysis')), board, engine.bar, tools, message),
  h('section', { class: 'side' },
    h('div', { class: 'panel' }, h('h2', null, t('moves')), moves.element, steps(through), chart),
    h('div', { class: 'panel' }, h('label', { class: 'field' }, h('span', null, t('game')), game),
      verdict, engine.element,
      h('div', { class: 'actions pairs' }, onward, tool('flip', 'flip', () => { board.flipped = !board.flipped; }), tool('setup', 'setup', setUp), tool('evaluate', 'whole_game', evaluateAll))),
    keeper.element,
    h('details', { class: 'panel' }, h('summary', null, t('import')), text, h('div', { class: 'row' }, button(t('load'), () => load(new Blob([text.value])), { class: 'main' }), file), games.element),
    h('details', { class: 'panel' }, h('summary', null, t('export')), h('label', { class: 'field' }, h('span', null, t('fen')), fen),
      h('button', { type: 'button', onclick: save }, icon('download'), t('pdn'))))));

board.addEventListener('choose', (event) => {
  const { move } = /** @type {CustomEvent} */ (event).detail;
  go(() => study.tree.play(move), move);
});
board.addEventListener('refuse', (event) => refuse(/** @type {CustomEvent} */ (event).detail.squares));
board.addEventListener('pick', (event) => putPiece(/** @type {CustomEvent} */ (event).detail.square));
addEventListener('keydown', (event) => {
  // The board takes the keys that it knows for itself, and who sets up a position is not to lose it.
  if (tools.hidden) stepByKey(event, through);
});
board.browsing = true;
onSettings(() => {
  layout = '';
  if (tools.hidden) paint(null);
  else if (look) { dress(look.variant); board.show({ board: look.position.board }); }
});

start();

async function start() {
  cards = /** @type {Card[]} */ (await get('/api/variants'));
  game.replaceChildren(...cards.map((card) => h('option', { value: card.name }, gameTitle(card))));
  const query = new URLSearchParams(location.search);
  const [id, own] = [query.get('game'), query.get('study')];
  const restored = history.state?.study;
  if (restored) await restore(history.state);
  else if (own) await loadStudy(own);
  else if (id) await loadGame(id);
  else await reset({ variant: query.get('variant') ?? study.variant, size: Number(query.get('size')) || null, fen: query.get('fen') });
  if (look && !restored) await walk(query.get('moves')?.split(' ') ?? []);
  if (look) remember();
  if (look) return;
  // What the address asks for is not there: a board all the same, and the reason.
  const reason = message.textContent ?? '';
  await reset({});
  message.say(reason, true);
}

/** @param {import('./icons.js').Icon} sign @param {import('./texts.js').Key} key @param {() => void} action */
function tool(sign, key, action) {
  return h('button', { type: 'button', onclick: action }, icon(sign), t(key));
}

/** The sheet of a game that goes on where one stands. */
async function playFromHere() {
  const card = cards.find(({ name }) => name === study.variant);
  if (!card || !look) return;
  if (look.position.over) {
    message.say(t('game_over'), true);
    return;
  }
  const { openGame } = await bring(import('./newgame.js'));
  await openGame(card, { fen: study.fen, size: study.size, moves: study.tree.line().map(({ squares }) => squares) });
}

/** A game of which nothing is known yet. @param {string} variant @returns {Omit<PaperGame, 'line'>} */
function blank(variant) {
  return { variant, toml: null, size: null, fen: null, tags: [] };
}

/** Begins anew; if that can't be, everything stays as it is. @param {Partial<PaperGame>} what */
async function reset({ line = [], ...what }) {
  const before = { ...study };
  Object.assign(study, blank(study.variant), what, { tree: new Tree() });
  study.tree.read(line);
  const [from, id, title] = [source, keeper.id, keeper.title];
  source = {};
  keeper.leave();
  if (await refresh()) forgetReport();
  else {
    Object.assign(study, before);
    source = from;
    if (id) keeper.goOn(id, { title, yours: true });
  }
  game.value = study.variant;
}

// ---- the address, and what outlives a reload ----------------------------------------------------

/** The study as a text. */
function written() {
  const { tree, ...about } = study;
  return JSON.stringify({ ...about, line: tree.write() });
}

/** The study of a text; whoever shares one may have written anything. @param {string} text @returns {PaperGame} */
function readWritten(text) {
  const { variant, toml, size, fen: from, tags, line } = JSON.parse(text);
  return { variant, toml, size, fen: from, tags: Array.isArray(tags) ? tags : [], line: Array.isArray(line) ? line : [] };
}

/** What a study is called that nobody has named. */
function titleOf() {
  const tag = (/** @type {string} */ name) => study.tags.find((one) => one.name === name)?.value ?? '';
  const card = cards.find(({ name }) => name === study.variant);
  return tag('White') || tag('Black') ? `${tag('White') || '?'} – ${tag('Black') || '?'}` : look ? gameTitle(card ?? look.variant) : study.variant;
}

/** Puts where one stands into the address, and all that there is into what a reload brings back. */
function remember() {
  const here = study.tree.line().map(({ squares }) => squares);
  const about = source.game || source.study ? source : { variant: study.variant, size: study.size, fen: study.fen };
  const given = Object.entries({ ...about, moves: here.join(' ') }).filter(([, value]) => value);
  const state = { study: written(), here, source, own: keeper.id, title: keeper.title };
  try {
    history.replaceState(state, '', `/analyse?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`);
  } catch {
    // A browser allows so many a minute; the next move is remembered again.
  }
  keeper.changed();
}

/** Brings back what was there before a reload. @param {any} state */
async function restore(state) {
  await reset(readWritten(state.study));
  ({ source } = state);
  if (state.own) keeper.goOn(state.own, { title: state.title, yours: true });
  await walk(state.here);
}

/** Goes along some moves, those of the study or others. @param {string[]} wanted */
async function walk(wanted) {
  if (!wanted.length) return;
  for (const squares of wanted) study.tree.follow(squares);
  if (await refresh()) {
    study.tree.name(look?.history ?? []);
    paint(null);
  } else {
    study.tree.toStart();
    await refresh();
  }
}

/** @param {string} id */
async function loadStudy(id) {
  try {
    const work = await keeper.find(id);
    await reset(readWritten(work.body));
    source = { study: id };
    keeper.goOn(id, work);
  } catch (error) {
    complain(error);
  }
}

/** A request about the position at hand. @param {string[]} [line] */
function question(line = study.tree.line().map(({ squares }) => squares)) {
  const { variant, toml, size, fen: from } = study;
  return { variant, toml, size, fen: from, moves: line };
}

/** Does something with the tree and shows where that leads. @param {() => void} action @param {import('./types.js').Move | null} [arrived] */
async function go(action, arrived = null) {
  action();
  await refresh(arrived);
}

/** Shows where one stands; `false` if there is no such position. @param {import('./types.js').Move | null} [arrived] */
async function refresh(arrived = null) {
  try {
    look = /** @type {Look} */ (await post('/api/positions', question()));
    study.tree.names = look.variant.squares;
    message.say(look.position.over ? over(look.position.over) : '');
    paint(arrived);
    askTables();
    engine.about(look.position.over ? null : question());
    remember();
    return true;
  } catch (error) {
    board.restore();
    complain(error);
    return false;
  }
}

/** @param {unknown} error */
function complain(error) {
  message.fail(error);
}

/** @param {number[]} squares */
async function refuse(squares) {
  if (!look || look.position.over || !squares.length) return;
  const names = look.variant.squares;
  const line = study.tree.line().map((node) => node.squares);
  try {
    await post('/api/positions', question([...line, squares.map((square) => names[square]).join('-')]));
  } catch (error) {
    complain(error);
  }
}

/** Gives the board the looks of a game, unless it has them. @param {import('./types.js').Variant} variant */
function dress(variant) {
  if (layout === variant.grid.join() + variant.name) return;
  layout = variant.grid.join() + variant.name;
  board.options = settings;
  board.setup(variant, { theme: themeOf(variant), label: t('board_of', { title: gameTitle(variant) }) });
}

/** @param {import('./types.js').Move | null} arrived */
function paint(arrived) {
  if (!look) return;
  const { variant, position, history } = look;
  dress(variant);
  board.editing = false;
  tools.hidden = true;
  // The sheet of a game knows the program's games only.
  onward.hidden = !!study.toml;
  board.arrows = [];
  board.options = { ...settings, hold: false };
  board.show({ board: position.board, legal: position.legal, last: history.at(-1) ?? null, arrived });
  fen.value = position.fen;
  const firstBegan = (history.length % 2 === 0) === (position.turn === variant.first);
  moves.show(study.tree, !firstBegan);
  report?.show(study.tree.onMainLine ? study.tree.line().length : -1);
}

// ---- the engine -------------------------------------------------------------------------------

/** Draws the first moves of the engine's lines. @param {import('./types.js').Advice['lines']} found */
function pointOut(found) {
  board.arrows = found.flatMap(({ moves: [move] }, rank) => move.path.slice(1).map((to, index) => ({ from: move.path[index], to, kind: rank ? 'second' : 'best' })));
}

/** What the endgame tables know of the position, if they have it. */
async function askTables() {
  verdict.replaceChildren();
  if (!look || look.position.over || look.position.board.replaceAll('.', '').length > FEW) return;
  const mine = look;
  const found = /** @type {import('./types.js').Verdict | null} */ (await post('/api/tables', question()).catch(() => null));
  if (!found || mine !== look) return;
  const side = (/** @type {import('./types.js').Side} */ winner) => word(mine.variant.sides[winner === 'white' ? 0 : 1].name);
  const says = (/** @type {{ winner: import('./types.js').Side | null, distance: number | null }} */ { winner, distance }) => (winner
    ? distance === null ? t('table_wins', { side: side(winner) }) : t('table_wins_in', { side: side(winner), distance }) : t('table_draw'));
  verdict.replaceChildren(h('div', null, h('p', null, t('tables', { verdict: says(found) })),
    h('ul', { class: 'picks' }, found.moves.map((move) => h('li', null, button(`${move.text} – ${says(move)}`, () => playText(move.text)))))));
}

/** @param {string} move */
function playText(move) {
  const legal = look?.position.legal.find((one) => one.text === move);
  if (legal) go(() => study.tree.play(legal), legal);
}

// ---- the report -------------------------------------------------------------------------------

function forgetReport() {
  examination.abort();
  report = null;
  chart.replaceChildren();
}

/** Looks at every position of the main line, and says what the game was like. */
async function evaluateAll() {
  forgetReport();
  engine.off();
  const { signal } = examination = new AbortController();
  const line = study.tree.main();
  const upTo = (/** @type {number} */ ply) => question(line.slice(0, ply).map(({ squares }) => squares));
  const progress = (/** @type {number} */ done, /** @type {number} */ all) => { if (!signal.aborted) message.say(t('progress', { done, all })); };
  chart.replaceChildren(button(t('report_stop'), () => { forgetReport(); message.say(''); }));
  try {
    const whole = /** @type {Look} */ (await post('/api/positions', upTo(line.length)));
    const points = await examine(whole, upTo, { progress, signal });
    if (signal.aborted) return;
    report = new Report(whole, points, { goTo: (ply) => go(() => study.tree.goTo(line[ply - 1] ?? null)), better: (ply, better) => showBetter(line[ply - 2] ?? null, better) });
    chart.replaceChildren(report.element);
    report.show(study.tree.onMainLine ? study.tree.line().length : -1);
    message.say(report.summary());
  } catch (error) {
    if (signal.aborted) return;
    forgetReport();
    complain(error);
  }
}

/** Writes a better line into the study, and goes to its first move. @param {import('./tree.js').Node | null} from @param {import('./types.js').Move[]} line */
function showBetter(from, line) {
  go(() => {
    study.tree.goTo(from);
    for (const move of line) study.tree.play(move);
    const played = study.tree.line();
    study.tree.goTo(played[played.length - line.length]);
  }, line[0]);
}

// ---- setting up -------------------------------------------------------------------------------

function setUp() {
  if (!look) return;
  const { variant, position } = look;
  board.editing = true;
  board.show({ board: position.board });
  tools.hidden = false;
  engine.about(null);
  engine.bar.hidden = true;
  board.arrows = [];
  brush = variant.kinds[0].letters[0];
  verdict.replaceChildren();
  const letters = variant.kinds.flatMap((kind) => [...kind.letters].map((letter, side) => /** @type {[string, string]} */ ([letter, `${word(variant.sides[side].name)} ${word(kind.name)}`])));
  const brushes = [...letters, /** @type {[string, string]} */ (['.', t('setup_remove')])].map(([letter, label]) => h('button', {
    type: 'button', 'aria-label': label, title: label, 'aria-pressed': String(letter === brush), 'data-brush': letter,
    onclick: () => {
      brush = letter;
      for (const other of tools.querySelectorAll('[data-brush]')) other.setAttribute('aria-pressed', String(other.getAttribute('data-brush') === letter));
    },
  }, letter === '.' ? icon('close') : h('king-board', { 'data-theme': board.dataset.theme, 'aria-hidden': 'true' }, svg('svg', { viewBox: '-.5 -.5 1 1', 'aria-hidden': true }, drawPiece(variant, letter)))));
  tools.replaceChildren(h('h2', null, t('setup')), h('div', { class: 'palette', role: 'group', 'aria-label': t('setup_piece') }, brushes),
    choice(t('setup_turn'), 'turn', variant.sides.map(({ name }, side) => [side ? 'B' : 'W', word(name)]), position.turn === 'white' ? 'W' : 'B'),
    h('div', { class: 'row' }, button(t('setup_done'), useSetUp, { class: 'main' }),
      button(t('setup_clear'), () => edit('.'.repeat(position.board.length))),
      button(t('setup_start'), () => edit(variant.grid.join('').replace(/[_#]/g, '')))));
  // On a phone the board is above what was pressed.
  board.scrollIntoView({ block: 'nearest' });
}

/** @param {string} letters */
function edit(letters) {
  if (!look) return;
  look.position.board = letters;
  board.show({ board: letters });
}

/** @param {number} square */
function putPiece(square) {
  if (!look || !brush) return;
  const letters = [...look.position.board];
  letters[square] = letters[square] === brush ? '.' : brush;
  edit(letters.join(''));
}

/** The set-up as a FEN; the server says whether it is a position. */
function useSetUp() {
  if (!look) return;
  const { variant, position } = look;
  const side = (/** @type {number} */ index) => [...position.board].map((letter, square) => {
    const kind = variant.kinds.findIndex(({ letters }) => letters[index] === letter);
    return kind < 0 ? '' : `${kind === 1 ? 'K' : kind > 1 ? variant.kinds[kind].name[0].toUpperCase() : ''}${fenName(square)}`;
  }).filter(Boolean).join(',');
  reset({ toml: study.toml, size: study.size, fen: `${chosen(tools, 'turn')}:W${side(0)}:B${side(1)}` });
}

/** Names with a comma can't stand in a FEN; numbers in reading order can. @param {number} square */
function fenName(square) {
  const name = look?.variant.squares[square] ?? '';
  return name.includes(',') ? String(square + 1) : name;
}

// ---- in and out -------------------------------------------------------------------------------

/** Reads a file, or a text as if it were one. @param {Blob} given */
async function load(given) {
  const { variant, toml, size } = study;
  const position = await fenOf(given);
  if (position) return reset({ toml, size, fen: position });
  try {
    if (!await games.read(given, { variant, toml, size })) return undefined;
    await games.open(games.games[0]);
    if (games.games.length > 1) message.say(t('games_found', { count: games.games.length }));
  } catch (error) {
    complain(error);
  }
  return undefined;
}

/** @param {Import} read */
async function open({ variant, toml, size, fen: from, tags, line, fault }) {
  await reset({ variant, toml, size, fen: from, tags, line });
  if (fault) message.say(fault, true);
}

/** @param {string} id */
async function loadGame(id) {
  try {
    const whole = /** @type {import('./types.js').Whole} */ (await get(`/api/games/${id}`));
    await reset({ variant: whole.variant.name, toml: whole.toml, size: whole.size, fen: whole.fen });
    for (const move of whole.history) study.tree.play(move);
    source = { game: id };
    await refresh();
  } catch (error) {
    complain(error);
  }
}

async function save() {
  const { tree, ...about } = study;
  try {
    const { text: pdn } = await post('/api/pdn/write', { ...about, line: tree.write() });
    download('analysis.pdn', pdn);
  } catch (error) {
    complain(error);
  }
}

// An editor for one's own game: a form for every key, the board to click on, the rules in words,
// and the file that all of it makes.

import { ApiError, get, post } from './api.js';
import './board/board.js';
import { drawPiece } from './board/pieces.js';
import { button, download, h, svg } from './dom.js';
import { frame, messageLine, rulesInWords } from './frame.js';
import { icon } from './icons.js';
import { keyField, keyLabel } from './keyforms.js';
import { enter } from './newgame.js';
import { gameTitle, t, word } from './texts.js';
import { variantFile } from './tomltext.js';
import { keysOf, readSchema, tables } from './variantkeys.js';
import { Keeper } from './works.js';

/**
 * @typedef {import('./types.js').Variant & { keys: Keys }} Variant
 * @typedef {import('./types.js').Card} Card
 * @typedef {{ [key: string]: any }} Keys
 */

/** The game that is edited, and the one it extends. @type {{ parent: string, base: Keys, keys: Keys }} */
const game = { parent: 'english', base: {}, keys: {} };
/** @type {Variant | null} */
let variant = null;
/** Tables of which a game has several. */
const [PIECE, COUNTER] = ['pieces.*', 'draws.counters'];
/** What a click on the board does: `hole`, or the letter to put there. */
let brush = 'hole';
let timer = 0;

const parent = h('select', { name: 'extends', 'data-key': 'extends', onchange: () => { keeper.leave(); begin(parent.value); } });
const form = h('form', { onsubmit: (/** @type {Event} */ event) => event.preventDefault() });
const file = h('textarea', { spellcheck: 'false', 'aria-label': t('file'), rows: 14, oninput: () => later(() => { remember(); readFile(); }) });
const board = document.createElement('king-board');
const palette = h('div', { class: 'palette', role: 'group', 'aria-label': t('brush') });
const faults = h('ul', { class: 'faults' });
/** A file that begins anew has too many to read. */
const MOST_FAULTS = 6;
const words = h('div');
const message = messageLine();
const playButton = h('button', { type: 'button', class: 'main', onclick: playIt }, icon('play'), t('play_it'));

const keeper = new Keeper('variant', {
  body: () => file.value, title: () => game.keys.title ?? '', address: (id) => `/variants?own=${id}`,
  kept: () => remember(), say: (text, bad) => message.say(text, bad),
});

board.editing = 'cells';
board.addEventListener('pick', (event) => click(/** @type {CustomEvent} */ (event).detail));

const editor = h('div', { class: 'editor', 'data-loading': true },
  h('div', null, h('label', { class: 'field' }, h('span', null, t('extends')), parent), form),
  h('div', { class: 'aside' },
    h('div', null, board, palette, message, faults,
      h('div', { class: 'row' }, playButton, h('button', { type: 'button', onclick: () => download(`${game.keys.name}.toml`, file.value) }, icon('download'), t('download'))), keeper.element),
    h('div', null, h('details', { class: 'panel', open: true }, h('summary', null, t('in_words')), words),
      h('details', { class: 'panel', open: true }, h('summary', null, t('file')), file))));

frame('variants', h('h1', null, t('editor')), h('p', { class: 'soft' }, t('editor_help')), editor);

start();

async function start() {
  const [cards] = /** @type {[Card[], void]} */ (await Promise.all([get('/api/variants'), readSchema()]));
  const query = new URLSearchParams(location.search);
  const wanted = query.get('variant') ?? 'english';
  parent.replaceChildren(...cards.map((card) => h('option', { value: card.name, selected: card.name === wanted }, gameTitle(card))));
  await begin(parent.value);
  const [before, own] = [history.state, query.get('own')];
  if (before?.file) await bringBack(before.file, before.own && { id: before.own, title: before.title, yours: true });
  else if (own) await keeper.find(own).then((work) => bringBack(work.body, { id: own, ...work }), (error) => message.fail(error));
}

/** Puts a file in place of what is there. @param {string} text @param {{ id: string, title: string, yours: boolean } | ''} kept */
async function bringBack(text, kept) {
  clearTimeout(timer);
  file.value = text;
  await readFile();
  if (kept) keeper.goOn(kept.id, kept);
  remember();
}

/** Puts the file into what a reload brings back, and where it is kept into the address. */
function remember() {
  const address = keeper.id ? `own=${keeper.id}` : `variant=${encodeURIComponent(game.parent)}`;
  history.replaceState({ file: file.value, own: keeper.id, title: keeper.title }, '', `/variants?${address}`);
  keeper.changed();
}

/** What a game gives to those that extend it: every key but its number in PDN. @param {string} name */
async function baseOf(name) {
  const base = await get(`/api/variants/${encodeURIComponent(name)}/keys`);
  base.notation.game_type = 0;
  return base;
}

/** Starts from a game. @param {string} name */
async function begin(name) {
  const base = await baseOf(name);
  const keys = structuredClone(base);
  Object.assign(keys, { name: 'my-game', title: t('my_game'), summary: t('my_summary'), sources: t('my_sources') });
  Object.assign(game, { parent: name, base, keys });
  build();
  write();
}

// ---- the form ---------------------------------------------------------------------------------

/** Builds the form from the keys; which parts were open stays. */
function build() {
  const open = new Set([...form.querySelectorAll('details')].filter((part) => part.open).map((part) => part.dataset.part));
  const { keys } = game;
  const kinds = ['man', 'king', ...Object.keys(keys.pieces).filter((name) => name !== 'man' && name !== 'king')];
  const part = (/** @type {string} */ name, /** @type {string} */ title, /** @type {(Node | null)[]} */ ...content) => h('details', { class: 'panel', 'data-part': name, open: open.size ? open.has(name) : name === 'about' },
    h('summary', null, title), content);
  const field = (/** @type {string} */ table, /** @type {string} */ path, /** @type {import('./variantkeys.js').Field} */ one) => keyField(`${path}${one.key}`, keyLabel(table, one.key.replace('.', '_')), one, at(keys, `${path}${one.key}`), kinds, (value) => put(`${path}${one.key}`, value));
  const pieces = () => [...kinds.map((kind) => part(`pieces.${kind}`, t('piece_of', { kind: word(kind) }), ...keysOf(PIECE).map((one) => field('piece', `pieces.${kind}.`, one)),
    ['man', 'king'].includes(kind) ? null : button(t('remove_piece'), () => { delete keys.pieces[kind]; build(); write(); }))),
  ...kinds.length < 4 ? [button(t('add_piece'), addPiece)] : []];
  form.replaceChildren(...tables.flatMap(({ path, keys: fields }) => {
    if (path === '') return part('about', t('about_game'), ...fields.map((one) => field('top', '', one)));
    if (path === PIECE) return pieces();
    if (path === COUNTER) return [];
    return part(path, keyLabel('table', path), ...fields.map((one) => field(path, `${path}.`, one)), path === 'draws' ? counters(field) : null);
  }));
}

/** @param {(table: string, path: string, one: import('./variantkeys.js').Field) => HTMLElement} field */
function counters(field) {
  const list = /** @type {Keys[]} */ (game.keys.draws.counters ?? []);
  const [spans, others] = [true, false].map((span) => keysOf(COUNTER).filter((one) => (one.as === 'span') === span));
  return h('div', null, list.map((_, index) => {
    const path = `draws.counters.${index}.`;
    return h('fieldset', { class: 'counter' }, h('legend', null, t('counter', { number: index + 1 })), others.map((one) => field('counter', path, one)),
      h('div', { class: 'spans' }, spans.map((one) => field('counter', path, one))),
      button(t('remove_counter'), () => { list.splice(index, 1); build(); write(); }));
  }), button(t('add_counter'), () => {
    game.keys.draws.counters = [...list, { plies: 80, restart: ['capture', 'man-move'], result: 'draw' }];
    build();
    write();
  }));
}

function addPiece() {
  const { pieces } = game.keys;
  const name = ['frog', 'jester'].find((free) => !(free in pieces)) ?? 'piece';
  pieces[name] = { ...structuredClone(pieces.man), fen: name[0].toUpperCase(), letters: name === 'frog' ? 'fF' : 'jJ', range: 'leap', becomes: 'nothing' };
  for (const kind of Object.values(pieces)) kind.takes = [...new Set([...kind.takes, name])];
  build();
  write();
}

/** The value at a path such as `board.columns`. @param {Keys} keys @param {string} path */
function at(keys, path) {
  return path.split('.').reduce((/** @type {any} */ value, key) => value?.[key], keys);
}

/** @param {string} path @param {any} value */
function put(path, value) {
  const steps = path.split('.');
  const last = /** @type {string} */ (steps.pop());
  let table = game.keys;
  for (const step of steps) table = table[step] ??= {};
  if (value === undefined) delete table[last];
  else table[last] = value;
  if (path === 'board.columns' || path === 'board.rows') resize();
  write();
}

/** A board of another size has no drawing, and holes only where it has squares. */
function resize() {
  const { board: shape, start: set } = game.keys;
  set.draw = [];
  shape.sizes = [];
  shape.holes = shape.holes.filter((/** @type {string} */ hole) => hole.split(',').every((value, index) => Number(value) < [shape.rows, shape.columns][index]));
}

// ---- the board --------------------------------------------------------------------------------

function paintPalette() {
  if (!variant) return;
  const letters = variant.kinds.flatMap((kind) => [...kind.letters].map((letter, side) => /** @type {[string, string]} */ ([letter, `${word(/** @type {Variant} */ (variant).sides[side].name)} ${word(kind.name)}`])));
  const brushes = /** @type {[string, string][]} */ ([['hole', t('brush_hole')], ...letters, ['.', t('brush_empty')]]);
  if (!brushes.some(([letter]) => letter === brush)) brush = 'hole';
  palette.replaceChildren(...brushes.map(([letter, label]) => h('button', {
    type: 'button', 'aria-label': label, title: label, 'aria-pressed': String(letter === brush), onclick: () => { brush = letter; paintPalette(); },
  }, letter === 'hole' ? t('hole') : letter === '.' ? icon('close') : h('king-board', { 'data-theme': board.dataset.theme }, svg('svg', { viewBox: '-.5 -.5 1 1', 'aria-hidden': true }, drawPiece(/** @type {Variant} */ (variant), letter))))),
  button(t('fill_holes'), fillHoles, { class: 'quiet', hidden: !game.keys.board.holes.length }),
  button(t('usual_start'), () => { game.keys.start.draw = []; write(); }, { class: 'quiet', hidden: !game.keys.start.draw.length }));
}

/** @param {{ square: number | null, row: number, column: number }} cell */
function click({ square, row, column }) {
  if (!variant) return;
  const isHole = variant.grid[row][column] === '#';
  if (square === null && !isHole) return;
  if (brush === 'hole') toggleHole(row, column, isHole);
  else if (!isHole) drawAt(row, column, brush);
  write();
}

/** @param {number} row @param {number} column @param {boolean} isHole */
function toggleHole(row, column, isHole) {
  const { board: shape, start: set } = game.keys;
  const name = `${row},${column}`;
  shape.sizes = [];
  shape.holes = isHole ? shape.holes.filter((/** @type {string} */ hole) => hole !== name) : [...shape.holes, name];
  if (set.draw.length) drawAt(row, column, isHole ? '.' : '#');
}

/** Draws the start by hand. @param {number} row @param {number} column @param {string} letter */
function drawAt(row, column, letter) {
  const { board: shape, start: set } = game.keys;
  const lines = /** @type {string[]} */ (set.draw.length ? set.draw : variant?.grid ?? []);
  shape.sizes = [];
  set.draw = lines.map((line, index) => (index === row ? line.slice(0, column) + letter + line.slice(column + 1) : line));
}

function fillHoles() {
  game.keys.board.holes = [];
  game.keys.start.draw = game.keys.start.draw.map((/** @type {string} */ line) => line.replaceAll('#', '.'));
  write();
}

// ---- the file ---------------------------------------------------------------------------------

/** The file follows the form. */
function write() {
  later(() => {
    file.value = variantFile(game.parent, game.base, game.keys);
    remember();
    check();
  });
}

/** The form follows the file. */
async function readFile() {
  if (!await check() || !variant) return;
  const named = /^\s*extends\s*=\s*"([^"]+)"/m.exec(file.value)?.[1];
  if (named && named !== game.parent) Object.assign(game, { parent: named, base: await baseOf(named) });
  game.keys = structuredClone(variant.keys);
  parent.value = game.parent;
  build();
}

/** @param {() => void} action */
function later(action) {
  clearTimeout(timer);
  timer = setTimeout(action, 150);
}

async function check() {
  try {
    variant = /** @type {Variant} */ (await post('/api/variants/check', { toml: file.value }));
    message.say(t('all_well'));
    point([]);
    board.options = { names: false };
    board.setup(variant, { label: t('board_of', { title: variant.title }) });
    words.replaceChildren(rulesInWords(variant.words));
    paintPalette();
  } catch (error) {
    message.say(error instanceof ApiError && error.faults.length ? t('faults') : String(/** @type {Error} */ (error).message), true);
    point(error instanceof ApiError ? error.faults : []);
    playButton.disabled = true;
    return false;
  } finally {
    // Shown once it is complete, so that nothing jumps.
    editor.removeAttribute('data-loading');
  }
  playButton.disabled = false;
  return true;
}

/** Shows each fault at its key; those of no key in the form stand below the board. @param {import('./types.js').Fault[]} list */
function point(list) {
  for (const control of form.querySelectorAll('[data-key]')) {
    const key = control.getAttribute('data-key') ?? '';
    // A fault in one of several counters names no number.
    const found = list.filter((fault) => fault.key === key.replace(/\.\d+/g, ''));
    control.setAttribute('aria-invalid', String(found.length > 0));
    const place = /** @type {HTMLElement} */ (document.getElementById(`fault-${key}`));
    place.hidden = !found.length;
    place.lang = 'en';
    place.textContent = found.map(({ reason }) => reason).join(' ');
    if (found.length) for (let part = control.closest('details'); part; part = part.parentElement?.closest('details') ?? null) part.open = true;
  }
  const more = list.length - MOST_FAULTS;
  faults.replaceChildren(...list.slice(0, MOST_FAULTS).map(faultItem), more > 0 ? h('li', null, t('faults_more', { count: more })) : '');
}

/** @param {import('./types.js').Fault} fault */
function faultItem({ key, line, reason }) {
  return h('li', null, line ? `${t('line', { line })} ` : '', key && h('code', null, key), h('span', { lang: 'en' }, `${key ? ': ' : ''}${reason}`));
}

async function playIt() {
  if (!variant) return;
  try {
    const [me, computer] = [{ type: 'me' }, { type: 'computer', level: 3 }];
    const white = variant.first === 'white';
    await enter('', { toml: file.value, white: white ? me : computer, black: white ? computer : me });
  } catch (error) {
    message.fail(error);
  }
}


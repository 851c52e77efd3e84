// An editor for one's own game: a form beside the file it makes, the rules in words, and a board.

import { ApiError, get, post } from './api.js';
import './board/board.js';
import { button, download, h } from './dom.js';
import { frame, messageLine, rulesInWords } from './frame.js';
import { t } from './texts.js';

/**
 * @typedef {import('./types.js').Variant} Variant
 * @typedef {import('./types.js').Card} Card
 * @typedef {{ key: string, table: string, label: import('./texts.js').Key, options: [string, string][] }} Choice
 */

/** The rules that the form asks about: the lines of the file for each choice. @type {Choice[]} */
const RULES = [
  { table: 'sides', key: 'first', label: 'first_move', options: [['first = "white"', 'White'], ['first = "black"', 'Black']] },
  { table: 'pieces.king', key: 'range', label: 'king_range', options: [['range = "step"\nreach = "short"\nlanding = "next"', t('range_step')], ['range = "slide"\nreach = "long"\nlanding = "any"', t('range_slide')]] },
  { table: 'pieces.man', key: 'captures', label: 'man_captures', options: [['captures = ["forward-diagonal"]', t('captures_forward')], ['captures = ["diagonal"]', t('captures_diagonal')]] },
  { table: 'capture', key: 'obligation', label: 'obligation', options: [['obligation = "must"', t('obligation_must')], ['obligation = "may"', t('obligation_may')]] },
  { table: 'capture', key: 'priority', label: 'majority', options: [['priority = []', t('majority_none')], ['priority = ["most-pieces"]', t('majority_most')]] },
  { table: 'promotion', key: 'in_capture', label: 'in_capture', options: [['in_capture = "ends"', t('in_capture_ends')], ['in_capture = "goes-on-as-man"', t('in_capture_man')], ['in_capture = "goes-on-as-king"', t('in_capture_king')]] },
  { table: 'end', key: 'stuck', label: 'winner', options: [['stuck = "loses"', t('stuck_loses')], ['stuck = "wins"', t('stuck_wins')]] },
];

const parent = h('select', { name: 'extends' });
const title = h('input', { type: 'text', value: 'My game' });
const columns = h('input', { type: 'number', min: 4, max: 20, value: 8 });
const rows = h('input', { type: 'number', min: 4, max: 20, value: 8 });
/** @type {Set<string>} "row,column" */
const holes = new Set();
const selects = new Map(RULES.map((rule) => [rule, h('select', { 'data-key': `${rule.table}.${rule.key}` },
  h('option', { value: '' }, '–'), rule.options.map(([value, label]) => h('option', { value }, label)))]));
const file = h('textarea', { spellcheck: 'false', 'aria-label': t('file'), rows: 18 });
const board = document.createElement('king-board');
const faults = h('ul', { class: 'faults bad' });
const words = h('div');
const message = messageLine();
let timer = 0;
/** @type {Variant | null} */
let variant = null;

board.editing = true;
board.addEventListener('pick', (event) => toggleHole(/** @type {CustomEvent} */ (event).detail.square));

const field = (/** @type {string} */ label, /** @type {HTMLElement} */ control) => h('label', { class: 'field' }, h('span', null, label), control);

frame('variants', h('h1', null, t('editor')), h('p', { class: 'soft' }, t('editor_help')), h('div', { class: 'editor' },
  h('form', { oninput: write, onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    field(t('extends'), parent), field(t('key_title'), title),
    h('div', { class: 'row' }, field(t('columns'), columns), field(t('rows'), rows)),
    RULES.map((rule) => field(t(rule.label), /** @type {HTMLElement} */ (selects.get(rule))))),
  h('div', null, board, message, faults,
    h('div', { class: 'row' }, button(t('play_it'), playIt, { class: 'main' }), button(t('download'), () => download('my-game.toml', file.value)),
      button(t('fill_holes'), () => { holes.clear(); write(); }))),
  h('div', null, h('details', { open: true }, h('summary', null, t('in_words')), words), h('details', { open: true }, h('summary', null, t('file')), file))));

file.addEventListener('input', () => later(check));
start();

async function start() {
  const cards = /** @type {Card[]} */ (await get('/api/variants'));
  parent.replaceChildren(...cards.map((card) => h('option', { value: card.name, selected: card.name === 'english' }, card.title)));
  parent.addEventListener('change', () => {
    const card = cards.find(({ name }) => name === parent.value);
    columns.value = String(card?.grid[0].length);
    rows.value = String(card?.grid.length);
    holes.clear();
  });
  write();
}

/** The file that the form means. */
function toml() {
  const lines = [`extends = "${parent.value}"`, 'name = "my-game"', `title = ${JSON.stringify(title.value)}`, ''];
  lines.push('[board]', `columns = ${columns.value}`, `rows = ${rows.value}`);
  if (holes.size) lines.push(`holes = [${[...holes].map((hole) => `"${hole}"`).join(', ')}]`);
  lines.push('sizes = []');
  const tables = new Map();
  for (const [rule, select] of selects) {
    if (select.value) tables.set(rule.table, [...(tables.get(rule.table) ?? []), select.value]);
  }
  for (const [table, keys] of tables) lines.push('', `[${table}]`, ...keys);
  return `${lines.join('\n')}\n`;
}

function write() {
  later(() => {
    file.value = toml();
    check();
  });
}

/** @param {() => void} action */
function later(action) {
  clearTimeout(timer);
  timer = setTimeout(action, 150);
}

async function check() {
  try {
    variant = /** @type {Variant} */ (await post('/api/variants/check', { toml: file.value }));
    faults.replaceChildren();
    message.say(t('all_well'));
    board.options = { names: false };
    board.setup(variant);
    words.replaceChildren(rulesInWords(variant.words));
  } catch (error) {
    variant = null;
    message.say(t('faults'), true);
    const list = error instanceof ApiError ? error.faults : [];
    faults.replaceChildren(...list.map((fault) => h('li', null, h('code', null, fault.key), fault.line ? ` (${fault.line})` : '', `: ${fault.reason}`)));
    point(list);
  }
}

/** Shows a fault at its key in the form. @param {import('./types.js').Fault[]} list */
function point(list) {
  for (const [rule, select] of selects) {
    const wrong = list.some(({ key }) => key.startsWith(`${rule.table}.${rule.key}`));
    select.setAttribute('aria-invalid', String(wrong));
  }
}

/** @param {number} square */
function toggleHole(square) {
  let seen = -1;
  variant?.grid.forEach((line, row) => [...line].forEach((letter, column) => {
    if (letter !== '_' && letter !== '#') seen += 1;
    if (letter !== '_' && letter !== '#' && seen === square) holes.add(`${row},${column}`);
  }));
  write();
}

async function playIt() {
  if (!variant) return;
  try {
    const me = { type: 'me' };
    const computer = { type: 'computer', level: 3 };
    const white = variant.first === 'white';
    const { id } = await post('/api/games', { toml: file.value, white: white ? me : computer, black: white ? computer : me });
    location.href = `/game/${id}`;
  } catch (error) {
    message.say(error instanceof Error ? error.message : String(error), true);
  }
}

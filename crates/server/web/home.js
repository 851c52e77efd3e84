// The first page: choose a game, an opponent, and play.

import { get, post } from './api.js';
import './board/board.js';
import { flipFor } from './board/looks.js';
import { choice, chosen, h } from './dom.js';
import { frame, messageLine, rulesInWords, sheet } from './frame.js';
import { settings } from './settings.js';
import { t, word } from './texts.js';

/**
 * @typedef {import('./types.js').Card} Card
 * @typedef {import('./types.js').Variant} Variant
 */

const CLOCKS = /** @type {[number, number][]} */ ([[0, 0], [3, 2], [5, 3], [10, 0], [20, 10]]);

const list = h('ul', { class: 'cards' });
const nothing = h('p', { class: 'soft', hidden: true }, t('no_match'));
const search = h('input', { type: 'search', placeholder: t('search'), 'aria-label': t('search'), oninput: filter });
const mine = h('section', { hidden: true }, h('h2', null, t('continue')));
const message = messageLine();

frame('play',
  h('div', { class: 'lead' }, h('div', null, h('h1', null, t('choose_game')), h('p', { class: 'soft' }, t('tagline'))), search),
  message, list, nothing, mine);

load();

async function load() {
  try {
    const cards = /** @type {Card[]} */ (await get('/api/variants'));
    const favourites = ['checkers', 'draughts', 'international', 'english', 'russian'];
    const rank = (/** @type {Card} */ card) => (favourites.indexOf(card.name) + 1 || 99);
    list.replaceChildren(...cards.sort((a, b) => rank(a) - rank(b)).map(cardItem));
    // A page for one game, such as `/?game=frisian`.
    const wanted = cards.find(({ name }) => name === new URLSearchParams(location.search).get('game'));
    if (wanted) open(wanted);
    showMine();
  } catch {
    message.say(t('error_offline'), true);
  }
}

/** @param {Card} card */
function cardItem(card) {
  const board = smallBoard(card);
  const size = `${card.grid[0].length}×${card.grid.length}`;
  return h('li', { 'data-name': `${card.name} ${card.title} ${card.summary}`.toLowerCase() },
    h('button', { type: 'button', class: 'card', 'data-game': card.name, onclick: () => open(card) },
      board, h('strong', null, card.title), h('span', { class: 'soft' }, card.summary),
      h('span', { class: 'tags' }, h('span', { class: 'tag' }, size))));
}

/** @param {Card} card */
function smallBoard(card) {
  const board = document.createElement('king-board');
  board.still = true;
  board.setAttribute('aria-hidden', 'true');
  board.options = { names: false };
  board.setup(card, { theme: settings.theme === 'auto' ? card.theme : settings.theme });
  board.flipped = flipFor(card, card.first);
  return board;
}

function filter() {
  const text = search.value.trim().toLowerCase();
  let shown = 0;
  for (const item of /** @type {NodeListOf<HTMLLIElement>} */ (list.querySelectorAll('li'))) {
    item.hidden = !item.dataset.name?.includes(text);
    shown += item.hidden ? 0 : 1;
  }
  nothing.hidden = shown > 0;
}

/** @param {Card} card */
async function open(card) {
  const rules = h('div', null);
  const note = messageLine();
  const form = h('form', { method: 'dialog', onsubmit: submit }, choices(card), note,
    h('button', { class: 'main', type: 'submit' }, t('start')));
  sheet(card.title, h('p', { class: 'soft' }, card.summary), h('div', { class: 'two' }, form, rules));
  showBots(form);
  const variant = /** @type {Variant} */ (await get(`/api/variants/${encodeURIComponent(card.name)}`));
  rules.append(h('h3', null, t('rules')), rulesInWords(variant.words), h('p', { class: 'soft' }, variant.sources));

  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    try {
      await begin(card, form);
    } catch (error) {
      note.say(error instanceof Error ? error.message : String(error), true);
    }
  }
}

/** @param {Card} card */
function choices(card) {
  const [white, black] = card.sides.map(({ name }) => word(name));
  const sides = /** @type {[string, string][]} */ ([['white', white], ['black', black], ['random', t('random')]]);
  const level = Number(localStorage.getItem('level') ?? 3);
  const shown = h('output', null, t('level', { level }));
  return [
    choice(t('opponent'), 'opponent', [['computer', t('computer')], ['device', t('device')], ['link', t('link')]], 'computer', (value) => {
      levels.hidden = value !== 'computer';
    }),
    levelField(),
    choice(t('side'), 'side', sides, card.first),
    choice(t('clock'), 'clock', CLOCKS.map(([minutes, seconds], index) => [String(index), clockLabel(minutes, seconds)]), '0'),
    card.sizes && sizeField(card.sizes, card.grid.length),
    h('label', { class: 'field' }, h('input', { type: 'checkbox', name: 'public' }), t('public')),
    h('label', { class: 'field' }, h('span', null, t('from_fen')), h('input', { type: 'text', name: 'fen', autocomplete: 'off', spellcheck: 'false' })),
  ];

  function levelField() {
    levels = h('label', { class: 'field' }, shown,
      h('input', { type: 'range', name: 'level', min: 1, max: 10, value: level, 'aria-label': t('computer'), oninput: (/** @type {any} */ event) => {
        localStorage.setItem('level', event.target.value);
        shown.value = t('level', { level: event.target.value });
      } }));
    return levels;
  }
}

let levels = h('label');

/** @param {number} minutes @param {number} seconds */
function clockLabel(minutes, seconds) {
  if (!minutes) return t('no_clock');
  return seconds ? t('minutes_plus', { minutes, seconds }) : t('minutes', { minutes });
}

/** @param {[number, number]} sizes @param {number} usual */
function sizeField([from, to], usual) {
  const sizes = [];
  for (let size = from; size <= to; size += 2) sizes.push(size);
  return h('label', { class: 'field' }, h('span', null, t('size')),
    h('select', { name: 'size' }, sizes.map((size) => h('option', { value: size, selected: size === usual }, `${size}×${size}`))));
}

/** Adds the bots that listen to the opponents. @param {HTMLFormElement} form */
async function showBots(form) {
  const bots = /** @type {{ name: string }[]} */ (await get('/api/bots'));
  const options = form.querySelector('.options');
  for (const { name } of bots) {
    options?.append(h('label', null, h('input', { type: 'radio', name: 'opponent', value: `bot:${name}` }), h('span', null, `${t('bots')}: ${name}`)));
  }
}

/** @param {Card} card @param {HTMLFormElement} form */
async function begin(card, form) {
  const fields = new FormData(form);
  const opponent = chosen(form, 'opponent');
  const side = chosen(form, 'side');
  const mySide = side === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : side;
  const [minutes, seconds] = CLOCKS[Number(chosen(form, 'clock'))];
  const other = { computer: { type: 'computer', level: Number(fields.get('level')) }, device: { type: 'me' }, link: { type: 'friend' } }[opponent]
    ?? { type: 'bot', name: opponent.slice(4) };
  const size = Number(fields.get('size'));
  const game = await post('/api/games', {
    variant: card.name,
    size: size && size !== card.grid.length ? size : null,
    fen: String(fields.get('fen') ?? '').trim() || null,
    white: mySide === 'white' ? { type: 'me' } : other,
    black: mySide === 'black' ? { type: 'me' } : other,
    clock: minutes ? { initial_ms: minutes * 60_000, increment_ms: seconds * 1000 } : null,
    public: fields.get('public') === 'on',
  });
  if (game.invite) sessionStorage.setItem(`invite:${game.id}`, game.invite);
  location.href = `/game/${game.id}`;
}

async function showMine() {
  const games = /** @type {import('./types.js').Summary[]} */ (await get('/api/me/games'));
  if (!games.length) return;
  mine.append(h('ul', { class: 'cards' }, games.slice(0, 8).map((game) => h('li', null, gameCard(game)))));
  mine.hidden = false;
}

/** @param {import('./types.js').Summary} game */
function gameCard(game) {
  const board = smallBoard(game.card);
  board.show({ board: game.board });
  const state = game.over ? game.over.words : t('turn', { side: word(game.card.sides[game.turn === 'white' ? 0 : 1].name) });
  return h('a', { class: 'card', href: `/game/${game.id}` }, board, h('strong', null, game.card.title), h('span', { class: 'soft' }, state));
}

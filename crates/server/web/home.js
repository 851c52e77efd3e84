// The first page: play at once, go on with a game, or choose among all of them.

import { bring, get } from './api.js';
import { choice, button, h } from './dom.js';
import { frame, messageLine } from './frame.js';
import { icon } from './icons.js';
import { gameCard, smallBoard } from './pictures.js';
import { gameSummary, gameTitle, t } from './texts.js';

/**
 * @typedef {import('./types.js').Card} Card
 * @typedef {import('./types.js').Summary} Summary
 */

const FAVOURITES = ['checkers', 'draughts', 'international', 'english', 'russian', 'frisian', 'turkish'];

const list = h('ul', { class: 'cards' });
const nothing = h('p', { class: 'empty', hidden: true }, t('no_match'));
const search = h('input', { type: 'search', placeholder: t('search'), 'aria-label': t('search'), oninput: filter });
const sizes = h('div');
const mine = h('section', { hidden: true });
const message = messageLine();
const stage = h('king-board', { 'data-theme': 'checkers', 'aria-hidden': 'true' });
const note = h('p', { class: 'soft note' });
const now = h('button', { type: 'button', class: 'main large' }, icon('play'), t('play_now'));
const other = button(t('other_opponent'), () => {}, { class: 'large' });
const hero = h('section', { class: 'hero' },
  h('div', null, h('h1', null, t('welcome')), h('p', { class: 'soft' }, t('tagline')), h('div', { class: 'row' }, now, other), note, message),
  stage);

const all = h('section', { 'data-loading': true }, h('div', { class: 'lead' }, h('h2', null, t('all_games')),
  h('div', { class: 'row' }, sizes, search, h('button', { type: 'button', onclick: openImport }, icon('import'), t('import')))),
list, nothing);

frame('play', hero, mine, all);

load();

async function load() {
  try {
    const [cards, games] = /** @type {[Card[], Summary[]]} */ (await Promise.all([get('/api/variants'), get('/api/me/games')]));
    const rank = (/** @type {Card} */ card) => (FAVOURITES.indexOf(card.name) + 1 || 99);
    cards.sort((a, b) => rank(a) - rank(b));
    showMine(games);
    // Shown once it is known what stands above, so that nothing jumps.
    all.removeAttribute('data-loading');
    list.replaceChildren(...cards.map(cardItem));
    showHero(cards.find(({ name }) => name === localStorage.getItem('game')) ?? cards[0]);
    showSizes(cards);
    // A page for one game, such as `/?game=frisian`.
    const wanted = cards.find(({ name }) => name === new URLSearchParams(location.search).get('game'));
    if (wanted) open(wanted);
  } catch (error) {
    message.fail(error);
  }
}

/** One click and one plays: the game of last time, against the computer. @param {Card} card */
function showHero(card) {
  const level = Number(localStorage.getItem('level') ?? 1);
  stage.replaceWith(smallBoard(card, true));
  note.textContent = t('play_now_note', { game: gameTitle(card), level });
  now.onclick = async () => {
    const { beginQuick } = await bring(import('./newgame.js'));
    beginQuick(card, level).catch((error) => message.say(error.message, true));
  };
  other.onclick = () => open(card);
}

/** @param {Card} card */
const sizeOf = (card) => `${card.grid[0].length}×${card.grid.length}`;

/** @param {Card} card */
function cardItem(card) {
  const item = h('li', { 'data-name': `${card.name} ${card.title} ${gameTitle(card)} ${card.summary}`.toLowerCase(), 'data-size': sizeOf(card) },
    h('button', { type: 'button', class: 'card', 'data-game': card.name, onclick: () => open(card) },
      h('king-board', { 'aria-hidden': 'true' }), h('strong', null, gameTitle(card)), h('span', { class: 'soft' }, gameSummary(card)),
      h('span', { class: 'tags' }, h('span', { class: 'tag' }, sizeOf(card)))));
  whenNear(item, () => item.querySelector('king-board')?.replaceWith(smallBoard(card)));
  return item;
}

/** Does something once an element comes near the window: most boards are drawn for nobody. @param {Element} element @param {() => void} action */
function whenNear(element, action) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    action();
  }, { rootMargin: '300px' });
  observer.observe(element);
}

/** Buttons for the sizes that several games have. @param {Card[]} cards */
function showSizes(cards) {
  const found = [...new Set(cards.map(sizeOf))].filter((size) => cards.filter((card) => sizeOf(card) === size).length > 1);
  sizes.replaceWith(choice(t('size'), 'sizes', [['', t('all')], ...found.map((size) => /** @type {[string, string]} */ ([size, size]))], '', filter));
}

function filter() {
  const text = search.value.trim().toLowerCase();
  const size = /** @type {HTMLInputElement | null} */ (document.querySelector('input[name=sizes]:checked'))?.value ?? '';
  let shown = 0;
  for (const item of /** @type {NodeListOf<HTMLLIElement>} */ (list.querySelectorAll('li'))) {
    item.hidden = !item.dataset.name?.includes(text) || (!!size && item.dataset.size !== size);
    shown += item.hidden ? 0 : 1;
  }
  nothing.hidden = shown > 0;
}

/** @param {Card} card */
async function open(card) {
  const { openGame } = await bring(import('./newgame.js'));
  openGame(card);
}

async function openImport() {
  const { openImport: sheet } = await bring(import('./newgame.js'));
  sheet();
}

/** Games to go on with; without one, the latest. @param {Summary[]} games */
function showMine(games) {
  if (!games.length) return;
  const open = games.filter((game) => !game.over);
  const shown = (open.length ? open : games).slice(0, 6);
  mine.append(h('div', { class: 'lead' }, h('h2', null, t(open.length ? 'go_on' : 'continue')), h('a', { href: '/account' }, t('all_my_games'))),
    h('ul', { class: 'cards' }, shown.map((game) => h('li', null, gameCard(game).element))));
  mine.hidden = false;
}

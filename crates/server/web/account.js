// An account: optional, for one's games, ratings and bots.

import { get, post, remove } from './api.js';
import { button, copyFrom, h } from './dom.js';
import { frame, messageLine } from './frame.js';
import { gameCard } from './pictures.js';
import { gameTitle, t } from './texts.js';

/**
 * @typedef {{ variant: string, title: string, rating: number, error: number, games: number }} Rating
 * @typedef {{ name: string | null, ratings: Rating[] }} Me
 */

const message = messageLine();
const place = h('div');
const games = h('section');

frame('account', h('h1', null, t('account')), message, place, games);
show();

async function show() {
  const [me, mine] = /** @type {[Me, import('./types.js').Summary[]]} */ (await Promise.all([get('/api/me'), get('/api/me/games')]));
  if (me.name) await showAccount(me);
  else showForm();
  games.replaceChildren(h('h2', null, t('my_games')), mine.length
    ? h('ul', { class: 'cards' }, mine.map((game) => h('li', null, gameCard(game).element)))
    : h('p', { class: 'empty' }, t('no_own_games')));
}

function showForm() {
  const name = h('input', { type: 'text', name: 'name', autocomplete: 'username', required: true });
  const password = h('input', { type: 'password', name: 'password', autocomplete: 'current-password', required: true });
  const send = (/** @type {string} */ path) => attempt(() => post(path, { name: name.value, password: password.value }));
  place.replaceChildren(h('form', { class: 'panel narrow', onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); send('/api/session'); } },
    h('p', { class: 'soft' }, t('account_help')),
    h('label', { class: 'field' }, h('span', null, t('name')), name),
    h('label', { class: 'field' }, h('span', null, t('password')), password),
    h('div', { class: 'row' }, h('button', { class: 'main', type: 'submit' }, t('log_in')), button(t('register'), () => send('/api/accounts')))));
}

/** @param {Me} me */
async function showAccount({ name, ratings }) {
  const tokens = /** @type {{ id: number, label: string }[]} */ (await get('/api/tokens'));
  place.replaceChildren(h('div', { class: 'two' },
    h('div', { class: 'panel' }, h('div', { class: 'lead' }, h('h2', null, t('hello', { name: name ?? '' })), button(t('log_out'), () => attempt(() => remove('/api/session')))),
      h('h3', null, t('ratings')), ratings.length ? ratingTable(ratings) : h('p', { class: 'soft' }, t('no_ratings')),
      passwordForm()),
    h('div', { class: 'panel' }, h('h2', null, t('tokens')), tokenList(tokens))));
}

function passwordForm() {
  const now = h('input', { type: 'password', autocomplete: 'current-password', required: true });
  const next = h('input', { type: 'password', autocomplete: 'new-password', required: true });
  const change = () => attempt(() => post('/api/password', { password: now.value, new: next.value }), t('password_changed'));
  return h('form', { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); change(); } },
    h('label', { class: 'field' }, h('span', null, t('password_now')), now),
    h('label', { class: 'field' }, h('span', null, t('password_new')), next),
    h('div', { class: 'row' }, h('button', { type: 'submit' }, t('password_change')),
      button(t('log_out_everywhere'), () => attempt(() => remove('/api/sessions')))));
}

/** @param {Rating[]} ratings */
function ratingTable(ratings) {
  return h('table', { class: 'list' }, h('thead', null, h('tr', null, h('th', null, t('game')), h('th', { class: 'number' }, t('rating')), h('th', { class: 'number' }, t('games')))),
    h('tbody', null, ratings.map((one) => h('tr', null, h('td', null, gameTitle({ name: one.variant, title: one.title })),
      h('td', { class: 'number' }, `${one.rating} ± ${one.error}`), h('td', { class: 'number' }, one.games)))));
}

/** @param {{ id: number, label: string }[]} tokens */
function tokenList(tokens) {
  const label = h('input', { type: 'text', name: 'label', required: true });
  return h('div', null, h('p', { class: 'soft' }, t('tokens_help')),
    tokens.length > 0 && h('table', { class: 'list' }, h('tbody', null, tokens.map((token) => h('tr', null, h('td', { translate: 'no' }, token.label),
      h('td', { class: 'number' }, button(t('revoke'), () => attempt(() => remove(`/api/tokens/${token.id}`)))))))),
    h('form', { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); newToken(label.value); } },
      h('label', { class: 'field' }, h('span', null, t('token_label')), label),
      h('button', { type: 'submit' }, t('token_new'))));
}

/** @param {string} label */
async function newToken(label) {
  try {
    const { token } = await post('/api/tokens', { label });
    await show();
    const field = h('input', { type: 'text', readonly: true, value: token, 'aria-label': t('token') });
    const copy = button(t('copy'), async () => { await copyFrom(field); copy.textContent = t('copied'); });
    message.replaceChildren(t('token_is'), ' ', h('span', { class: 'row' }, field, copy));
  } catch (error) {
    message.fail(error);
  }
}

/** @param {() => Promise<unknown>} action @param {string} [done] what to say afterwards */
async function attempt(action, done = '') {
  try {
    await action();
    message.say(done);
    await show();
  } catch (error) {
    message.fail(error);
  }
}

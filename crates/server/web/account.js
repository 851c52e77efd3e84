// An account: optional, for one's games and bots.

import { get, post, remove } from './api.js';
import { button, h } from './dom.js';
import { frame, messageLine } from './frame.js';
import { t } from './texts.js';

const message = messageLine();
const place = h('div', { class: 'panel' });

frame('account', h('h1', null, t('account')), h('p', { class: 'soft' }, t('account_help')), message, place);
show();

async function show() {
  const { name } = await get('/api/me');
  if (name) await showAccount(name);
  else showForm();
}

function showForm() {
  const name = h('input', { type: 'text', name: 'name', autocomplete: 'username', required: true });
  const password = h('input', { type: 'password', name: 'password', autocomplete: 'current-password', required: true });
  const send = (/** @type {string} */ path) => attempt(() => post(path, { name: name.value, password: password.value }));
  place.replaceChildren(h('form', { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); send('/api/session'); } },
    h('label', { class: 'field' }, h('span', null, t('name')), name),
    h('label', { class: 'field' }, h('span', null, t('password')), password),
    h('div', { class: 'row' }, h('button', { class: 'main', type: 'submit' }, t('log_in')), button(t('register'), () => send('/api/accounts')))));
}

/** @param {string} name */
async function showAccount(name) {
  const tokens = /** @type {{ id: number, label: string }[]} */ (await get('/api/tokens'));
  const label = h('input', { type: 'text', name: 'label', required: true });
  place.replaceChildren(h('p', null, t('hello', { name })), button(t('log_out'), () => attempt(() => remove('/api/session'))),
    h('h2', null, t('tokens')),
    h('table', { class: 'list' }, h('tbody', null, tokens.map((token) => h('tr', null, h('td', null, token.label),
      h('td', null, button(t('revoke'), () => attempt(() => remove(`/api/tokens/${token.id}`)))))))),
    h('form', { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); newToken(label.value); } },
      h('label', { class: 'field' }, h('span', null, t('token_label')), label),
      h('button', { type: 'submit' }, t('token_new'))));
}

/** @param {string} label */
async function newToken(label) {
  try {
    const { token } = await post('/api/tokens', { label });
    await show();
    message.say(t('token_is', { token }));
  } catch (error) {
    message.say(error instanceof Error ? error.message : String(error), true);
  }
}

/** @param {() => Promise<unknown>} action */
async function attempt(action) {
  try {
    await action();
    message.say('');
    await show();
  } catch (error) {
    message.say(error instanceof Error ? error.message : String(error), true);
  }
}

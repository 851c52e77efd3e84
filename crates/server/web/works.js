// What one keeps: studies and games of one's own, each with an address that can be given to others.

import { get, post, remove } from './api.js';
import { button, copyFrom, h } from './dom.js';
import { icon } from './icons.js';
import { t } from './texts.js';

/**
 * @typedef {import('./types.js').Work} Work
 * @typedef {import('./types.js').WorkCard} WorkCard
 */

/** So long after a change it is kept, in ms: whoever types makes many. */
const PAUSE_MS = 400;

export class Keeper {
  #title = h('input', { type: 'text', maxlength: 80, autocomplete: 'off', 'aria-label': t('work_title'), placeholder: t('work_title'), oninput: () => this.changed() });
  #save = h('button', { type: 'button', class: 'main', onclick: () => this.#keep() }, t('work_keep'));
  #link = h('input', { type: 'text', readonly: true, 'aria-label': t('work_link') });
  #share = h('div', { class: 'row', hidden: true }, this.#link, h('button', { type: 'button', onclick: async () => { await copyFrom(this.#link); this.on.say(t('copied')); } }, icon('copy'), t('copy')));
  #list = h('ul', { class: 'picks works', hidden: true });
  #note = h('p', { class: 'soft', role: 'status' });
  element = h('details', { class: 'panel keeper' }, h('summary', null, t('work_own')), h('div', { class: 'row' }, this.#title, this.#save), this.#note, this.#share, this.#list);

  /** What is kept, if it is this person's. */
  id = '';
  #timer = 0;
  /** What was kept last. */
  #kept = '';

  /**
   * @param {'study' | 'variant'} kind
   * @param {{ body: () => string, title: () => string, address: (id: string) => string, kept: (id: string) => void, say: (text: string, bad?: boolean) => void }} on
   */
  constructor(kind, on) {
    this.kind = kind;
    this.on = on;
    this.#paint();
    this.#showList();
  }

  /** What stands at an address. @param {string} id @returns {Promise<Work>} */
  find(id) {
    return get(`/api/works/${encodeURIComponent(id)}`);
  }

  /** Goes on with a work, which is kept from now on if it is this person's. @param {string} id @param {Pick<Work, 'title' | 'yours'>} work */
  goOn(id, { title, yours }) {
    this.id = yours ? id : '';
    this.#title.value = title;
    this.#link.value = `${location.origin}${this.on.address(id)}`;
    this.#note.textContent = t(yours ? 'work_kept' : 'work_theirs');
    this.#paint();
    this.changed();
  }

  /** Something else is begun: what was kept stays as it was. */
  leave() {
    clearTimeout(this.#timer);
    this.id = '';
    this.#title.value = '';
    this.#note.textContent = '';
    this.#paint();
  }

  get title() {
    return this.#title.value;
  }

  /** Something has changed: it is kept, if it is kept at all. */
  changed() {
    if (!this.id) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(), PAUSE_MS);
  }

  #paint() {
    this.#save.hidden = !!this.id;
    this.#share.hidden = !this.#link.value || !this.id;
  }

  #name() {
    return this.#title.value.trim() || this.on.title();
  }

  async #keep() {
    try {
      const title = this.#name();
      const { id } = await post('/api/works', { kind: this.kind, title, body: this.on.body() });
      this.goOn(id, { title, yours: true });
      this.on.kept(id);
      await this.#showList();
    } catch (error) {
      this.on.say(error instanceof Error ? error.message : String(error), true);
    }
  }

  async #write() {
    const { id } = this;
    const body = this.on.body();
    const now = `${this.#name()}\n${body}`;
    if (!id || now === this.#kept) return;
    try {
      await post(`/api/works/${id}`, { title: this.#name(), body });
      this.#kept = now;
      this.#note.textContent = t('work_kept');
    } catch (error) {
      this.#note.textContent = t('work_not_kept', { why: error instanceof Error ? error.message : String(error) });
      // The next change, or the next try, brings it there.
      this.#timer = setTimeout(() => this.#write(), 10 * PAUSE_MS);
    }
  }

  async #showList() {
    const works = /** @type {WorkCard[]} */ (await get('/api/works').catch(() => []));
    const own = works.filter(({ kind }) => kind === this.kind);
    this.#list.hidden = !own.length;
    this.#list.replaceChildren(...own.map(({ id, title }) => h('li', { class: 'row' }, h('a', { href: this.on.address(id), translate: 'no' }, title || t('work_untitled')),
      h('button', { type: 'button', class: 'icon', 'aria-label': t('work_forget', { title }), title: t('work_forget', { title }), onclick: () => this.#forget(id) }, icon('cut')))));
  }

  /** @param {string} id */
  async #forget(id) {
    await remove(`/api/works/${id}`).catch((error) => this.on.say(error.message, true));
    if (id === this.id) this.leave();
    await this.#showList();
  }
}

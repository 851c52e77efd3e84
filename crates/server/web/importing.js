// Files of games, of any size: read piece by piece, listed by names and events, opened one by one.

import { ApiError, post } from './api.js';
import { button, h } from './dom.js';
import { gameTitle, t } from './texts.js';

/**
 * @typedef {import('./types.js').Card} Card
 * @typedef {import('./types.js').Head} Head
 * @typedef {import('./types.js').Import} Import
 * @typedef {{ variant: string, toml?: string | null, size?: number | null }} Rules
 * @typedef {Head & { piece: Blob }} Entry
 */

/** So many bytes are read at once. */
const LUMP = 128 << 10;
/** Text is sent when there is so much of it: more than the longest game. */
const PIECE = 300_000;
/** No position takes more letters. */
const LONGEST_FEN = 64 << 10;
/** So many games are shown at once. */
const SHOWN = 100;
/** With more games than these there is a field to find one. */
const MANY = 12;
/** So many faults are told one by one. */
const MOST_NOTES = 20;

export class GameList {
  #search = h('input', { type: 'search', placeholder: t('import_find'), 'aria-label': t('import_find'), hidden: true, oninput: () => this.#paint() });
  #items = h('ul', { class: 'picks games', hidden: true });
  #more = button('', () => { this.#limit += SHOWN; this.#paint(); }, { class: 'quiet', hidden: true });
  #notes = h('ul', { class: 'notes', role: 'status', hidden: true });
  element = h('div', null, this.#notes, this.#search, this.#items, this.#more);

  /** @type {Entry[]} */
  games = [];
  /** @type {import('./types.js').Skipped[]} */
  #skipped = [];
  #limit = SHOWN;
  /** Counts the files, so that a new one ends the reading of the last. */
  #reading = 0;
  /** By whose rules the games were read that don't name them. @type {Rules} */
  #rules = { variant: '' };

  /** @param {{ cards: () => Card[], progress: (text: string) => void, open: (game: Import) => unknown, fail: (error: unknown) => void }} on */
  constructor(on) {
    this.on = on;
  }

  /**
   * Reads all games of a file or text; `false` if another one was read meanwhile.
   * @param {Blob} file
   * @param {Rules} rules those of games that name none
   */
  async read(file, rules) {
    const mine = this.#reading += 1;
    this.games = [];
    this.#rules = rules;
    this.#skipped = [];
    this.#limit = SHOWN;
    this.#search.value = '';
    this.#paint();
    let [text, line, inside, done] = ['', 0, false, 0];
    for await (const { lump, size, last } of lumps(file)) {
      text += lump;
      done += size;
      if (!last && text.length < PIECE) continue;
      const list = await patiently({ ...rules, pdn: text, more: !last, line, inside });
      if (mine !== this.#reading) return false;
      const piece = new Blob([text.slice(0, list.used)]);
      for (const game of list.games) this.games.push({ ...game, piece });
      this.#skipped.push(...list.skipped);
      text = text.slice(list.used);
      line += list.lines;
      inside = list.inside;
      if (!last) this.on.progress(t('import_progress', { percent: Math.floor((100 * done) / file.size), count: this.games.length }));
    }
    this.#paint();
    if (!this.games.length) throw new Error(this.#skipped.length ? this.#skip(this.#skipped[0]) : t('said_no_game_in_text'));
    return true;
  }

  /** Opens a game. @param {Entry} game */
  async open({ piece, index }) {
    try {
      const [read] = /** @type {Import[]} */ (await post('/api/pdn/read', { ...this.#rules, pdn: await piece.text(), only: index }));
      await this.on.open(read);
    } catch (error) {
      this.on.fail(error);
    }
  }

  /** Whether something was assumed or left out, which one has to be told. */
  get isDoubtful() {
    return this.#skipped.length > 0 || this.games.some(({ assumed, fault }) => assumed === 'guessed' || fault);
  }

  #paint() {
    const wanted = this.#search.value.trim().toLowerCase();
    const found = wanted ? this.games.filter((game) => `${game.white} ${game.black} ${game.event} ${game.date}`.toLowerCase().includes(wanted)) : this.games;
    const left = found.length - this.#limit;
    this.#search.hidden = this.games.length <= MANY;
    this.#items.hidden = this.games.length < 2 && !this.isDoubtful;
    this.#items.replaceChildren(...found.slice(0, this.#limit).map((game) => this.#item(game)));
    this.#more.hidden = left <= 0;
    this.#more.textContent = t('import_more', { count: left });
    this.#paintNotes();
  }

  /** @param {Entry} game */
  #item(game) {
    const { white, black, event, date, result, variant, fault } = game;
    const more = [event, date, this.#title(variant)].filter(Boolean).join(', ');
    return h('li', null, h('button', { type: 'button', translate: 'no', onclick: () => this.open(game) },
      h('b', null, `${white || '?'} – ${black || '?'}`), h('span', null, result), h('span', { class: 'soft' }, more)),
    fault && h('span', { class: 'bad', lang: 'en' }, fault));
  }

  /** Says what was left out and where, and what was assumed. */
  #paintNotes() {
    const skipped = this.#skipped.slice(0, MOST_NOTES).map((one) => this.#skip(one));
    if (this.#skipped.length > MOST_NOTES) skipped.push(t('import_skipped_more', { count: this.#skipped.length - MOST_NOTES }));
    const notes = [...skipped, ...this.#assumptions()];
    this.#notes.hidden = !notes.length;
    this.#notes.replaceChildren(...notes.map((note) => h('li', null, note)));
  }

  /** @param {import('./types.js').Skipped} skipped */
  #skip({ line, reason }) {
    return t('import_skipped', { line, reason });
  }

  /** By which rules games are read that name none, and how many. */
  #assumptions() {
    const counts = new Map();
    for (const { assumed, variant } of this.games) if (assumed) counts.set(`${assumed} ${variant}`, (counts.get(`${assumed} ${variant}`) ?? 0) + 1);
    return [...counts].map(([key, count]) => {
      const [assumed, variant] = key.split(' ');
      return t(assumed === 'guessed' ? 'import_guessed' : 'import_chosen', { count, game: this.#title(variant), chosen: this.#title(this.#rules.variant) });
    });
  }

  /** @param {string} name */
  #title(name) {
    const card = this.on.cards().find((one) => one.name === name);
    return card ? gameTitle(card) : name;
  }
}

/** The position that a file is, if it is no game. @param {Blob} file */
export async function fenOf(file) {
  const begin = (await file.slice(0, LONGEST_FEN).text()).trim();
  return /^[WB?]:/i.test(begin) ? begin : null;
}

/** The list of a piece's games; a busy server is asked again. @param {object} piece @returns {Promise<import('./types.js').List>} */
async function patiently(piece) {
  for (;;) {
    try {
      return await post('/api/pdn/list', piece);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 429)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

/**
 * A file as text, some lines at a time; lines end with `\n`.
 * @param {Blob} file
 * @returns {AsyncGenerator<{ lump: string, size: number, last: boolean }>}
 */
async function* lumps(file) {
  const mark = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const wide = mark[0] + mark[1] === 0x1FD && (mark[0] === 0xFF ? 'utf-16le' : 'utf-16be');
  const plain = wide ? new Blob([new TextDecoder(wide).decode(await file.arrayBuffer())]) : file;
  let at = 0;
  do {
    const bytes = new Uint8Array(await plain.slice(at, at + LUMP).arrayBuffer());
    const last = at + bytes.length >= plain.size;
    const end = last ? bytes.length : bytes.lastIndexOf(10) + 1 || bytes.length;
    yield { lump: decode(bytes.subarray(0, end)).replace(/\r\n?/g, '\n'), size: end, last };
    at += end;
  } while (at < plain.size);
}

/** UTF-8, or else what old files are written in: Cyrillic words have high bytes side by side. @param {Uint8Array} bytes */
function decode(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const latin = new TextDecoder('latin1').decode(bytes);
    if (!/[^\x00-\x7F]{3}/.test(latin)) return latin;
    const count = (/** @type {(byte: number) => boolean} */ is) => bytes.reduce((sum, byte) => sum + Number(is(byte)), 0);
    const isDos = count((byte) => byte >= 0x80 && byte <= 0xAF) > count((byte) => (byte >= 0xC0 && byte <= 0xDF) || byte >= 0xF0);
    return new TextDecoder(isDos ? 'ibm866' : 'windows-1251').decode(bytes);
  }
}

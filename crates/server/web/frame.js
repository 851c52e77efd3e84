// What all pages share: the bar on top, the settings, the place for messages.

import { ApiError } from './api.js';
import { drawPiece, put } from './board/pieces.js';
import { choice, h, svg } from './dom.js';
import { icon } from './icons.js';
import { change, settings } from './settings.js';
import { LANGUAGES, language, t } from './texts.js';

/** @typedef {import('./texts.js').Key} Key */

const PAGES = /** @type {[string, 'play' | 'watch' | 'analyse' | 'variants' | 'account'][]} */ ([
  ['/', 'play'], ['/watch', 'watch'], ['/analyse', 'analyse'], ['/variants', 'variants'], ['/account', 'account'],
]);
const SPEEDS = /** @type {const} */ (['slow', 'usual', 'quick']);
const SWITCHES = /** @type {const} */ (['names', 'dots', 'marks', 'hold', 'quick', 'autoplay', 'premove', 'confirm', 'glide', 'explode', 'sounds']);
export const THEMES = /** @type {const} */ (['auto', 'checkers', 'draughts', 'wood', 'league', 'paper', 'night']);
const PIECES = /** @type {const} */ (['auto', 'flat', 'ridged', 'faces']);
const MODES = /** @type {const} */ (['auto', 'light', 'dark']);

/**
 * Builds the page around its content; what the file of the page shows meanwhile goes.
 * @param {Key} current the page's place in the bar
 * @param {...Node} content
 */
export function frame(current, ...content) {
  document.title = `${t(current)} – ${t('title')}`;
  document.body.replaceChildren(
    h('a', { class: 'skip', href: '#main' }, t('skip')),
    h('header', { class: 'bar' },
      h('a', { class: 'brand', href: '/' }, h('img', { src: new URL('icon.svg', import.meta.url).href, alt: '' }), t('title')),
      h('nav', { 'aria-label': t('nav') }, PAGES.map(([href, key]) => h('a', { href, 'aria-current': key === current ? 'page' : null }, icon(key), h('span', null, t(key))))),
      h('button', { type: 'button', class: 'icon', 'aria-label': t('settings'), title: t('settings'), onclick: openSettings }, icon('settings'))),
    h('main', { id: 'main' }, ...content));
}

/**
 * A sheet over the page.
 * @param {string} title
 * @param {...Node} content
 */
export function sheet(title, ...content) {
  const dialog = dialogOf(title, content);
  dialog.showModal();
  return dialog;
}

/** How many sheets there were: a question may come up while another is open. */
let sheets = 0;

/** @param {string} title @param {Node[]} content */
function dialogOf(title, content) {
  sheets += 1;
  const id = `sheet-title-${sheets}`;
  const heading = h('h2', { id }, title);
  const dialog = h('dialog', { 'aria-labelledby': id },
    h('div', { class: 'sheet' },
      h('div', { class: 'sheet-head' }, heading,
        h('button', { type: 'button', class: 'icon', 'aria-label': t('close'), title: t('close'), onclick: () => dialog.close() }, icon('close'))),
      ...content));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  return dialog;
}

/** A sheet beside the page, which stays in sight and at work. @param {string} title @param {...Node} content */
function drawer(title, ...content) {
  const dialog = dialogOf(title, content);
  const opener = /** @type {HTMLElement | null} */ (document.activeElement);
  dialog.classList.add('drawer');
  dialog.addEventListener('keydown', (event) => event.key === 'Escape' && dialog.close());
  dialog.addEventListener('close', () => opener?.focus());
  dialog.show();
  // On a phone the drawer is where the board was.
  const board = document.querySelector('.stage > king-board');
  if (board && board.getBoundingClientRect().bottom > dialog.offsetTop && dialog.offsetTop > 0) board.scrollIntoView({ block: 'start' });
}

/** Two rows of a board, with men and kings, as a picture of some looks. @param {Record<string, string>} looks */
function preview(looks) {
  const kinds = [{ name: 'man', letters: 'wb' }, { name: 'king', letters: 'WB' }];
  const piece = (/** @type {string} */ letter, /** @type {[number, number]} */ place) => {
    const element = drawPiece(/** @type {any} */ ({ kinds }), letter);
    put(element, place);
    return element;
  };
  return h('king-board', { 'aria-hidden': 'true', ...looks }, svg('svg', { viewBox: '0 0 4 2' },
    svg('path', { class: 'square unused', d: 'M0 0h4v2h-4z' }), svg('path', { class: 'square used', d: 'M1 0h1v1h-1zM3 0h1v1h-1zM0 1h1v1h-1zM2 1h1v1h-1z' }),
    piece('b', [1.5, 0.5]), piece('B', [3.5, 0.5]), piece('w', [0.5, 1.5]), piece('W', [2.5, 1.5])));
}

/**
 * A choice among looks, each shown as it is.
 * @param {'theme' | 'pieces'} name
 * @param {readonly string[]} values
 * @param {(value: string) => Record<string, string>} looks
 */
function chooseLooks(name, values, looks) {
  return h('fieldset', { class: 'choice' }, h('legend', null, t(`set_${name}`)), h('div', { class: 'looks' }, values.map((value) => h('label', null,
    h('input', { type: 'radio', name, value, checked: settings[name] === value, onchange: () => change(name, value) }),
    preview(looks(value)), h('span', null, t(/** @type {Key} */ (`${name}_${value}`)))))));
}

function openSettings() {
  // One is enough.
  if (document.querySelector('dialog.drawer')) return;
  const theme = () => /** @type {HTMLElement | null} */ (document.querySelector('.stage > king-board'))?.dataset.theme ?? 'wood';
  const toggle = (/** @type {typeof SWITCHES[number]} */ name) => h('label', { class: 'check' },
    h('input', { type: 'checkbox', checked: settings[name], onchange: (/** @type {any} */ event) => change(name, event.target.checked) }),
    t(`set_${name}`));
  drawer(t('settings'),
    h('div', null,
      chooseLooks('theme', THEMES, (value) => ({ 'data-theme': value })),
      chooseLooks('pieces', PIECES, (value) => ({ 'data-theme': theme(), 'data-pieces': value })),
      h('div', null,
        choice(t('set_mode'), 'mode', MODES.map((mode) => [mode, t(`mode_${mode}`)]), settings.mode, (value) => change('mode', value)),
        choice(t('set_speed'), 'speed', SPEEDS.map((speed) => [speed, t(`speed_${speed}`)]), settings.speed, (value) => change('speed', value)),
        choice(t('language'), 'language', LANGUAGES, language, (value) => {
          localStorage.setItem('language', value);
          location.reload();
        })),
      h('div', null, SWITCHES.map(toggle))));
}

/** @typedef {HTMLElement & { say: (text: string, bad?: boolean) => void, fail: (error: unknown) => void }} MessageLine */

/** The newest is the last. @type {MessageLine[]} */
const lines = [];

// What the server refused or could not be asked, and nobody else speaks of.
addEventListener('unhandledrejection', (event) => {
  if (!(event.reason instanceof ApiError)) return;
  event.preventDefault();
  lines.findLast((line) => line.isConnected)?.fail(event.reason);
});

/** A line that is seen and spoken. @returns {MessageLine} */
export function messageLine() {
  const element = h('p', { class: 'message', role: 'status', 'aria-live': 'polite' });
  const line = Object.assign(element, {
    /** @param {string} text @param {boolean} [bad] */
    say(text, bad = false) {
      const shown = text ? text[0].toUpperCase() + text.slice(1) : '';
      // The same refusal twice is spoken twice: a trailing space makes it new.
      element.textContent = shown && element.textContent === shown ? `${shown}\u00a0` : shown;
      element.classList.toggle('bad', bad);
    },
    /** @param {unknown} error */
    fail(error) {
      this.say(error instanceof Error ? error.message : String(error), true);
    },
  });
  lines.push(line);
  return line;
}

/**
 * Rules in words, with their headings in bold.
 * @param {Record<string, string>} words by language
 */
export function rulesInWords(words) {
  const lang = language in words ? language : 'en';
  return h('div', { class: 'words', lang, tabindex: 0, role: 'region', 'aria-label': t('rules') }, words[lang].split(/\n\s*\n/).map((paragraph) => {
    const [, heading, text] = /^([^:\n]{2,24}):\s([\s\S]*)$/.exec(paragraph) ?? [null, '', paragraph];
    return h('p', null, heading && h('b', null, heading), text.replaceAll('\n', ' '));
  }));
}

// Which language, and the texts in it. All texts of the pages are in texts/*.js.

import en from './texts/en.js';

/** Languages there are, by their own names. */
export const LANGUAGES = /** @type {[string, string][]} */ ([['en', 'English'], ['nl', 'Nederlands']]);

/** @typedef {keyof typeof en} Key */

/** The language in use. */
export const language = choose();

/** @type {Partial<Record<Key, string>>} */
const texts = language === 'en' ? en : (await import(`./texts/${language}.js`)).default;

document.documentElement.lang = language;

function choose() {
  const wanted = [localStorage.getItem('language'), ...navigator.languages].map((tag) => tag?.slice(0, 2));
  return wanted.find((tag) => LANGUAGES.some(([code]) => code === tag)) ?? 'en';
}

/**
 * A text, its `{names}` filled in.
 * @param {Key} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const text = texts[key] ?? en[key];
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

/**
 * A word of a game's own data, such as the name of a side, in the language in use.
 * @param {string} word
 */
export function word(word) {
  const key = /** @type {Key} */ (`word_${word}`);
  return texts[key] ?? word;
}

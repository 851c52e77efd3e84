// Which language, and the texts in it. All texts of the pages are in texts/*.js.

import en from './texts/en.js';

/** Languages there are, by their own names. */
export const LANGUAGES = /** @type {[string, string][]} */ ([['en', 'English'], ['nl', 'Nederlands']]);

/** @typedef {keyof typeof en} Key */
/** What the server says, as a key of a text and what to fill in. @typedef {{ key: string, values: Record<string, string | string[]> }} Said */

/** The language in use. */
export const language = choose();

/** @type {Record<string, string | undefined>} */
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
  return fill(texts[key] ?? en[key], values);
}

/** @param {string} text @param {Record<string, string | number>} values */
function fill(text, values) {
  return text.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (_, name, forms) => (forms ? formFor(Number(values[name]), forms.split('|')) : String(values[name] ?? '')));
}

const plural = new Intl.PluralRules(language);
const ORDER = ['zero', 'one', 'two', 'few', 'many', 'other'];
/** The forms that words for numbers have in the language, as texts list them. */
const FORMS = ORDER.filter((form) => plural.resolvedOptions().pluralCategories.some((one) => one === form));

/** The form of a word for a number. @param {number} number @param {string[]} forms */
function formFor(number, forms) {
  return forms[FORMS.indexOf(plural.select(number))] ?? forms.at(-1);
}

/**
 * A word of a game's own data, such as the name of a side, in the language in use.
 * @param {string} word
 */
export function word(word) {
  return texts[`word_${word}`] ?? word;
}

/** @param {{ name: string, title: string }} card */
export const gameTitle = (card) => texts[`title_${card.name}`] ?? card.title;

/** @param {{ name: string, summary: string }} card */
export const gameSummary = (card) => texts[`summary_${card.name}`] ?? card.summary;

/**
 * What the server said, in the language in use; its own words if there is no text for it.
 * @param {Said | undefined | null} said
 * @param {string} otherwise
 */
export function saying(said, otherwise) {
  const text = said && texts[`said_${said.key}`];
  if (!text) return otherwise;
  const values = Object.entries(said.values).map(([name, value]) => [name, Array.isArray(value) ? listed(value) : word(value)]);
  return fill(text, Object.fromEntries(values));
}

/** @param {string[]} words */
function listed(words) {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${t('or')} ${last}`;
}

/** Why a game ended, if that is known apart from its result. @param {import('./types.js').Over} over */
export const whyOver = ({ said, words }) => saying(said, words);

/** How a game ended, as a sentence. @param {import('./types.js').Over} over */
export function over({ winner, said, words, name }) {
  const why = saying(said, '');
  if (!why) return words;
  return winner ? t('won_because', { side: word(name ?? ''), why }) : t('drawn_because', { why });
}

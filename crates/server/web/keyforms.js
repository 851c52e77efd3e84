// Forms for the keys of a variant file: a control for each kind of value, with room for its faults.

import { h } from './dom.js';
import { t, word } from './texts.js';
import { COMPASS, grouped, single } from './variantkeys.js';

/**
 * @typedef {import('./variantkeys.js').Field} Field
 * @typedef {import('./texts.js').Key} Key
 * @typedef {(value: any) => void} Put
 */

/** The text of an option. @param {string} value */
export const option = (value) => t(/** @type {Key} */ (`opt_${value.replace(/-/g, '_')}`));

/** The text of a key. @param {string} table @param {string} key */
export const keyLabel = (table, key) => t(/** @type {Key} */ (`key_${table}_${key}`));

/**
 * A field for a key.
 * @param {string} path such as `pieces.king.range`
 * @param {string} label
 * @param {Field} field
 * @param {any} value
 * @param {string[]} kinds of pieces
 * @param {Put} put
 */
export function keyField(path, label, field, value, kinds, put) {
  const fault = h('span', { class: 'bad fault', id: `fault-${path}`, hidden: true });
  const common = { 'data-key': path, 'aria-describedby': fault.id };
  if (field.as === 'yes') {
    return h('div', { class: 'key' }, h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: !!value, ...common, onchange: (/** @type {any} */ event) => put(event.target.checked) }), label), fault);
  }
  if (field.as === 'directions') return group(label, fault, common, compass(label, value ?? [], put));
  if (field.as === 'ordered') return group(label, fault, common, boxes((field.of ?? []).map((name) => [name, option(name)]), value ?? [], put));
  if (field.as === 'kinds') return group(label, fault, common, boxes(kinds.map((name) => [name, word(name)]), value ?? [], put));
  return h('div', { class: 'key' }, h('label', { class: 'field' }, h('span', null, label), control(field, value, kinds, common, put)), fault);
}

/** Lists that are typed as one text. @type {{ [as: string]: { show: (value: any) => string, read: (typed: string) => any } }} */
const TYPED = {
  sizes: { show: (value) => value.join('–'), read: (typed) => (typed.match(/\d+/g) ?? []).map(Number) },
  squares: { show: (value) => value.join(' '), read: (typed) => typed.split(/\s+/) },
};

/** @param {Field} field @param {any} value @param {string[]} kinds @param {object} common @param {Put} put */
function control(field, value, kinds, common, put) {
  if (field.as === 'number') return h('input', { type: 'number', min: field.from, max: field.to, value, ...common, oninput: (/** @type {any} */ event) => event.target.value && put(Number(event.target.value)) });
  if (field.as === 'one') return select((field.of ?? []).map((name) => [name, option(name)]), value, common, put);
  if (field.as === 'kind') return select([['nothing', t('opt_nothing')], ...kinds.map((name) => /** @type {[string, string]} */ ([name, word(name)]))], value, common, put);
  const { show, read } = TYPED[field.as] ?? { show: String, read: String };
  const shown = value === undefined ? '' : show(value);
  const typed = (/** @type {string} */ text) => put(text === '' && field.default ? undefined : read(text));
  return h('input', { type: 'text', value: shown, autocomplete: 'off', spellcheck: 'false', ...common, oninput: (/** @type {any} */ event) => typed(event.target.value.trim()) });
}

/** @param {[string, string][]} options @param {string} value @param {object} common @param {Put} put */
function select(options, value, common, put) {
  return h('select', { ...common, onchange: (/** @type {any} */ event) => put(event.target.value) },
    options.map(([name, label]) => h('option', { value: name, selected: name === value }, label)));
}

/** @param {string} label @param {HTMLElement} fault @param {object} common @param {HTMLElement} content */
function group(label, fault, common, content) {
  return h('fieldset', { class: 'choice key', ...common }, h('legend', null, label), content, fault);
}

/** Boxes to tick; the order of ticking is the order of the list. @param {[string, string][]} options @param {string[]} value @param {Put} put */
function boxes(options, value, put) {
  let chosen = [...value];
  const toggle = (/** @type {any} */ event) => {
    const { value: name, checked } = event.target;
    chosen = checked ? [...chosen, name] : chosen.filter((other) => other !== name);
    put([...chosen]);
  };
  return h('div', { class: 'options' }, options.map(([name, label]) => h('label', null,
    h('input', { type: 'checkbox', value: name, checked: chosen.includes(name), onchange: toggle }), h('span', null, label))));
}

/** @param {string} label @param {string[]} value @param {Put} put */
function compass(label, value, put) {
  const chosen = single(value);
  const toggle = (/** @type {any} */ event) => {
    if (event.target.checked) chosen.add(event.target.value);
    else chosen.delete(event.target.value);
    put(grouped(chosen));
  };
  return h('div', { class: 'options compass' }, COMPASS.map(([name, sign]) => (name ? h('label', null,
    h('input', { type: 'checkbox', value: name, checked: chosen.has(name), 'aria-label': `${label}: ${option(name)}`, onchange: toggle }), h('span', { 'aria-hidden': 'true' }, sign)) : h('i'))));
}

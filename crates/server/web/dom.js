// Elements in one expression. Text is always text: nothing here makes markup of it.

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An HTML element. Properties that start with `on` are listeners, `class` and the rest are
 * attributes; `true` is an empty attribute, `false`, `null` and `undefined` are none.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any> | null} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  fill(element, properties ?? {}, children.flat());
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any> | null} [properties]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, properties, ...children) {
  const element = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag));
  fill(element, properties ?? {}, children.flat());
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, any>} properties
 * @param {Child[]} children
 */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else set(element, name, value);
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
}

/**
 * Sets or removes an attribute.
 * @param {Element} element
 * @param {string} name
 * @param {any} value
 */
export function set(element, name, value) {
  if (value === false || value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
}

/**
 * A button.
 * @param {string} label
 * @param {() => void} action
 * @param {Record<string, any>} [properties]
 */
export function button(label, action, properties) {
  return h('button', { type: 'button', onclick: action, ...properties }, label);
}

/**
 * A choice of one among several, as a row of radio buttons.
 * @param {string} legend
 * @param {string} name
 * @param {[string, string][]} options value and label
 * @param {string} chosen
 * @param {(value: string) => void} [changed]
 */
export function choice(legend, name, options, chosen, changed) {
  return h('fieldset', { class: 'choice' }, h('legend', null, legend),
    h('div', { class: 'options' }, options.map(([value, label]) => h('label', null,
      h('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => changed?.(value) }),
      h('span', null, label)))));
}

/**
 * The chosen value of a choice.
 * @param {ParentNode} within
 * @param {string} name
 */
export function chosen(within, name) {
  const input = /** @type {HTMLInputElement | null} */ (within.querySelector(`input[name="${name}"]:checked`));
  return input?.value ?? '';
}

/**
 * Offers a text as a file.
 * @param {string} name
 * @param {string} text
 */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = h('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Copies what a field has. Plain http beyond this computer knows the old way only. @param {HTMLInputElement} field */
export async function copyFrom(field) {
  if (navigator.clipboard) return navigator.clipboard.writeText(field.value);
  field.select();
  document.execCommand('copy');
  return undefined;
}

/**
 * A button that opens a list of further ones over the page; Escape, a click elsewhere or a choice
 * closes it.
 * @param {string} label
 */
export function menu(label) {
  const list = h('div', { class: 'menu', popover: 'auto', id: 'menu', role: 'group', 'aria-label': label, onclick: () => list.hidePopover() });
  const opener = h('button', { type: 'button', class: 'icon', popovertarget: 'menu', 'aria-label': label, title: label }, '⋯');
  list.addEventListener('beforetoggle', () => {
    const { right, top, bottom } = opener.getBoundingClientRect();
    // On whichever side of its button there is more room.
    const below = innerHeight - bottom > top;
    list.style.inset = below ? `${bottom + 6}px ${innerWidth - right}px auto auto` : `auto ${innerWidth - right}px ${innerHeight - top + 6}px auto`;
  });
  return { opener, list };
}

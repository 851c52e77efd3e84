// A tree of moves on the page: the main line, variations as indented lines, theirs in brackets,
// and what is said about the moves.

import { button, h } from './dom.js';
import { icon } from './icons.js';
import { t } from './texts.js';

/**
 * @typedef {import('./tree.js').Node} TreeNode
 * @typedef {import('./tree.js').Tree} Tree
 */

/** The glyphs that people give moves, by their number in PDN. */
const GLYPHS = /** @type {const} */ ([[1, '!'], [2, '?'], [3, '!!'], [4, '??'], [5, '!?'], [6, '?!']]);
/** What programs write into comments: times, scores. */
const COMMANDS = /\[%[^\]]*\]/g;

export class TreeView {
  #moves = h('div', { class: 'moves tree', hidden: true, tabindex: 0, role: 'group', 'aria-label': t('moves') });
  #nothing = h('p', { class: 'soft' }, t('no_moves'));
  #glyph = h('select', { 'aria-label': t('glyph'), onchange: () => this.#remark() },
    h('option', { value: '' }, '–'), GLYPHS.map(([nag, sign]) => h('option', { value: nag }, `${sign} ${t(`glyph_${nag}`)}`)));
  #comment = h('input', { type: 'text', 'aria-label': t('comment'), placeholder: t('comment_short'), autocomplete: 'off', onchange: () => this.#remark() });
  #promote = this.#tool('promote', () => this.#tree?.promote());
  #cut = this.#tool('cut', () => this.#tree?.cut());
  #remarks = h('div', { class: 'remarks', hidden: true }, this.#glyph, this.#comment, this.#promote, this.#cut);
  element = h('div', null, this.#nothing, this.#moves, this.#remarks);

  /** @type {Tree | null} */
  #tree = null;
  /** The move that the remarks are about. @type {TreeNode | null} */
  #current = null;
  /** @type {Map<TreeNode, HTMLElement>} */
  #buttons = new Map();
  #drawn = '';

  /** @param {{ goTo: (node: TreeNode) => void, changed: () => void }} on */
  constructor(on) {
    this.on = on;
  }

  /**
   * Shows a tree and where one stands in it.
   * @param {Tree} tree
   * @param {boolean} secondFirst whether the side that usually moves second begins
   */
  show(tree, secondFirst) {
    // Only what changed is built again.
    const now = `${tree.changes} ${secondFirst}`;
    if (tree !== this.#tree || now !== this.#drawn) {
      this.#buttons.clear();
      this.#moves.replaceChildren(...this.#line(tree.root.children[0], secondFirst ? 1 : 0, false));
    }
    this.#tree = tree;
    this.#drawn = now;
    this.#nothing.hidden = this.#buttons.size > 0;
    this.#moves.hidden = this.#buttons.size === 0;
    this.#paintCurrent(tree);
  }

  /** @param {Tree} tree */
  #paintCurrent(tree) {
    const { current } = tree;
    this.#moves.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const here = this.#buttons.get(current);
    here?.setAttribute('aria-current', 'true');
    // Scrolls the list, never the page.
    if (here) this.#moves.scrollTop = here.offsetTop - this.#moves.offsetTop - this.#moves.clientHeight / 2;
    this.#remarks.hidden = !here;
    // What is being written stays, whatever arrives meanwhile.
    if (current !== this.#current || document.activeElement !== this.#comment) this.#comment.value = current.comment;
    this.#current = current;
    this.#glyph.value = String(current.nags.find((nag) => nag <= GLYPHS.length) ?? '');
    this.#promote.hidden = tree.onMainLine;
  }

  /**
   * A line from a move on, with what else could have been played.
   * @param {TreeNode | undefined} first
   * @param {number} ply
   * @param {boolean} inner whether this is a variation already
   */
  #line(first, ply, inner) {
    const parts = /** @type {(Node | string)[]} */ ([]);
    let numbered = false;
    for (let at = first, count = ply; at; [at] = at.children, count += 1) {
      parts.push(...said(at.before));
      const number = (count % 2 === 0 || !numbered) && h('span', { class: 'no' }, `${Math.floor(count / 2) + 1}${count % 2 ? '…' : '.'}`);
      parts.push(h('span', { class: 'move' }, number, this.#button(at)));
      parts.push(...said(at.comment));
      const others = at === first && inner ? [] : at.parent?.children.slice(1) ?? [];
      parts.push(...others.map((other) => h(inner ? 'span' : 'div', { class: inner ? 'inner' : 'alt' }, inner && '(', this.#line(other, count, true), inner && ')')));
      // After an interruption the number is said again.
      numbered = !at.comment && !others.length;
    }
    return parts;
  }

  /** @param {TreeNode} node */
  #button(node) {
    const signs = node.nags.map((nag) => GLYPHS.find(([known]) => known === nag)?.[1] ?? '');
    const made = button(node.text + signs.join(''), () => this.on.goTo(node));
    this.#buttons.set(node, made);
    return made;
  }

  #remark() {
    if (!this.#tree) return;
    // Other glyphs, which only files have, stay.
    const others = this.#tree.current.nags.filter((nag) => nag > GLYPHS.length);
    this.#tree.remark({ comment: this.#comment.value.trim(), nags: this.#glyph.value ? [Number(this.#glyph.value), ...others] : others });
    this.on.changed();
  }

  /** @param {'promote' | 'cut'} name @param {() => void} action */
  #tool(name, action) {
    return h('button', { type: 'button', class: 'icon', 'aria-label': t(name), title: t(name), onclick: () => { action(); this.on.changed(); } }, icon(name));
  }
}

/** What people say in a comment, if they do. @param {string} comment */
function said(comment) {
  const text = comment.replace(COMMANDS, ' ').replace(/\s+/g, ' ').trim();
  return text ? [h('span', { class: 'said', translate: 'no' }, text)] : [];
}

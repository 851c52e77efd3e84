// Pieces in SVG: made, moved, crowned and blown up.

import { svg } from '../dom.js';

/** @typedef {import('../types.js').Card} Card */

/** Milliseconds a step. */
const GLIDE = /** @type {Record<string, number>} */ ({ slow: 900, usual: 220, quick: 90 });

/** Whether the system asks for calm. */
export const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Side and kind of a letter.
 * @param {Card} card
 * @param {string} letter
 * @returns {{ side: 'white' | 'black', kind: number } | null}
 */
export function pieceOf(card, letter) {
  const kind = card.kinds.findIndex(({ letters }) => letters.includes(letter));
  if (letter === '.' || kind < 0) return null;
  return { side: card.kinds[kind].letters[0] === letter ? 'white' : 'black', kind };
}

/**
 * A piece. Which of its parts show is the theme's choice.
 * @param {Card} card
 * @param {string} letter
 * @param {boolean} [plain] without shadow and rim, for small pictures
 */
export function drawPiece(card, letter, plain = false) {
  const piece = pieceOf(card, letter);
  const kind = piece?.kind ?? 0;
  const name = ['man', 'king'][kind] ?? 'fairy';
  return svg('g', { class: `piece ${piece?.side} ${name}`, 'data-letter': letter },
    !plain && svg('ellipse', { class: 'shadow', cx: 0, cy: 0.07, rx: 0.4, ry: 0.38 }),
    svg('circle', { class: 'disc', r: 0.39 }),
    !plain && svg('circle', { class: 'rim', r: 0.3 }),
    !plain && svg('path', { class: 'face', d: 'M-.12 -.08v.02M.12 -.08v.02M-.15 .08Q0 .24 .15 .08' }),
    kind === 1 && svg('circle', { class: 'ring', r: 0.27 }),
    kind === 1 && svg('path', { class: 'crown', d: 'M-.2 .13 L-.23 -.12 L-.1 -.01 L0 -.18 L.1 -.01 L.23 -.12 L.2 .13 Z' }),
    kind === 1 && svg('circle', { class: 'blob', r: 0.1 }),
    kind > 1 && svg('text', { class: 'letter', y: 0.12 }, card.kinds[kind].name[0].toUpperCase()));
}

/**
 * Puts an element in the middle of a square.
 * @param {SVGElement} element
 * @param {[number, number]} middle
 */
export function put(element, [x, y]) {
  element.setAttribute('transform', `translate(${x} ${y})`);
}

/**
 * Lets a piece glide along some places; resolves when it has landed.
 * @param {SVGElement} element
 * @param {[number, number][]} places the first is where it stands
 * @param {string | null} speed none: it is simply there
 */
export async function travel(element, places, speed) {
  const end = /** @type {[number, number]} */ (places.at(-1));
  put(element, end);
  if (!speed || isCalm() || places.length < 2) return;
  // On top of the others while it flies.
  element.parentNode?.append(element);
  const frames = places.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
  const duration = GLIDE[speed] * Math.min(places.length - 1, 5);
  const animation = element.animate(frames, { duration, easing: 'ease-in-out' });
  await animation.finished.catch(() => {});
}

/**
 * Removes a captured piece: it fades, or it goes off with a bang.
 * @param {SVGElement} element
 * @param {[number, number]} middle
 * @param {boolean} bang
 */
export async function vanish(element, middle, bang) {
  if (isCalm()) {
    element.remove();
    return;
  }
  const sparks = bang ? explode(element, middle) : [];
  const fade = element.animate([{ opacity: 1 }, { opacity: 0 }], { duration: bang ? 120 : 200, fill: 'forwards' });
  await Promise.allSettled([fade.finished, ...sparks]);
  element.remove();
}

/**
 * @param {SVGElement} element
 * @param {[number, number]} middle
 */
function explode(element, [x, y]) {
  const side = element.classList.contains('white') ? 'white' : 'black';
  return Array.from({ length: 14 }, (_, index) => {
    const spark = svg('circle', { class: `spark ${index % 3 ? side : 'fire'}`, r: 0.05 + (index % 4) * 0.02 });
    element.parentNode?.append(spark);
    const angle = (index / 14) * 2 * Math.PI;
    const far = 0.7 + (index % 3) * 0.35;
    const to = `translate(${x + Math.cos(angle) * far}px, ${y + Math.sin(angle) * far + 0.3}px) scale(.3)`;
    const frames = [{ transform: `translate(${x}px, ${y}px)`, opacity: 1 }, { transform: to, opacity: 0 }];
    const flight = spark.animate(frames, { duration: 550, easing: 'cubic-bezier(.1,.7,.4,1)', fill: 'forwards' });
    return flight.finished.catch(() => {}).then(() => spark.remove());
  });
}

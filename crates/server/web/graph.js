// The course of a game as a curve, with the moves that cost most.

import { svg } from './dom.js';
import { t } from './texts.js';

const HEIGHT = 40;

/**
 * Plies whose move cost the mover a man or more, as White's scores tell.
 * @param {number[]} scores the score of each position, the start included
 */
export function worst(scores) {
  const cost = (/** @type {number} */ ply) => Math.abs(clamp(scores[ply]) - clamp(scores[ply - 1]));
  const plies = scores.map((_, ply) => ply).slice(1).filter((ply) => cost(ply) >= 1);
  return plies.sort((a, b) => cost(b) - cost(a)).slice(0, 6).sort((a, b) => a - b);
}

/** @param {number} score */
const clamp = (score) => Math.max(-6, Math.min(6, score));

/**
 * @param {number[]} scores
 * @param {number[]} bad
 * @param {(ply: number) => void} goTo
 */
export function graph(scores, bad, goTo) {
  const width = Math.max(scores.length - 1, 1);
  const y = (/** @type {number} */ score) => HEIGHT / 2 - (clamp(score) / 6) * (HEIGHT / 2 - 2);
  const points = scores.map((score, ply) => `${ply},${y(score).toFixed(2)}`).join(' ');
  const picture = svg('svg', { class: 'graph', viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': t('graph') },
    svg('line', { class: 'zero', x1: 0, x2: width, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    svg('polyline', { class: 'curve', points }),
    bad.map((ply) => svg('ellipse', { class: 'blunder', cx: ply, cy: y(scores[ply]), rx: width / 120, ry: 1.4 })));
  picture.addEventListener('click', (event) => {
    const box = picture.getBoundingClientRect();
    goTo(Math.round(((event.clientX - box.left) / box.width) * width));
  });
  return picture;
}

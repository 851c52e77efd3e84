// What a theme changes besides colours.

/** @typedef {{ everywhere: boolean, fixed: boolean }} Look */

/** @type {Record<string, Look>} */
const LOOKS = {
  // The worksheet's board: the cursor visits every square, and White stays on top.
  draughts: { everywhere: true, fixed: true },
};

/**
 * The look of a theme.
 * @param {string | undefined} theme
 * @returns {Look}
 */
export function lookOf(theme) {
  return LOOKS[theme ?? ''] ?? { everywhere: false, fixed: false };
}

/**
 * Whether a board is shown upside down, so that a side sits at the bottom.
 * @param {{ top: string, theme: string }} card
 * @param {string} side
 */
export function flipFor(card, side) {
  return card.top === side && !lookOf(card.theme).fixed;
}

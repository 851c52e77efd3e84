// The buttons of a game: what can be done while it goes on, and after it.

import { rulesInWords, sheet } from './frame.js';
import { gameTitle } from './texts.js';

/**
 * @typedef {import('./types.js').Whole} Whole
 * @typedef {import('./types.js').Game} Game
 * @typedef {import('./gameview.js').Action} Action
 * @typedef {{ act: (action: string) => void, hint: () => void, resign: () => void, evaluate: () => void, flip: () => void }} On
 */

/** So many buttons stand in the row of tools, the rest in the menu. */
export const IN_THE_ROW = 4;
/** Ends that are no move's doing: nothing is taken back after them. */
const DECIDED = ['resigned', 'out_of_time', 'left', 'agreed', 'stopped', 'decided'];

/** What to do after a game. @param {Whole} whole @param {On} on @returns {Action[]} */
export function waysOn({ game, you }, { act }) {
  return among([
    [you.length > 0 && !!game.over && !game.rematch && !game.league, 'rematch', () => act('rematch'), { class: 'main' }],
    [!!game.rematch, 'next_game', () => { location.href = `/game/${game.rematch}`; }, { class: 'main' }],
    [!!game.league, 'to_league', () => { location.href = `/watch?league=${encodeURIComponent(game.league ?? '')}`; }, { class: 'main' }],
    [!!game.over, 'study', () => { location.href = `/analyse?game=${game.id}`; }],
  ]);
}

/** What can be done at any time that it makes sense. @param {Whole} whole @param {boolean} evaluating @param {On} on @returns {Action[]} */
export function tools(whole, evaluating, { act, hint, resign, evaluate, flip }) {
  const { game, you, variant, toml, history } = whole;
  const playing = you.length > 0;
  const running = playing && !game.over;
  const helped = !game.rated && !isBetweenPeople(whole);
  return among([
    [playing && history.length > 0 && !game.rated && !game.league && !isDecided(game), 'take_back', () => act('take_back')],
    [running && helped && !game.league, 'hint', hint],
    [running && !game.league, 'offer_draw', () => act('draw')],
    [running, 'resign', resign],
    [!!game.over || helped, 'evaluate', evaluate, { 'aria-pressed': String(evaluating) }],
    [true, 'flip', flip],
    [true, 'rules', () => sheet(gameTitle(variant), rulesInWords(variant.words))],
    [true, 'new_game', () => { location.href = `/?game=${toml ? '' : variant.name}`; }],
  ]);
}

/** Those that are to be shown. @param {[boolean, ...Action][]} all @returns {Action[]} */
const among = (all) => all.filter(([shown]) => shown).map(([, ...action]) => action);

/** Whether a game has ended otherwise than by its last move. @param {Game} game */
function isDecided({ over }) {
  return !!over?.said && DECIDED.includes(over.said.key);
}

/** Whether two people play, so that nobody is to be helped. @param {Whole} whole */
function isBetweenPeople({ game, you }) {
  return you.length < 2 && game.seats.every((seat) => seat.type === 'person' || seat.type === 'open');
}

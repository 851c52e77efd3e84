// The sheet that begins a game: opponent, side, clock, board, rules; or a game and a position from
// elsewhere.

import { get, post } from './api.js';
import { button, choice, chosen, h } from './dom.js';
import { messageLine, rulesInWords, sheet } from './frame.js';
import { GameList, fenOf } from './importing.js';
import { gameSummary, gameTitle, t, word } from './texts.js';

/**
 * @typedef {import('./types.js').Card} Card
 * @typedef {import('./types.js').Variant} Variant
 * @typedef {import('./types.js').Import} Import
 * @typedef {{ fen?: string | null, size?: number | null, moves?: string[] }} From
 */

const CLOCKS = /** @type {[number, number][]} */ ([[0, 0], [3, 2], [5, 3], [10, 0], [20, 10]]);

/** A game against the computer, at once. @param {Card} card @param {number} level */
export async function beginQuick(card, level) {
  const [me, computer] = [{ type: 'me' }, { type: 'computer', level }];
  const first = card.first === 'white';
  await enter(card.name, { variant: card.name, white: first ? me : computer, black: first ? computer : me });
}

/** Whether a game is being begun: a second click makes no second game. */
let beginning = false;
addEventListener('pageshow', () => { beginning = false; });

/** Begins a game and goes there. @param {string} name empty for games of one's own @param {object} game */
export async function enter(name, game) {
  if (beginning) return;
  beginning = true;
  try {
    const { id, invite } = await post('/api/games', game);
    if (invite) localStorage.setItem(`invite:${id}`, invite);
    if (name) localStorage.setItem('game', name);
    location.href = `/game/${id}`;
  } catch (error) {
    beginning = false;
    throw error;
  }
}

/** @param {Card} card @param {From} [from] */
export async function openGame(card, from = {}) {
  const rules = h('div');
  const note = messageLine();
  const form = h('form', { method: 'dialog', onsubmit: submit }, choices(card, from), note,
    h('div', { class: 'submit' }, h('button', { class: 'main large', type: 'submit' }, t('start'))), more(card, from));
  sheet(gameTitle(card), h('p', { class: 'soft' }, gameSummary(card)), h('div', { class: 'two' }, form, rules));
  showBots(form);
  const [variant, me] = /** @type {[Variant, { name: string | null }]} */ (await Promise.all([get(`/api/variants/${encodeURIComponent(card.name)}`), get('/api/me')]));
  rules.append(h('h3', null, t('rules')), rulesInWords(variant.words), h('p', { class: 'soft', lang: 'en' }, variant.sources));
  // Only games from the start between people with accounts, or with the computer, are rated.
  const rated = /** @type {HTMLElement | null} */ (form.querySelector('.rated'));
  if (rated) rated.hidden = !me.name || !!from.fen || !!from.moves?.length;

  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    try {
      await begin(card, form, from);
    } catch (error) {
      note.fail(error);
    }
  }
}

/** @param {Card} card @param {From} from */
function choices(card, from) {
  const [white, black] = card.sides.map(({ name }) => word(name));
  const sides = /** @type {[string, string][]} */ ([['white', white], ['black', black], ['random', t('random')]]);
  const levels = levelField();
  const own = ownClock();
  const moves = from.moves?.length ?? 0;
  return [
    choice(t('opponent'), 'opponent', [['computer', t('computer')], ['device', t('device')], ['link', t('link')]], 'computer', (value) => {
      levels.hidden = value !== 'computer';
    }),
    levels,
    choice(t('side'), 'side', sides, card.first),
    choice(t('clock'), 'clock', [...CLOCKS.map(([minutes, seconds], index) => /** @type {[string, string]} */ ([String(index), clockLabel(minutes, seconds)])), ['own', t('own_clock')]], '0', (value) => {
      own.hidden = value !== 'own';
    }),
    own,
    moves > 0 && h('p', { class: 'soft' }, t('goes_on_after', { moves })),
  ];
}

/** What most people leave as it is. @param {Card} card @param {From} from */
function more(card, from) {
  const moves = from.moves?.length ?? 0;
  return h('details', { open: !!from.fen && !moves }, h('summary', null, t('more')),
    check('public', t('public')),
    h('div', { class: 'rated', hidden: true }, check('rated', t('rated'))),
    !moves && card.sizes && sizeField(card.sizes, card.grid.length),
    !moves && h('label', { class: 'field' }, h('span', null, t('from_fen')), h('input', { type: 'text', name: 'fen', value: from.fen ?? '', autocomplete: 'off', spellcheck: 'false' })));
}

/** @param {string} name @param {string} label */
function check(name, label) {
  return h('label', { class: 'check' }, h('input', { type: 'checkbox', name }), label);
}

/** Any other time. */
function ownClock() {
  const field = (/** @type {string} */ name, /** @type {string} */ label, /** @type {object} */ range, /** @type {number} */ value) => h('label', { class: 'field' }, h('span', null, label),
    h('input', { type: 'number', name, value, required: true, ...range }));
  return h('div', { class: 'row', hidden: true }, field('minutes', t('clock_minutes'), { min: 0.5, max: 600, step: 0.5 }, 15), field('seconds', t('clock_seconds'), { min: 0, max: 600, step: 1 }, 5));
}

function levelField() {
  const level = Number(localStorage.getItem('level') ?? 1);
  const label = (/** @type {number} */ now) => (now ? t('level', { level: now }) : t('level_random'));
  const shown = h('output', null, label(level));
  return h('label', { class: 'field' }, shown,
    h('input', { type: 'range', name: 'level', min: 0, max: 10, value: level, 'aria-label': t('strength'), oninput: (/** @type {any} */ event) => {
      localStorage.setItem('level', event.target.value);
      shown.value = label(Number(event.target.value));
    } }));
}

/** @param {number} minutes @param {number} seconds */
function clockLabel(minutes, seconds) {
  if (!minutes) return t('no_clock');
  return seconds ? t('minutes_plus', { minutes, seconds }) : t('minutes', { minutes });
}

/** @param {[number, number]} sizes @param {number} usual */
function sizeField([from, to], usual) {
  const sizes = [];
  for (let size = from; size <= to; size += 2) sizes.push(size);
  return h('label', { class: 'field' }, h('span', null, t('size')),
    h('select', { name: 'size' }, sizes.map((size) => h('option', { value: size, selected: size === usual }, `${size}×${size}`))));
}

/** Adds the bots that listen to the opponents. @param {HTMLFormElement} form */
async function showBots(form) {
  const bots = /** @type {{ name: string }[]} */ (await get('/api/bots'));
  const options = form.querySelector('.options');
  for (const { name } of bots) {
    options?.append(h('label', null, h('input', { type: 'radio', name: 'opponent', value: `bot:${name}` }), h('span', null, t('bots', { name }))));
  }
}

/** @param {Card} card @param {HTMLFormElement} form @param {From} from */
async function begin(card, form, from) {
  const fields = new FormData(form);
  const opponent = chosen(form, 'opponent');
  const side = chosen(form, 'side');
  const mySide = side === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : side;
  const clock = chosen(form, 'clock');
  const [minutes, seconds] = clock === 'own' ? [Number(fields.get('minutes')), Number(fields.get('seconds'))] : CLOCKS[Number(clock)];
  const other = { computer: { type: 'computer', level: Number(fields.get('level')) }, device: { type: 'me' }, link: { type: 'friend' } }[opponent]
    ?? { type: 'bot', name: opponent.slice(4) };
  const size = Number(fields.get('size'));
  await enter(card.name, {
    variant: card.name,
    size: from.size ?? (size && size !== card.grid.length ? size : null),
    fen: from.moves?.length ? from.fen : String(fields.get('fen') ?? '').trim() || null,
    moves: from.moves ?? [],
    white: mySide === 'white' ? { type: 'me' } : other,
    black: mySide === 'black' ? { type: 'me' } : other,
    clock: minutes ? { initial_ms: minutes * 60_000, increment_ms: seconds * 1000 } : null,
    public: fields.get('public') === 'on',
    rated: fields.get('rated') === 'on' && !form.querySelector('.rated[hidden]'),
  });
}

// ---- from elsewhere ---------------------------------------------------------------------------

/** A PDN or a FEN from elsewhere, to be played on. @param {string} [variant] the rules of what doesn't say */
export async function openImport(variant = localStorage.getItem('game') ?? 'international') {
  const cards = /** @type {Card[]} */ (await get('/api/variants'));
  const note = messageLine();
  const text = h('textarea', { name: 'pdn', spellcheck: 'false', placeholder: t('import_help'), 'aria-label': t('import_text') });
  const game = h('select', { name: 'game' }, cards.map((card) => h('option', { value: card.name, selected: card.name === variant }, gameTitle(card))));
  const file = h('input', { type: 'file', accept: '.pdn,.fen,.txt', 'aria-label': t('import_file'), onchange: () => { const [given] = file.files ?? []; if (given) load(given); } });
  const games = new GameList({ cards: () => cards, progress: (said) => note.say(said), open: play, fail: (error) => note.fail(error) });
  const dialog = sheet(t('import'), h('p', { class: 'soft' }, t('import_play')), text, h('div', { class: 'row' }, file),
    h('label', { class: 'field' }, h('span', null, t('import_rules')), game), note, games.element,
    h('div', { class: 'submit' }, button(t('load'), () => load(new Blob([text.value])), { class: 'main' })));

  const cardOf = (/** @type {string} */ name) => /** @type {Card} */ (cards.find((card) => card.name === name) ?? cards[0]);
  const go = (/** @type {string} */ name, /** @type {From} */ from) => {
    dialog.close();
    openGame(cardOf(name), from);
  };

  /** @param {Import} game */
  function play({ variant: name, fen, size, line }) {
    go(name, { fen, size, moves: line.map(({ squares }) => squares) });
  }

  /** @param {Blob} given */
  async function load(given) {
    const position = await fenOf(given);
    try {
      if (position) {
        await post('/api/positions', { variant: game.value, fen: position });
        return go(game.value, { fen: position });
      }
      if (!await games.read(given, { variant: game.value })) return undefined;
      if (games.games.length === 1 && !games.isDoubtful) return games.open(games.games[0]);
      note.say(t('games_found', { count: games.games.length }));
    } catch (error) {
      note.fail(error);
    }
    return undefined;
  }
}

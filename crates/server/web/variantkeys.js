// The keys of a variant file that the editor has forms for, as the server tells them.

import { get } from './api.js';

/**
 * A key and how it is filled in. Holes (`cells`) and a drawn start (`drawing`) are made on the board.
 * @typedef {{ key: string, as: 'text' | 'letters' | 'number' | 'yes' | 'one' | 'ordered' | 'directions' | 'kinds' | 'kind' | 'cells' | 'sizes' | 'drawing' | 'squares' | 'span',
 *   from?: number, to?: number, of?: string[], default?: string, sentence: string }} Field
 * @typedef {{ path: string, keys: Field[] }} Table
 */

/** The tables in the order of a file; those of each piece and of each counter have paths with a star or of their list. @type {Table[]} */
export const tables = [];

const groups = /** @type {{ name: string, directions: string[] }[]} */ ([]);

/** Asks for the keys; everything here is empty before. */
export async function readSchema() {
  const schema = await get('/api/variants/schema');
  for (const { path, keys } of schema.tables) tables.push({ path, keys: keys.filter((/** @type {Field} */ field) => field.as !== 'cells' && field.as !== 'drawing') });
  groups.push(...schema.groups);
}

/** The keys of a table. @param {string} path */
export const keysOf = (path) => tables.find((table) => table.path === path)?.keys ?? [];

/** Directions as a compass shows them, forward on top. */
export const COMPASS = [
  ['forward-left', '↖'], ['forward', '↑'], ['forward-right', '↗'],
  ['left', '←'], ['', ''], ['right', '→'],
  ['backward-left', '↙'], ['backward', '↓'], ['backward-right', '↘'],
];

/** Single directions, groups opened. @param {string[]} names */
export function single(names) {
  return new Set(names.flatMap((name) => groups.find((group) => group.name === name)?.directions ?? [name]));
}

/** Directions as a file would say them: a group where one fits. @param {Set<string>} set */
export function grouped(set) {
  const group = groups.find(({ directions }) => directions.length === set.size && directions.every((name) => set.has(name)));
  return group ? [group.name] : [...set];
}

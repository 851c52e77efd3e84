// Keys and values as the text of a TOML file.

/** @typedef {{ [key: string]: any }} Keys */

/** @param {unknown} value @returns {string} */
function text(value) {
  if (Array.isArray(value)) return `[${value.map(text).join(', ')}]`;
  if (typeof value === 'object' && value) return `{ ${Object.entries(value).map(([key, item]) => `${key} = ${text(item)}`).join(', ')} }`;
  return JSON.stringify(value);
}

/** @param {unknown} value */
const isTable = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {unknown} a @param {unknown} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * The file of a game that extends another: only what is different.
 * @param {string} parent
 * @param {Keys} base the other game's keys
 * @param {Keys} keys
 */
export function variantFile(parent, base, keys) {
  const head = [`extends = ${text(parent)}`];
  for (const key of ['name', 'title', 'summary', 'sources']) if (key in keys && (key === 'name' || !same(keys[key], base[key]))) head.push(`${key} = ${text(keys[key])}`);
  return `${[...head, ...tables([], base, keys)].join('\n')}\n`;
}

/** @param {string[]} path @param {Keys} base @param {Keys} keys @returns {string[]} */
function tables(path, base, keys) {
  return Object.entries(keys).filter(([, value]) => isTable(value)).flatMap(([name, table]) => {
    const old = base[name] ?? {};
    const here = [...path, name];
    const changed = Object.entries(table).filter(([key, value]) => !isTable(value) && !same(value, old[key]));
    const lines = changed.length ? ['', `[${here.join('.')}]`, ...changed.map(([key, value]) => `${key} = ${text(value)}`)] : [];
    return [...lines, ...tables(here, old, table)];
  });
}

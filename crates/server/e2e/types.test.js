// The types of the pages against the server's own document.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { folder, start } from './server.js';

const server = await start(folder());
after(() => server.end('SIGKILL'));

const TYPES = new URL('../web/types.js', import.meta.url).pathname;
const TSC = new URL('node_modules/.bin/tsc', import.meta.url).pathname;

/** Which schema each type of the pages stands for. @type {Record<string, string>} */
const SCHEMAS = {
  Side: 'SideJson', Kind: 'KindJson', Card: 'CardJson', Variant: 'VariantJson', Move: 'MoveJson', Over: 'OverJson', Position: 'PositionJson',
  Seat: 'SeatJson', Clocks: 'ClockJson', Game: 'GameJson', Whole: 'WholeGameJson', Summary: 'OwnGameJson', RatingChange: 'RatingChange', Look: 'LookJson', Line: 'LineOfPlay',
  Advice: 'AdviceJson', TableMove: 'MoveVerdictJson', Verdict: 'VerdictJson', PaperMove: 'NodeJson', PaperGame: 'PaperGame', Assumed: 'Assumed',
  Import: 'ImportJson', Head: 'HeadJson', Skipped: 'SkippedJson', List: 'ListJson', Work: 'WorkJson', WorkCard: 'WorkCard', Fault: 'FaultJson',
  Worker: 'WorkerJson', LeagueCard: 'LeagueCardJson', LeagueRow: 'RowJson', LeagueFinished: 'FinishedJson', LeagueLive: 'LiveJson', LeagueGame: 'LeagueGameJson', League: 'LeagueJson',
  LeagueMeeting: 'MeetingJson', LeagueRound: 'RoundJson', LeagueIncident: 'IncidentJson', StageMeeting: 'StageMeetingJson', Stage: 'StageJson', Bracket: 'BracketJson',
};

/** What pages send back, the server takes without them too: the document says of these that they may be missing. */
const SENT_TOO = ['PaperMove', 'PaperGame', 'Import'];

/** A schema as a type. What may be missing may be null as well: the document tells them apart nowhere. @param {any} schema @returns {string} */
function typeOf(schema) {
  if (schema.$ref) return `Api.${schema.$ref.split('/').pop()}`;
  if (schema.allOf) return schema.allOf.map((/** @type {any} */ part) => `(${typeOf(part)})`).join(' & ');
  if (schema.oneOf) return schema.oneOf.map((/** @type {any} */ part) => `(${typeOf(part)})`).join(' | ');
  if (schema.enum) return schema.enum.map((/** @type {unknown} */ word) => JSON.stringify(word)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((/** @type {string} */ type) => `(${typeOf({ ...schema, type })})`).join(' | ');
  if (schema.type === 'array') return `(${schema.prefixItems ? schema.prefixItems.map(typeOf).join(' | ') : schema.items ? typeOf(schema.items) : 'any'})[]`;
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, field]) => `${JSON.stringify(name)}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(field)}`);
    return `{ ${fields.join('; ')} }`;
  }
  if (schema.additionalProperties) return `Record<string, ${typeOf(schema.additionalProperties)}>`;
  return { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' }[/** @type {string} */ (schema.type)] ?? 'any';
}

/** What is wrong with the types of a page, in the compiler's words. @param {string} types the file @param {any} document */
async function faults(types, document) {
  const place = folder();
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`);
  const checks = Object.entries(SCHEMAS).map(([type, schema]) => `
    { const ${type}_has_what_the_server_does_not_send: Unknown<T.${type}, Api.${schema}> = none; }
    { const ${type}_expects_what_may_be_missing: ${SENT_TOO.includes(type) ? 'string' : `Missing<T.${type}, Api.${schema}>`} = none; }
    { const ${type}_is_of_another_type: Loose<T.${type}> = null! as Loose<Api.${schema}>; }`);
  writeFileSync(join(place, 'types.js'), types);
  writeFileSync(join(place, 'texts.d.ts'), 'export type Said = { key: string, values: Record<string, any> };');
  const source = `
    import type * as T from './types.js';
    namespace Api { ${schemas.join('\n')} }
    const none = 'none';
    type None<K> = [K] extends [never] ? 'none' : K;
    type Keys<A> = A extends any ? keyof A : never;
    type Unknown<P, A> = P extends string ? 'none' : None<Exclude<NonNullable<P> extends object ? keyof NonNullable<P> : never, Keys<A>>>;
    type MayLack<P> = undefined extends P ? true : null extends P ? true : false;
    type Missing<P, A> = P extends string | null ? 'none' : None<{ [K in keyof P & keyof A]-?: MayLack<P[K]> extends true ? never : MayLack<A[K]> extends true ? K : never }[keyof P & keyof A]>;
    type Loose<X> = X extends null | undefined ? never : X extends string | number | boolean ? X : X extends readonly (infer E)[] ? Loose<E>[] : { [K in keyof X]?: Loose<X[K]> | null };
    ${checks.join('')}`;
  writeFileSync(join(place, 'check.ts'), source);
  const options = ['--noEmit', '--strict', '--allowJs', '--checkJs', 'false', '--target', 'es2024', '--module', 'es2022', '--moduleResolution', 'bundler', '--pretty', 'false'];
  const { stdout } = await promisify(execFile)(TSC, [...options, join(place, 'check.ts')]).catch((error) => error);
  // A fault is called by the name of the check, which says what it means.
  return stdout.trim().replace(/^.*check\.ts\((\d+).*?: /gm, (_, line) => `${/const (\w+)/.exec(source.split('\n')[line - 1])?.[1]}: `);
}

test('every type of the pages is what the server documents', async () => {
  const document = await (await fetch(`${server.url}/api/openapi.json`)).json();
  const types = readFileSync(TYPES, 'utf8');
  const named = [...types.matchAll(/\} (\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual(named.toSorted(), Object.keys(SCHEMAS).toSorted());
  assert.equal(await faults(types, document), '');
  // And it would be noticed: a name, a type and a field that may be missing.
  for (const [right, wrong, fault] of [
    ['depth: number', 'dept: number', 'Advice_has_what_the_server_does_not_send'],
    ['choices: number', 'choices: string', 'Advice_is_of_another_type'],
    ['wins_in?: number', 'wins_in: number', 'Line_expects_what_may_be_missing'],
    ["'white' | 'black'", "'white' | 'red'", 'Side_is_of_another_type'],
  ]) {
    assert(types.includes(right));
    assert.match(await faults(types.replace(right, wrong), document), new RegExp(fault));
  }
});

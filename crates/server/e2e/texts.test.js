// Languages: the same texts in each, and none outside them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import en from '../web/texts/en.js';
import nl from '../web/texts/nl.js';
import { begin, click, message, says, status, visit } from './page.js';

/** Names and words of the games' own data, which English has from the games themselves. */
const isData = (/** @type {string} */ key) => /^(word|title|summary)_/.test(key);

test('both languages have the same texts, with the same gaps', async () => {
  assert.deepEqual(Object.keys(nl).filter((key) => !isData(key)).sort(), Object.keys(en).sort());
  const gaps = (/** @type {string} */ text) => [...new Set(text.match(/\{\w+(?=\})/g))].sort();
  for (const [key, text] of Object.entries(en)) assert.deepEqual(gaps(/** @type {any} */ (nl)[key]), gaps(text), key);
  const page = await visit();
  await page.goto('/account');
  const games = await page.evaluate(async () => (await (await fetch('/api/variants')).json()).map((/** @type {any} */ card) => card.name));
  for (const name of games) assert(/** @type {any} */ (nl)[`title_${name}`] && /** @type {any} */ (nl)[`summary_${name}`], name);
});

test('a number has the right form of its word beside it, in every text of either language', async () => {
  for (const [language, texts] of Object.entries({ en, nl })) {
    for (const [key, text] of Object.entries(texts)) {
      // The word after these is no noun.
      if (['faults_more', 'import_skipped_more', 'incidents_more'].includes(key)) continue;
      assert.doesNotMatch(text, /\{(count|seconds|pieces|plies|limit|all)\} \p{L}{2}/u, `${language}: ${key} has one form for all numbers`);
    }
  }
  for (const [locale, one, two, away] of [['en-GB', '1 piece left', '2 pieces left', '1 second ago.'], ['nl-NL', 'nog 1 stuk', 'nog 2 stukken', '1 seconde geleden weggegaan.']]) {
    const page = await visit({ locale });
    await begin(page, { variant: 'english', fen: 'B:W31,32:B1' });
    await page.locator('.player .more').first().waitFor();
    const said = await page.locator('.player .more').evaluateAll((counts) => counts.map((count) => count.getAttribute('aria-label')).sort());
    assert.deepEqual(said, [one, two].sort());
    const text = await page.evaluate(async () => (await import(new URL('texts.js', document.scripts[0].src).href)).t('away', { seconds: 1 }));
    assert(text.endsWith(away), text);
  }
});

test('no text stands in the code of a page: with brackets around all texts, nothing is left outside', async () => {
  const page = await visit({ locale: 'nl-NL' });
  // A language that is English in brackets.
  const brackets = `import en from './en.js';
    export default new Proxy(en, { get: (texts, key) => key in texts ? '⟦' + texts[key] + '⟧' : /^(word|title|summary)_/.test(key) ? '⟦' + key + '⟧' : undefined });`;
  await page.route('**/web/*/texts/nl.js', (route) => route.fulfill({ contentType: 'text/javascript', body: brackets }));
  const leftovers = () => page.evaluate(() => {
    const left = /** @type {string[]} */ ([]);
    const look = (/** @type {string | null} */ text, /** @type {Element | null} */ where) => {
      // What the server says in a language of its own is marked as such; names belong to people.
      if (!text || !where || where.closest('body [lang], [translate="no"], code, textarea, script, style, noscript')) return;
      let rest = text;
      for (let before = ''; before !== rest;) [before, rest] = [rest, rest.replace(/⟦[^⟦⟧]*⟧/g, '')];
      if (/\p{L}{2,}/u.test(rest)) left.push(rest.trim());
    };
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) look(walk.currentNode.textContent, walk.currentNode.parentElement);
    for (const element of document.body.querySelectorAll('*')) for (const name of ['aria-label', 'title', 'placeholder']) look(element.getAttribute(name), element);
    return left.filter((text) => !/^(kingme|English|Nederlands)$/.test(text));
  });
  const check = async (/** @type {string} */ where) => assert.deepEqual(await leftovers(), [], where);
  for (const [path, ready] of [['/', '.card'], ['/watch', 'h1'], ['/analyse?variant=english', '[role=gridcell]'], ['/variants', '.words'], ['/account', 'form']]) {
    await page.goto(path);
    await page.locator(ready).first().waitFor();
    await page.evaluate(() => document.querySelectorAll('details').forEach((part) => { part.open = true; }));
    await check(path);
  }
  await page.goto('/');
  await page.locator('[data-game=english]').click();
  await page.locator('.words').waitFor();
  await check('the sheet of a game');
  await begin(page, { variant: 'english' });
  for (const [squares, what] of /** @type {[number[], string][]} */ ([[[17], 'an empty square'], [[22], 'an enemy'], [[1], 'stuck'], [[11, 20], 'elsewhere']])) {
    await click(page, ...squares);
    await says(message(page), /⟦/);
    await check(what);
  }
  await page.locator('[data-action=resign]').click();
  await page.locator('dialog .main').click();
  await page.locator('.result').getByText('⟦').waitFor();
  await check('the end');
});

test('in Dutch: the first page, a game, a refusal, the end', async () => {
  const page = await visit({ locale: 'nl-NL' });
  await page.goto('/');
  await page.locator('[data-game=international]').getByText('Internationaal dammen').click();
  const words = page.locator('.words[lang=nl]');
  await words.getByText('Elke kant heeft 20 schijven, op de vier rijen die het dichtst bij hem liggen; er liggen twee lege rijen tussen.').waitFor();
  await words.getByText('Wie kan slaan, moet slaan. Je moet de slag kiezen die de meeste stukken slaat.').waitFor();
  await begin(page, { variant: 'checkers' });
  await says(status(page), 'Zwart is aan zet');
  await click(page, 17);
  await says(message(page), 'Er staat geen stuk op 17');
  await click(page, 9);
  await says(message(page), 'Het stuk op 9 is van Rood, en Zwart is aan zet');
  await click(page, 22, 13);
  await says(message(page), 'Schijf 22 kan daar niet heen, wel naar 18 of 19');
  await page.getByRole('button', { name: 'Opgeven' }).click();
  await page.getByRole('button', { name: 'Ja' }).click();
  await says(page.locator('.result'), 'Rood wint: Zwart heeft opgegeven.');
});

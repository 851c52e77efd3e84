// What the tests share: a browser, pages at two sizes, and what a person does at a board.

import { AxeBuilder } from '@axe-core/playwright';
import assert from 'node:assert/strict';
import { after, afterEach } from 'node:test';
import { chromium, devices } from 'playwright-core';
import { folder, start } from './server.js';

export const server = await start(folder());
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });

/** How long anything may take, in ms: a busy machine is no fault of the page. */
const PATIENCE = Number(process.env.PATIENCE ?? 90_000);

/** What went wrong in the pages of a test. @type {string[]} */
const failures = [];
/** @type {import('playwright-core').BrowserContext[]} */
const visits = [];

afterEach(async () => {
  for (const context of visits.splice(0)) await context.close();
  assert.deepEqual(failures.splice(0), [], 'a page failed');
});

after(async () => {
  await browser.close();
  await server.end('SIGKILL');
});

export const DESKTOP = { viewport: { width: 1280, height: 860 } };
export const PHONE = { ...devices['Pixel 7'], defaultBrowserType: undefined };
export const SMALL_PHONE = { ...PHONE, viewport: { width: 360, height: 640 } };
export const PHONE_ON_ITS_SIDE = { ...PHONE, viewport: { width: 740, height: 360 } };

/**
 * A page of somebody new. Whatever goes wrong in it fails the test.
 * @param {object} [options]
 */
export async function visit(options = DESKTOP) {
  const context = await browser.newContext({ baseURL: server.url, locale: 'en-GB', ...options });
  visits.push(context);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on('pageerror', (error) => failures.push(`${page.url()}: ${error.stack}`));
  return page;
}

/**
 * Begins a game through the API, as the page would, and opens it.
 * @param {import('playwright-core').Page} page
 * @param {object} game
 * @param {Record<string, unknown>} [settings]
 */
export async function begin(page, game, settings = { glide: false }) {
  if (page.url() === 'about:blank') await page.goto('/account');
  const id = await page.evaluate(async ([game, settings]) => {
    localStorage.setItem('settings', JSON.stringify(settings));
    const body = JSON.stringify({ white: { type: 'me' }, black: { type: 'me' }, ...game });
    const response = await fetch('/api/games', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()).id;
  }, /** @type {const} */ ([game, settings]));
  await page.goto(`/game/${id}`);
  await page.locator('king-board [role=gridcell]').first().waitFor();
  return id;
}

/**
 * The cell of a square by its name.
 * @param {import('playwright-core').Page} page
 * @param {string | number} name
 */
export function square(page, name) {
  return page.locator(`king-board [role=gridcell][aria-label^="${name},"]`);
}

/** Clicks squares, each once the move before it has been made. @param {import('playwright-core').Page} page @param {...(string | number)} names */
export async function click(page, ...names) {
  for (const name of names) {
    await page.locator('king-board[data-busy]').waitFor({ state: 'detached' });
    await square(page, name).click();
  }
}

/**
 * Presses a tool of a game, in the row or in the menu.
 * @param {import('playwright-core').Page} page
 * @param {string} name
 * @param {string} [more] what the menu is called
 */
export async function tool(page, name, more = 'More') {
  const button = page.locator('.tools').getByRole('button', { name, includeHidden: true });
  await button.waitFor({ state: 'attached' });
  if (!await button.isVisible()) await page.getByRole('button', { name: more, exact: true }).click();
  await button.click();
}

/** @param {import('playwright-core').Page} page */
export const status = (page) => page.locator('#status');
/** @param {import('playwright-core').Page} page */
export const message = (page) => page.locator('.message');

/**
 * Waits until a locator has a text.
 * @param {import('playwright-core').Locator} locator
 * @param {string | RegExp} text
 */
export async function says(locator, text) {
  const deadline = Date.now() + PATIENCE;
  let seen = '';
  while (Date.now() < deadline) {
    seen = (await locator.textContent().catch(() => '') ?? '').replace(/\u00a0/g, '');
    if (typeof text === 'string' ? seen === text : text.test(seen)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`expected ${text}, saw ${JSON.stringify(seen)}`);
}

/**
 * How many elements there are, once they are so many.
 * @param {import('playwright-core').Locator} locator
 * @param {number} count
 */
export async function counts(locator, count) {
  const deadline = Date.now() + PATIENCE;
  while (Date.now() < deadline && await locator.count() !== count) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(await locator.count(), count);
}

/**
 * Asserts that the whole of an element is in the window, and nothing lies over its middle.
 * @param {import('playwright-core').Locator} locator
 * @param {string} what
 */
export async function inSight(locator, what) {
  await locator.waitFor();
  const seen = await locator.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    return inside && (element === hit || element.contains(hit)) ? '' : `${[left, top, right, bottom].map(Math.round)} in ${innerWidth}×${innerHeight}, under ${hit?.outerHTML.slice(0, 80)}`;
  });
  assert.equal(seen, '', what);
}

/** Asserts that axe finds nothing on a page. @param {import('playwright-core').Page} page @param {string} what */
export async function accessible(page, what) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' ')}`);
  assert.deepEqual(found, [], what);
}

/** Makes an account, and is then logged in. @param {import('playwright-core').Page} page @param {string} name */
export async function register(page, name) {
  await page.goto('/account');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill('long enough');
  await page.getByRole('button', { name: 'Make an account' }).click();
  await page.getByText(`You are ${name}.`).waitFor();
}

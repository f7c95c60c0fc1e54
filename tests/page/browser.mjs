// The page in a real browser, which ./dev installs. Nothing but the file itself may be asked for.
import assert from 'node:assert/strict';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const ADDRESS = pathToFileURL(`${root}docs/inspector.html`).href;
export const NOW = '2026-11-22T12:00:00.000Z';

export function launch() {
  const executablePath = process.env.POLYFLAKE_BROWSER ?? '/usr/bin/chromium';
  // The sandbox of processes refuses to run as root, as tests in a container do.
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid() !== 0 });
}

/**
 * A new page at a fixed time, which fails on any other request and on any error. `close` says what went wrong.
 * `prepare` runs in the page first, and can take away what a browser does not have.
 */
export async function open(browser, { fragment = '', prepare = () => {}, ...settings } = {}) {
  const context = await browser.newContext({ locale: 'en', timezoneId: 'Asia/Kathmandu', ...settings });
  const page = await context.newPage();
  const wrong = [];
  await context.route('**', (route) => {
    if (route.request().url().split('#')[0] === ADDRESS) return route.continue();
    wrong.push(`asked for ${route.request().url()}`);
    return route.abort();
  });
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('console', (message) => wrong.push(message.text()));
  await page.clock.setFixedTime(NOW);
  await page.addInitScript(prepare);
  await page.goto(ADDRESS + fragment);
  return Object.assign(page, {
    async close() {
      await context.close();
      assert.deepEqual(wrong, []);
    },
  });
}

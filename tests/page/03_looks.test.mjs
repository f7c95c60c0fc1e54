// How the page looks: light and dark, on a telephone and on a desk. The pictures are kept in build/page for people.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, open } from './browser.mjs';

const PICTURES = fileURLToPath(new URL('../../build/page', import.meta.url));
const WIDTHS = { tiny: 320, narrow: 360, wide: 1280 };
const STATES = {
  plain: '',
  faulty: `#${new URLSearchParams({ id: '82O674996357211477', layout: 'timestamp:41 worker:010', from: '2026-02-30' })}`,
  crowded: `#${new URLSearchParams({
    id: '18446744073709551615',
    layout:
      'timestamp:40 region:3 datacenter:2 a_rather_long_name_of_a_field:2 rack:4 one:1 sequence:12 tick=7s epoch=2020-01-01T00:00:00.000Z',
    from: '2020-01-01',
    to: '+',
  })}`,
};

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** Runs in the page: texts whose contrast with what is behind them is below what WCAG 2 (AA) asks of small text. */
function faintTexts() {
  const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((value) => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const [r, g, b, alpha = 1] = numbers(getComputedStyle(one).backgroundColor);
      if (alpha === 1) return [r, g, b];
    }
    return [NaN, NaN, NaN];
  };
  const contrast = (element) => {
    const [dark, light] = [numbers(getComputedStyle(element).color).slice(0, 3), behind(element)]
      .map(luminance)
      .sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const shown = [...document.querySelectorAll('body *')].filter(
    (one) => one.checkVisibility() && !['SCRIPT', 'OPTION'].includes(one.tagName),
  );
  const speaking = shown.filter(
    (one) =>
      ['INPUT', 'SELECT'].includes(one.tagName) ||
      [...one.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim()),
  );
  const faint = speaking
    .filter((one) => !(contrast(one) >= 4.5))
    .map((one) => `${one.outerHTML.slice(0, 80)}: ${contrast(one)}`);
  return { looked: speaking.length, faint };
}

/** Runs in the page: what reaches out of the window, or out of its own box. Inputs scroll, and names of bits are cut. */
function overflowing() {
  const edge = document.documentElement.clientWidth + 0.5;
  const wide = [...document.querySelectorAll('body, body :not(input, script, #bits .name)')].filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    return left < -0.5 || right > edge || (one.clientWidth > 0 && one.scrollWidth > one.clientWidth);
  });
  return wide.map((one) => one.outerHTML.slice(0, 80));
}

/** Runs in the page: numbers that go on in another line. */
function broken() {
  const numbers = [...document.querySelectorAll('.number, #summary strong')];
  return numbers.filter((one) => one.getClientRects().length > 1).map((one) => one.outerHTML);
}

for (const colorScheme of ['light', 'dark']) {
  for (const [size, width] of Object.entries(WIDTHS)) {
    for (const [state, fragment] of Object.entries(STATES)) {
      test(`${state}, ${colorScheme} and ${size}: it fits, and can be read`, async () => {
        const page = await open(browser, { fragment, colorScheme, viewport: { width, height: 900 } });
        await page.screenshot({ path: `${PICTURES}/${state}-${colorScheme}-${size}.png`, fullPage: true });
        assert.deepEqual(await page.evaluate(overflowing), []);
        assert.deepEqual(await page.evaluate(broken), []);
        const { looked, faint } = await page.evaluate(faintTexts);
        assert.deepEqual(faint, []);
        assert.ok(looked > 30, `${looked} texts`);
        const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(paper, colorScheme === 'light' ? 'rgb(251, 251, 249)' : 'rgb(20, 23, 29)');
        await page.close();
      });
    }
  }
}

for (const colorScheme of ['light', 'dark']) {
  test(`fields keep their colours where a person has forced others, ${colorScheme}`, async () => {
    const page = await open(browser, { colorScheme, forcedColors: 'active' });
    await page.locator('main').screenshot({ path: `${PICTURES}/forced-${colorScheme}.png` });
    const colours = await page
      .locator('#bits .bit, .swatch')
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).backgroundColor));
    assert.equal(new Set(colours).size, 4);
    assert.deepEqual((await page.evaluate(faintTexts)).faint, []);
    await page.close();
  });
}

test('on paper stand all fields in their colours, and no buttons of lists', async () => {
  const page = await open(browser, { colorScheme: 'dark', viewport: { width: 700, height: 900 } });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.pdf({ path: `${PICTURES}/paper.pdf` });
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(251, 251, 249)');
  for (const cell of await page.locator('#fields td, #id, #layout').all()) assert.ok(await cell.isVisible());
  assert.equal(await page.locator('dl button:visible').count(), 0);
  const colours = await page
    .locator('#bits .bit, .swatch')
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).printColorAdjust));
  assert.deepEqual([...new Set(colours)], ['exact']);
  await page.close();
});

test('a text that is too faint is found', async () => {
  const page = await open(browser);
  await page.addStyleTag({ content: ':root { --faint: #c0c0c0 }' });
  assert.ok((await page.evaluate(faintTexts)).faint.length > 0);
  await page.close();
});

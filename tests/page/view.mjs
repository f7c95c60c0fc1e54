// Text of the page, as a person sees it.
import assert from 'node:assert/strict';

export const lines = async (page, selector) =>
  (await page.locator(selector).allInnerTexts()).map((text) => text.split('\n').filter(Boolean));
export const facts = async (page, id) =>
  Object.fromEntries(
    (await lines(page, `#${id} > div`)).map(([term, ...rest]) => [
      term,
      rest.filter((word) => word !== 'copy').join('\n'),
    ]),
  );
export const rows = async (page) =>
  (await page.locator('#fields tr').allInnerTexts()).map((text) => text.split(/\s+/).join(' '));
export const text = (page, id) => page.locator(`#${id}`).innerText();

/** The code, the position and the marked character of what is refused. */
export async function fault(page, id) {
  const [, code, position] = (await text(page, `${id}-fault`)).match(/^(\w+)(?: at position (\d+))?:/);
  const marked = position === undefined ? undefined : await page.locator(`#${id}-fault mark`).innerText();
  assert.equal(await page.getAttribute(`#${id}`, 'aria-invalid'), 'true');
  return [code, position && Number(position), marked];
}

// Tests of pasted texts: ids in wrappings, ids of other kinds, ids of other systems, and texts that are far too long.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open } from './browser.mjs';
import { facts, fault, text } from './view.mjs';

const ID = '820674996357211477'; // of docs/bit-layout.md

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

function shows(fact, check) {
  test(fact, async () => {
    const page = await open(browser);
    await check(page);
    await page.close();
  });
}

shows('what is pasted with an id is taken away, and the page says so', async (page) => {
  const pasted = [
    [' 1505371425914880005\n', 'decimal, without blanks'],
    ['1505371425914880005,', 'decimal, without a comma'],
    ['"1505371425914880005",', 'decimal, without a comma, quotes'],
    [`'1505371425914880005'`, 'decimal, without quotes'],
    ['\u201c1505371425914880005\u201d', 'decimal, without quotes'],
    ['1505371425914880005n', 'decimal, without the n of a BigInt'],
    ['<@1505371425914880005>', 'decimal, without a mention'],
    ['<@!1505371425914880005>', 'decimal, without a mention'],
    ['<:name:1505371425914880005>', 'decimal, without a mention'],
    ['1,505,371,425,914,880,005', 'decimal, without what groups the digits'],
    ['0x14e4275608ae0005', 'hex, without 0x'],
    ['0X14E4275608AE0005', 'hex, without 0x'],
    ['https://x.com/jack/status/1505371425914880005?s=20', 'decimal, without the rest of an address'],
    [
      'https://discord.com/channels/81384788765712384/381870553235193857/1505371425914880005',
      'decimal, without the rest',
    ],
  ];
  for (const [typed, said] of pasted) {
    await page.fill('#id', typed);
    assert.equal((await facts(page, 'codecs')).decimal, '1505371425914880005', typed);
    assert.ok(
      (await text(page, 'readings')).startsWith(`Read as ${said}`),
      `${typed}: ${await text(page, 'readings')}`,
    );
    assert.equal(await page.getAttribute('#id', 'aria-invalid'), null);
  }
  await page.fill('#id', '"820674996357211478x"');
  assert.deepEqual(await fault(page, 'id'), ['text_invalid', 0, '"']);
});

shows('a text of millions of characters is cut before it is read or drawn', async (page) => {
  for (const [id, name] of [
    ['id', 'text_invalid'],
    ['layout', 'layout_invalid'],
    ['at', 'text_invalid'],
  ]) {
    await page.fill(`#${id}`, (id === 'layout' ? 'a:' : '') + '1'.repeat(5_000_000));
    assert.equal((await page.inputValue(`#${id}`)).length, 2048);
    assert.match(
      await text(page, `${id}-fault`),
      new RegExp(`^${name}.*Only the first 2048 of 5,000,00\\d characters are kept`),
    );
  }
  assert.ok((await page.getAttribute('#permalink', 'href')).length < 10_000);
  await page.fill('#id', '1');
  assert.equal(await text(page, 'id-fault'), '');
  await page.evaluate(() => document.execCommand('insertText', false, '2'.repeat(5_000_000)));
  assert.equal((await page.inputValue('#id')).length, 2048);
  assert.match(await text(page, 'id-fault'), /Only the first 2048 of 5,000,00\d characters are kept$/m);
});

shows('an id of another kind is known by its shape', async (page) => {
  const kinds = [
    [
      '019b76da-a800-7abc-8123-456789abcdef',
      'UUID of version 7',
      /^UUID of version 7: 2026-01-01T00:00:00\.000Z, 325 days/,
    ],
    ['019B76DA-A800-7ABC-8123-456789ABCDEF', 'UUID of version 7', /^UUID of version 7: 2026-01-01/],
    ['626cfd95-044e-461e-938c-2227a8942a8a', 'UUID of version 4', /^UUID of version 4: its bits are random/],
    [
      '507f1f77bcf86cd799439011',
      'ObjectId',
      /^ObjectId: 2012-10-17T21:13:27\.000Z.*process bcf86cd799, counter 4427793\.$/,
    ],
    ['"507f1f77bcf86cd799439011"', 'ObjectId, without quotes', /^ObjectId: 2012/],
  ];
  for (const [typed, read, said] of kinds) {
    await page.fill('#id', typed);
    assert.equal(await text(page, 'readings'), `Read as ${read}.`);
    assert.match(await text(page, 'summary'), said);
    for (const id of ['bits', 'fields', 'codecs', 'guesses']) assert.equal(await text(page, id), '');
  }
  await page.fill('#id', '019b76da-a800-7abc-8123-456789abcdef');
  assert.equal((await facts(page, 'times'))['Unix ms'], '1767225600000');
  await page.fill('#id', 'c232ab00-9414-11ec-b3c8-9f6bdeced846');
  assert.deepEqual(await fault(page, 'id'), ['text_invalid', 14, '1']);
  assert.equal(await text(page, 'summary'), 'Nothing yet: see above.');
});

shows('a friendly form is read by the layout', async (page) => {
  await page.fill('#id', '20260314150926535-682-1365');
  assert.equal(await text(page, 'readings'), 'Read as friendly form.');
  assert.equal((await facts(page, 'codecs')).decimal, ID);
  for (const typed of [
    '20260314150926535-682',
    '20260314150926535-0682-1365',
    '20261314150926535-682-1365',
    '120260314150926535-682-1365',
  ]) {
    await page.fill('#id', typed);
    assert.deepEqual(await fault(page, 'id'), ['text_invalid', 0, typed[0]], typed);
  }
  await page.fill('#id', '20260314150926535-1024-1365');
  assert.deepEqual(await fault(page, 'id'), ['field_out_of_range', undefined, undefined]);
});

shows('an implausible time says so first, and names the likely preset', async (page) => {
  await page.fill('#id', '1505371425914880005');
  assert.match(
    await text(page, 'summary'),
    /^Implausible: as an id of this layout it is of 2031-05-17T00:48:36\.386Z, in 4 years 175 days\. More likely discord: 2026-05-17T00:48:36\.386Z, /,
  );
  assert.equal(await page.locator('#summary strong').innerText(), '2026-05-17T00:48:36.386Z');
  await page.click('#summary button');
  assert.equal(await page.inputValue('#preset'), 'discord');
  assert.match(await text(page, 'summary'), /^2026-05-17/);
  await page.fill('#id', '1');
  assert.match(await text(page, 'summary'), /^Implausible: .*No preset gives a plausible time\./);
});

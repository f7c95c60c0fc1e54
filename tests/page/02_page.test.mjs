// What a person sees: what is typed, chosen and pressed, and what the page says to that.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ADDRESS, NOW, launch, open } from './browser.mjs';
import { facts, fault, lines, rows, text } from './view.mjs';

const ID = '820674996357211477'; // the example of docs/bit-layout.md: worker 682, sequence 1365, 2026-03-14T15:09:26.535Z
const POLYFLAKE = 'timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** A test with a page of its own. */
function shows(fact, check, settings) {
  test(fact, async () => {
    const page = await open(browser, settings);
    await check(page);
    await page.close();
  });
}

shows('an id shows its fields, its time and its texts', async (page) => {
  await page.selectOption('#preset', 'discord');
  await page.fill('#id', '175928847299117063');
  assert.deepEqual(await rows(page), [
    'timestamp 42 63 to 22 41944705796 4398046511103',
    'worker 5 21 to 17 1 31',
    'process 5 16 to 12 0 31',
    'sequence 12 11 to 0 7 4095',
  ]);
  const summary = await text(page, 'summary');
  assert.match(
    summary,
    /^2016-04-30T11:18:25.796Z, 10 years 205 days ago: worker 1, process 0, sequence 7\. It fits a signed/,
  );
  assert.deepEqual(await facts(page, 'times'), {
    UTC: '2016-04-30T11:18:25.796Z',
    here: '2016-04-30T17:03:25.796+05:45',
    age: '10 years 205 days ago',
    'Unix ms': '1462015105796',
    tick: '41944705796',
    friendly: '20160430111825796-1-0-7',
  });
  assert.deepEqual(await facts(page, 'codecs'), {
    decimal: '175928847299117063',
    hex: '0271065ac1020007',
    crockford32: '04W86BB0G4007',
    'crockford32, checked': '04W86BB0G4007R',
    base36: '01c49kkphnxtz',
    base58: '1QgmVVkniES',
    base62: '0Czks0tP37X',
    zbase32: 'rhegmmyoryy8',
    'base58-flickr': 'pFLuuKMHer',
  });
  assert.equal(await text(page, 'capacity'), '1,024 node ids, 4,096,000 ids a second each, until 2084-09-06.');
});

shows('the bits of an id, each in the colour of its field', async (page) => {
  const bits = await page.locator('#bits .bit').allInnerTexts();
  assert.equal(BigInt(`0b${bits.join('')}`), BigInt(ID));
  const colours = await page.locator('#bits .bit').evaluateAll((cells) => cells.map((cell) => cell.style.background));
  const widths = new Map();
  for (const colour of colours) widths.set(colour, (widths.get(colour) ?? 0) + 1);
  assert.deepEqual(
    [...widths],
    [
      ['var(--unused)', 1],
      ['var(--timestamp)', 41],
      ['var(--node-0)', 10],
      ['var(--sequence)', 12],
    ],
  );
  assert.deepEqual(await page.locator('#bits .name').allInnerTexts(), ['', 'timestamp 41', 'worker 10', 'sequence 12']);
  const named = page.getByRole('img', { name: '64 bits: unused 1, timestamp 41, worker 10, sequence 12' });
  assert.equal(await named.count(), 1);
});

shows('a text that is no id says where it is wrong, and shows nothing else', async (page) => {
  const wrong = [
    ['82O674996357211477', 'whatever fits', ['text_invalid', 2, 'O']],
    ['', 'whatever fits', ['text_invalid', 0, '\u2423']],
    [' x!', 'whatever fits', ['text_invalid', 0, ' ']],
    ['1\u0662', 'whatever fits', ['text_invalid', 1, '\u0662']],
    ['18446744073709551616', 'whatever fits', ['id_out_of_range', 19, '6']],
    ['007', 'decimal', ['text_invalid', 0, '0']],
    ['0b63', 'hex', ['text_invalid', 4, '\u2423']],
    ['LygHa16AHYH', 'base62', ['id_out_of_range', 10, 'H']],
    ['0PRWZHYGYN9AN*', 'crockford32, checked', ['text_invalid', 13, '*']],
    ['\u{1d7d9}', 'base36', ['text_invalid', 0, '\u{1d7d9}']],
  ];
  for (const [typed, form, expected] of wrong) {
    await page.selectOption('#form', form);
    await page.fill('#id', typed);
    assert.deepEqual(await fault(page, 'id'), expected, `${form}: ${typed}`);
    assert.equal(await text(page, 'summary'), 'Nothing yet: see above.');
    for (const id of ['bits', 'fields', 'times', 'codecs', 'guesses']) assert.equal(await text(page, id), '');
    assert.equal(await page.locator('main [role=img], #bits[aria-label]').count(), 0);
  }
  await page.selectOption('#form', 'hex');
  await page.fill('#id', '0b639f8fa1eaa555');
  assert.equal(await text(page, 'id-fault'), '');
  assert.equal(await page.getAttribute('#id', 'aria-invalid'), null);
  assert.equal((await facts(page, 'codecs')).decimal, ID);
});

shows('a text that several codecs read lists them all, the plausible ones first', async (page) => {
  await page.fill('#id', '0PRWZHYGYN9AN');
  assert.equal(await text(page, 'readings'), 'Read as crockford32.');
  await page.fill('#id', '1234567890123');
  const listed = await page.locator('#readings button').allInnerTexts();
  assert.equal(await page.locator('#readings').evaluate((node) => node.firstChild.data), 'Read as decimal.');
  assert.deepEqual(listed, [
    'crockford32: 1228503247364293699',
    'base36: 5013014052623859291',
    'hex, short: 320255973458211',
  ]);
  await page.click('#readings button:has-text("base36")');
  assert.equal(await page.inputValue('#form'), 'base36');
  assert.equal((await facts(page, 'codecs')).base36, '1234567890123');
  assert.equal(await text(page, 'readings'), 'Read as base36.');
});

shows('of several plausible readings that comes first which explain would rank first', async (page) => {
  for (const [typed, form] of [
    ['12sCWpHF9NN', 'base62'], // the example of docs/command-line.md; as base58 it is of 2020
    ['33EczjYHoEk', 'base58'], // as base58-flickr it is of 2026, too
    ['06o76rir2oohx', 'base36'],
    ['33eBZJxhNeK', 'base58-flickr'], // as base58 a later time, but of a sequence of 696
  ]) {
    await page.fill('#id', typed);
    assert.equal(await page.locator('#readings').evaluate((node) => node.firstChild.data), `Read as ${form}.`, typed);
    assert.equal((await facts(page, 'codecs')).decimal, '878208028622848005', typed);
  }
});

shows('a text that no codec reads is not said to be refused by one alone', async (page) => {
  await page.fill('#id', '20260820092510339+864+5');
  assert.match(await text(page, 'id-fault'), /^text_invalid at position 17: it is of none of the codecs; /);
  await page.selectOption('#form', 'decimal');
  assert.match(await text(page, 'id-fault'), /^text_invalid at position 17: decimal: /);
});

shows('the text of a layout is read strictly, and says where it is wrong', async (page) => {
  const wrong = [
    [POLYFLAKE.replace('worker:10', 'worker:010'), ['layout_invalid', 20, '0']],
    [POLYFLAKE.replace('worker:10', 'Worker:10'), ['layout_invalid', 13, 'W']],
    [POLYFLAKE.replace('worker:10', 'worker:10 worker:1'), ['layout_invalid', 23, 'w']],
    [POLYFLAKE.replace('worker:10', 'worker:33'), ['layout_too_wide', 0, 't']],
    [POLYFLAKE.replace('sequence:12', 'sequences:12'), ['layout_invalid', 35, ' ']],
    [POLYFLAKE.replace('1ms', '1000ms'), ['layout_invalid', 44, 'm']],
    [POLYFLAKE.replace('tick=', 'tack='), ['layout_invalid', 36, 'a']],
    [POLYFLAKE.replace('-01-01T', '-02-30T'), ['layout_invalid', 58, '3']],
    [POLYFLAKE.replace('.000Z', 'Z'), ['layout_invalid', 69, 'Z']],
    [`${POLYFLAKE} `, ['layout_invalid', 74, ' ']],
    [` ${POLYFLAKE}`, ['layout_invalid', 0, ' ']],
    [POLYFLAKE.replace(' ', '  '), ['layout_invalid', 13, ' ']],
    ['timestamp:41 tick=1ms', ['layout_invalid', 21, '\u2423']],
    ['snowflake', ['unknown_preset', 0, 's']],
  ];
  for (const [typed, expected] of wrong) {
    await page.fill('#layout', typed);
    assert.deepEqual(await fault(page, 'layout'), expected, typed);
    assert.equal(await page.inputValue('#preset'), 'your own');
    assert.equal(await text(page, 'fields'), '');
  }
  await page.fill('#layout', 'timestamp:37 server:20 sequence:16 tick=1ms epoch=2020-01-01T00:00:00.000Z');
  assert.match(await text(page, 'layout-fault'), /73 bits.*last 4\.4 years/);
});

shows('a layout of your own reads the id', async (page) => {
  await page.fill('#layout', 'timestamp:41 a:2 b:2 c:2 d:2 e:2 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z');
  assert.equal(await page.inputValue('#preset'), 'your own');
  assert.match(await text(page, 'summary'), /: a 2, b 2, c 2, d 2, e 2, sequence 1365\./);
  await page.fill('#layout', POLYFLAKE);
  assert.equal(await page.inputValue('#preset'), 'polyflake');
});

shows('another preset gives the id another meaning, or refuses it', async (page) => {
  await page.selectOption('#preset', 'twitter');
  assert.equal(
    await page.inputValue('#layout'),
    POLYFLAKE.replace('worker:10', 'datacenter:5 worker:5').replace(/epoch.*/, 'epoch=2010-11-04T01:42:54.657Z'),
  );
  assert.match(await text(page, 'summary'), /^2017-01-15T16:52:21.192Z.*datacenter 21, worker 10, sequence 1365/);
  await page.selectOption('#preset', 'js53');
  assert.deepEqual(await fault(page, 'id'), ['id_out_of_range', undefined, undefined]);
  assert.equal(await text(page, 'bits'), '');
  assert.equal((await facts(page, 'codecs')).decimal, ID);
});

shows('times beyond the calendar of browsers are exact', async (page) => {
  await page.fill('#layout', 'timestamp:60 sequence:4 tick=1ms epoch=1970-01-01T00:00:00.000Z');
  await page.fill('#id', '18446744073709551615');
  assert.match(
    await text(page, 'summary'),
    /^Implausible: as an id of this layout it is of \+36536598-01-28T21:54:06.975Z, in 36534571 years 67 days\. No preset/,
  );
  assert.equal((await facts(page, 'times'))['Unix ms'], String(2n ** 60n - 1n));
});

for (const [timezoneId, ...here] of [
  ['America/New_York', '1969-12-31T19:00:00.000-05:00'],
  ['Africa/Monrovia', '1969-12-31T23:15:30.000-00:44', '1969-12-31T23:16:00.000-00:44'], // some browsers know no seconds
  ['Pacific/Kiritimati', '1969-12-31T13:20:00.000-10:40'],
  ['UTC', '1970-01-01T00:00:00.000+00:00'],
]) {
  shows(
    `the time of an id in ${timezoneId}`,
    async (page) => {
      await page.selectOption('#preset', 'mastodon');
      await page.fill('#id', '0');
      assert.ok(here.includes((await facts(page, 'times')).here), (await facts(page, 'times')).here);
    },
    { timezoneId },
  );
}

shows('presets are ranked by what they make of the id', async (page) => {
  const listed = await lines(page, '#guesses li');
  assert.deepEqual(listed[0], ['polyflake', 'plausible', '2026-03-14T15:09:26.535Z', 'worker 682, sequence 1365']);
  assert.deepEqual(
    listed.map(([preset]) => preset),
    [
      'polyflake',
      'tsid',
      'cosid',
      'beyondfengyu',
      'shardingsphere',
      'discord',
      'twitter',
      'leaf',
      'instagram',
      'game',
      'baidu',
      'mastodon',
      'sonyflake',
      'yitter',
      'js53',
    ],
  );
  assert.deepEqual(listed.at(-1), ['js53', 'has fewer bits']);
  await page.click('#guesses button:has-text("sonyflake")');
  assert.equal(await page.inputValue('#preset'), 'sonyflake');
  await page.fill('#id', '1');
  assert.ok((await lines(page, '#guesses li')).every(([, verdict]) => verdict === 'within a day of its epoch'));
});

shows('a span of time gives its first and last id, and a query', async (page) => {
  await page.fill('#from', '2026-01-01');
  await page.fill('#to', '2026-01-02T01:00+01:00');
  const [first, last] = ['794354201395200000', '794716589260799999'];
  const ids = await facts(page, 'span');
  assert.deepEqual([ids['first id'], ids['last id']], [first, last]);
  assert.equal(ids.SQL, `SELECT * FROM orders\nWHERE id\n  BETWEEN ${first}\n  AND ${last}\nORDER BY id;`);
  await page.fill('#to', '2026-01-01');
  assert.equal(await text(page, 'note'), 'The span ends before it begins.');
  assert.equal(await text(page, 'span'), '');
  await page.fill('#to', '2089-12-31');
  assert.deepEqual(await fault(page, 'to'), ['field_out_of_range', undefined, undefined]);
  await page.fill('#to', '2026-01-02');
  await page.fill('#layout', 'sequence:12 timestamp:41 worker:10 tick=1ms epoch=2020-01-01T00:00:00.000Z');
  const why = 'its first field is sequence, not timestamp, so no span of ids is a span of time';
  assert.equal(await text(page, 'note'), `layout_invalid: ids of this layout do not sort by time: ${why}`);
  await page.selectOption('#preset', 'discord');
  await page.fill('#to', '2090-01-01');
  assert.equal(await text(page, 'note'), 'Ids above 2^63 - 1 fit no signed BIGINT.');
});

shows('instants are read strictly, and say where they are wrong', async (page) => {
  const wrong = [
    ['2026-13-01', ['text_invalid', 5, '1']],
    ['2026-02-29', ['text_invalid', 8, '2']],
    ['2026-02-28T24:00Z', ['text_invalid', 11, '2']],
    ['2026-02-28T23:60Z', ['text_invalid', 14, '6']],
    ['2026-02-28T23:00', ['text_invalid', 16, '\u2423']],
    ['2026-02-28 23:00Z', ['text_invalid', 10, ' ']],
    ['2026-02-28T23:00+24:00', ['text_invalid', 17, '2']],
    ['2026-02-28T23:00:00.1234Z', ['text_invalid', 23, '4']],
    ['1969-12-31', ['text_invalid', 0, '1']],
    ['yesterday', ['text_invalid', 0, 'y']],
    ['', ['text_invalid', 0, '\u2423']],
  ];
  for (const [typed, expected] of wrong) {
    await page.fill('#at', typed);
    assert.deepEqual(await fault(page, 'at'), expected, typed);
    assert.equal(await text(page, 'encoded'), '');
  }
  const same = [
    '2026-03-14T15:09:26.535Z',
    '2026-03-14T20:54:26.535+05:45',
    '2026-03-14T12:09:26.535-03:00',
    '1773500966535',
  ];
  for (const typed of same) {
    await page.fill('#at', typed);
    assert.equal((await facts(page, 'encoded'))['first id'], '820674996354416640', typed);
  }
});

shows('an instant and values of fields give an id', async (page) => {
  await page.getByLabel('worker', { exact: true }).fill('682');
  await page.getByLabel('sequence', { exact: true }).fill('1365');
  const ids = await facts(page, 'encoded');
  assert.deepEqual([ids.id, ids['first id'], ids['last id']], [ID, '820674996354416640', '820674996358610943']);
  await page.getByLabel('worker', { exact: true }).fill('1024');
  assert.deepEqual(await fault(page, 'value-worker'), ['field_out_of_range', undefined, undefined]);
  await page.getByLabel('worker', { exact: true }).fill('0x1');
  assert.deepEqual(await fault(page, 'value-worker'), ['text_invalid', 1, 'x']);
  assert.equal(await text(page, 'encoded'), '');
  await page.getByLabel('worker', { exact: true }).fill('1');
  await page.getByRole('button', { name: 'show this id above' }).click();
  assert.match(await text(page, 'summary'), /worker 1, sequence 1365/);
  await page.selectOption('#preset', 'sonyflake');
  assert.deepEqual(await page.locator('#values label').allInnerTexts(), ['sequence', 'machine']);
  assert.equal(await page.getByLabel('sequence', { exact: true }).inputValue(), '1365');
  assert.deepEqual(await fault(page, 'value-sequence'), ['field_out_of_range', undefined, undefined]);
});

shows(
  'what is shown has an address, which survives a reload',
  async (page) => {
    await page.fill('#id', '0Czks0tP37X');
    await page.selectOption('#form', 'base62');
    await page.selectOption('#preset', 'discord');
    await page.fill('#from', '2016-01-01');
    await page.locator('#from').blur();
    const shown = await page.locator('main').innerText();
    assert.equal(await page.locator('#permalink').evaluate((link) => link.href), page.url());
    await page.reload();
    assert.equal(await page.locator('main').innerText(), shown);
    assert.equal(await page.inputValue('#form'), 'base62');
    const other = await open(browser, { fragment: new URL(page.url()).hash });
    assert.equal(await other.locator('main').innerText(), shown);
    await other.evaluate(() => location.assign('#id=7&layout=tsid'));
    await other.waitForFunction(() => document.getElementById('preset').value === 'tsid');
    assert.equal(await other.inputValue('#from'), '2026-03-14T00:00Z');
    await other.close();
  },
  { fragment: '' },
);

test('an address that says nonsense is refused, and is never markup', async () => {
  const page = await open(browser, {
    fragment: `#as=rot13&id=${encodeURIComponent('<img src=x>')}&layout=${encodeURIComponent('<b>:')}`,
  });
  assert.deepEqual(await fault(page, 'id'), ['option_invalid', undefined, undefined]);
  await page.selectOption('#form', 'decimal');
  assert.deepEqual(await fault(page, 'id'), ['text_invalid', 0, '<']);
  assert.deepEqual(await fault(page, 'layout'), ['layout_invalid', 4, '\u2423']);
  assert.equal(await page.locator('main img, main b').count(), 0);
  await page.close();
});

test('a text is copied, and the page says so', async () => {
  const page = await open(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'copy base62' }).click();
  await page.waitForFunction(() => document.getElementById('copied').textContent === 'Copied: base62');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '0ychPWtQIFB');
  await page.close();
});

for (const [why, prepare] of [
  ['a page of plain http', () => delete Navigator.prototype.clipboard],
  ['a page without the permission', () => (navigator.clipboard.writeText = () => Promise.reject(new DOMException()))],
]) {
  shows(
    `${why} copies nothing, and says so`,
    async (page) => {
      await page.getByRole('button', { name: 'copy base62' }).click();
      await page.waitForFunction(() => document.getElementById('copied').textContent.startsWith('This browser lets'));
    },
    { prepare },
  );
}

shows(
  'what was copied last is said for three seconds',
  async (page) => {
    await page.clock.install({ time: NOW });
    await page.clock.pauseAt(Date.parse(NOW) + 1000);
    for (const what of ['base58', 'base62']) {
      await page.getByRole('button', { name: `copy ${what}`, exact: true }).click();
      await page.waitForFunction((words) => document.getElementById('copied').textContent === words, `Copied: ${what}`);
      await page.clock.runFor(2000);
    }
    assert.equal(await text(page, 'copied'), 'Copied: base62');
    await page.clock.runFor(1000);
    assert.equal(await text(page, 'copied'), '');
  },
  { permissions: ['clipboard-read', 'clipboard-write'] },
);

shows(
  'browsers that do not reflect ARIA attributes as properties have them all the same',
  async (page) => {
    assert.equal(await page.getByRole('button', { name: 'copy base62' }).count(), 1);
    assert.equal(await page.getByRole('img', { name: /^64 bits: / }).count(), 1);
    assert.equal(await page.locator('.fault[role=status]').count(), await page.locator('input').count());
  },
  {
    prepare: () => {
      for (const name of ['ariaLabel', 'role']) delete Element.prototype[name];
    },
  },
);

shows('every input has a label, and a place for its faults that is announced', async (page) => {
  const nameless = await page
    .locator('input, select')
    .evaluateAll((all) => all.filter(({ labels }) => labels.length !== 1).map(({ id }) => id));
  assert.deepEqual(nameless, []);
  const unheard = await page
    .locator('input')
    .evaluateAll((all) =>
      all
        .filter((one) => document.getElementById(one.getAttribute('aria-describedby'))?.role !== 'status')
        .map(({ id }) => id),
    );
  assert.deepEqual(unheard, []);
  const buttons = await page
    .locator('button')
    .evaluateAll((all) => all.filter((one) => !(one.getAttribute('aria-label') ?? one.textContent)));
  assert.deepEqual(buttons, []);
});

shows('the keyboard reaches all of it, in the order of reading', async (page) => {
  const reached = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const { activeElement: one } = document;
      return one === document.body ? null : one.id || one.ariaLabel || one.textContent;
    });
    if (focused === null || reached.length > 100) break;
    reached.push(focused);
  }
  assert.deepEqual(reached.slice(0, 7), ['Polyflake', 'id', 'form', 'preset', 'layout', 'permalink', 'copy UTC']);
  assert.deepEqual(reached.slice(-4), ['copy id', 'copy first id', 'copy last id', 'show this id above']);
  const all = await page.locator('a, input, select, button').count();
  assert.equal(reached.length, all);
  await page.locator('#guesses button').nth(1).focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.inputValue('#preset'), 'tsid');
});

test('the page can load nothing, even if it tried', async () => {
  const page = await open(browser);
  const refused = await page.evaluate(async (limitMs) => {
    const found = [];
    await new Promise((done) => {
      const notice = (what) => found.push(what) === 6 && done();
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => notice(effectiveDirective));
      const add = (tag, properties) => document.body.append(Object.assign(document.createElement(tag), properties));
      add('img', { src: 'https://example.invalid/a.png' });
      add('script', { src: 'https://example.invalid/a.js' });
      add('link', { rel: 'stylesheet', href: 'https://example.invalid/a.css' });
      add('iframe', { src: 'https://example.invalid/' });
      fetch('https://example.invalid/').catch(() => notice('fetch failed'));
      setTimeout(done, limitMs);
    });
    return found.sort();
  }, 10_000);
  assert.deepEqual(refused, [
    'connect-src',
    'fetch failed',
    'frame-src',
    'img-src',
    'script-src-elem',
    'style-src-elem',
  ]);
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').length);
  assert.equal(loaded, 0);
  await assert.rejects(page.close(), /violates the following Content Security Policy/); // it was noticed
  assert.ok(ADDRESS.startsWith('file:'));
});

import './registry.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Generator, Layout, ManualClock, PolyflakeError, decode, fromText, nextId, toText } from 'polyflake';
import { isRefusal, refuses } from './refusal.mjs';

const clock = new ManualClock(Date.UTC(2026, 0, 1));
const open = (options) => () => new Generator({ worker: 1, clock, ...options });

test('a misspelled option is refused, and the message lists the options', () => {
  refuses('option_invalid', open({ maxWaitMS: 5 }), "'maxWaitMS'", 'maxWaitMs', 'sequenceSpread');
  refuses('option_invalid', open({ ['x'.repeat(1000)]: 5 }));
  refuses('option_invalid', open({ constructor: 5 }));
});

test('a misspelled option is told which one was meant', () => {
  const meant = {
    max_wait_ms: 'maxWaitMs',
    'max-lead-ms': 'maxLeadMs',
    maxWaitMS: 'maxWaitMs',
    MaxWaitMs: 'maxWaitMs',
    maxWait: 'maxWaitMs',
    sequenceSpred: 'sequenceSpread',
    wroker: 'worker',
    Layout: 'layout',
    clok: 'clock',
  };
  for (const [name, option] of Object.entries(meant)) {
    refuses('option_invalid', open({ [name]: 5 }), `'${name}' (did you mean ${option}?); it has worker,`);
  }
  for (const name of ['', 'x', 'constructor', 'toString', 'timeout', '__proto__x', 'x'.repeat(1000)]) {
    assert.throws(
      open({ [name]: 5 }),
      (error) => isRefusal('option_invalid')(error) && !error.message.includes('mean'),
    );
  }
});

test('an option of another library is told what takes its place', () => {
  refuses('option_invalid', open({ epoch: 5 }), 'layout: ', 'epoch=');
  for (const name of ['workerId', 'machineId', 'nodeId', 'worker_id'])
    refuses('option_invalid', open({ [name]: 5 }), 'worker: 7');
  refuses('option_invalid', open({ datacenterId: 5 }), 'worker: { datacenter: 1, worker: 7 }');
});

test('a worker that is given and holds nothing is refused, and the likely cause named', async () => {
  for (const worker of [undefined, null, '']) {
    refuses('worker_source_invalid', () => new Generator({ worker }), 'environment variable', 'POLYFLAKE_WORKER');
    await assert.rejects(Generator.open({ worker, clock }), isRefusal('worker_source_invalid', 'environment variable'));
  }
  assert.equal(new Generator({ clock }).worker, 0n, 'absent is the way to the default');
});

test('where a platform runs copies of a program the default is refused, and host in so many words is not', async (t) => {
  process.env.KUBERNETES_SERVICE_HOST = '10.0.0.1';
  t.after(() => delete process.env.KUBERNETES_SERVICE_HOST);
  refuses('worker_source_invalid', () => new Generator(), 'KUBERNETES_SERVICE_HOST', 'ordinal');
  refuses('worker_source_invalid', () => nextId(), 'KUBERNETES_SERVICE_HOST');
  await assert.rejects(Generator.open(), isRefusal('worker_source_invalid', 'KUBERNETES_SERVICE_HOST'));
  assert.ok(new Generator({ worker: 'host' }).nextId() > 0n);
});

// Those that JSON can write are vectors.
test('a value of a type that only JavaScript has is refused with the code of its subject', () => {
  const layout = new Layout('polyflake');
  for (const wrong of [new Date(), Symbol('x'), () => 7]) {
    refuses('worker_source_invalid', open({ worker: wrong }));
    refuses('field_out_of_range', open({ worker: { worker: wrong } }));
    refuses('layout_invalid', open({ layout: wrong }));
    refuses('layout_invalid', () => new Layout(wrong));
    refuses('layout_invalid', () => decode(1n, wrong));
    refuses('id_out_of_range', () => decode(wrong));
    refuses('id_out_of_range', () => toText(wrong));
    refuses('text_invalid', () => fromText(wrong));
    refuses('field_out_of_range', () => layout.encode({ tick: wrong }));
    refuses('field_out_of_range', () => layout.encode({ tick: 1, worker: wrong }));
    for (const name of ['maxWaitMs', 'maxLeadMs', 'sequenceSpread', 'ordering', 'clock']) {
      refuses('option_invalid', open({ [name]: wrong }));
    }
    refuses('option_invalid', () => fromText('1', wrong));
    refuses('option_invalid', () => open({})().nextIds(wrong));
    refuses('option_invalid', () => open({})().fill(wrong));
    if (wrong instanceof Date) continue; // a time
    refuses('option_invalid', () => new ManualClock(wrong));
    refuses('option_invalid', () => layout.firstId(wrong));
  }
});

test('messages of the core spell options as JavaScript does', () => {
  for (const name of ['maxWaitMs', 'maxLeadMs', 'sequenceSpread'])
    refuses('option_invalid', open({ [name]: -1 }), name);
});

test('options that are no plain object are refused', () => {
  for (const wrong of [null, 7, 7n, 'host', [], new Map(), () => 1, clock]) {
    refuses('option_invalid', () => new Generator(wrong));
  }
});

test('an option that is undefined counts as absent', () => {
  const absent = { layout: undefined, maxWaitMs: undefined, sequenceSpread: undefined, ordering: undefined };
  assert.equal(open(absent)().worker, 1n);
});

test('a worker of a wrong type is refused', () => {
  for (const wrong of [
    1.5,
    NaN,
    Infinity,
    true,
    null,
    [],
    [1],
    new Map([['worker', 7]]),
    new Date(),
    Symbol('x'),
    () => 7,
  ]) {
    refuses('worker_source_invalid', open({ worker: wrong }));
  }
  for (const wrong of ['7', '', ' host', 'banana', 'host:', 'host:07']) {
    refuses('worker_source_invalid', open({ worker: wrong }));
  }
});

test('a worker out of range is refused, never masked', () => {
  for (const wrong of [-1, 1024, -1n, 1024n, 2 ** 32, 2 ** 53, 1e300, 2n ** 63n, 2n ** 64n, -(2n ** 64n)]) {
    refuses('field_out_of_range', open({ worker: wrong }));
  }
  for (const wrong of [1.5, '7', true, null, undefined, 1024, 2n ** 64n]) {
    refuses('field_out_of_range', open({ worker: { worker: wrong } }));
  }
  refuses('unknown_field', open({ worker: { wroker: 7 } }));
});

test('numbers of a wrong type or size are refused', () => {
  for (const name of ['maxWaitMs', 'maxLeadMs', 'sequenceSpread']) {
    for (const wrong of [1.5, NaN, '5', true, null, {}, -1, 2n ** 64n, 2 ** 53, new Date()]) {
      refuses('option_invalid', open({ [name]: wrong }));
    }
  }
});

test('an ordering of a wrong type or of another name is refused', () => {
  for (const wrong of [1, 1n, true, null, {}, [], ['strict'], Symbol('strict'), new String('strict'), () => 'strict']) {
    refuses('option_invalid', open({ ordering: wrong }));
  }
  for (const wrong of [
    '',
    'none',
    'Strict',
    'strict ',
    'per-thread',
    'perThread',
    'per_thread\0',
    '\u0455trict',
    '\ud800',
  ]) {
    refuses('option_invalid', open({ ordering: wrong }), 'strict', 'per_thread');
  }
  refuses('option_invalid', open({ order: 'strict' }), "'order'", 'ordering');
});

test('a layout or clock of a wrong type is refused', () => {
  for (const wrong of [null, 5, {}, [], Layout]) refuses('layout_invalid', open({ layout: wrong }));
  for (const wrong of [null, 5, {}, Date, { timeMs: 5 }, Object.create(ManualClock.prototype)]) {
    refuses('option_invalid', open({ clock: wrong }));
  }
});

test('open() refuses the same by rejecting', async () => {
  await assert.rejects(Generator.open({ worker: -1 }), isRefusal('field_out_of_range'));
  await assert.rejects(Generator.open({ worker: true }), isRefusal('worker_source_invalid'));
  await assert.rejects(Generator.open({ oops: 1 }), isRefusal('option_invalid'));
  await assert.rejects(Generator.open({ worker: 1, ordering: 7 }), isRefusal('option_invalid'));
  await assert.rejects(Generator.open({ worker: 1, ordering: 'none' }), isRefusal('option_invalid'));
  await assert.rejects(Generator.open({ worker: 1, layout: 'nope' }), isRefusal('unknown_preset'));
  await assert.rejects(Generator.open({ worker: 1, layout: 'baidu' }), isRefusal('time_exhausted'));
});

test('a registry that cannot be used is an error that names it', async (t) => {
  const before = process.env.POLYFLAKE_HOME;
  process.env.POLYFLAKE_HOME = '/dev/null/registry';
  t.after(() => {
    process.env.POLYFLAKE_HOME = before;
  });
  refuses('registry_unusable', () => new Generator({ worker: 'host:77' }), '/dev/null/registry');
  await assert.rejects(Generator.open({ worker: 'host:77' }), isRefusal('registry_unusable', '/dev/null/registry'));
});

test('errors are instances with a code, a name and a stack that leads to the caller', () => {
  try {
    open({ worker: 1024 })();
    assert.fail('not refused');
  } catch (error) {
    assert.ok(error instanceof PolyflakeError && error instanceof Error);
    assert.equal(error.name, 'PolyflakeError');
    assert.equal(error.code, 'ERR_POLYFLAKE_FIELD_OUT_OF_RANGE');
    assert.equal(error.kind, 'argument');
    assert.match(error.stack, /04_options\.test\.mjs/);
  }
});

test('what a message repeats of the input is escaped and cut', () => {
  assert.throws(open({ ['\u001b[31m\u202e'.repeat(50)]: 1 }), (error) => {
    assert.match(error.message, /^[\x20-\x7e]*$/);
    return error.message.length < 400;
  });
});

// The group of vectors about dates: periods, numbers and their texts.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DateNumbers } from 'polyflake';
import { compare, number } from './vector_checks.mjs';

// By their paths: the package, installed or here, does not export them.
const require = createRequire(import.meta.url);
const inside = (name) => require(join(dirname(require.resolve('polyflake')), name));
const { checkZone } = inside('zones.js');
const native = inside('native.js');

/** The options of a source, those that are not given too. */
function make({ zone = '+00:00', ...given }) {
  const { period, digits, prefix } = new DateNumbers(given);
  return { period, digits, prefix, zone: checkZone(zone) };
}

function periodAt({ options, time_ms: timeMs }) {
  const { period, zone } = make(options);
  return native.periodAt(period, zone, number(timeMs));
}

function write({ options, label, n }) {
  const dates = new DateNumbers(options);
  const made = dates.number(number(label), number(n));
  return { number: String(made), text: dates.text(made) };
}

function read({ options, text }) {
  const dates = new DateNumbers(options);
  const made = dates.parse(text);
  const { label, count } = dates.parts(made);
  return { label: String(label), n: String(count), number: String(made) };
}

const operations = {
  make: ({ options }) => make(options),
  period(vector) {
    const { label, startMs, endMs } = periodAt(vector);
    return { label: String(label), start_ms: String(startMs), end_ms: String(endMs) };
  },
  write,
  read,
};

export function date(vector) {
  assert.ok(Object.hasOwn(operations, vector.op), `unknown operation ${vector.op}`);
  compare(vector, () => operations[vector.op](vector), assert.deepEqual);
}

'use strict';
// Offsets of time zones from UTC, in whole seconds, by Intl.

const check = require('./check.js');
const { PolyflakeError, described, quoted } = require('./error.js');
const native = require('./native.js');

const DAY_MS = 86_400_000;
const LAST_DATE_MS = 8.64e15;
const OPTIONS = ['timeZone', 'utcOffsetSeconds'];

let latest = { timeZone: undefined, format: undefined }; // making a format is the slowest part

/** Returns a format that gives the local time of a zone; undefined if Intl does not know it. */
function knownFormat(timeZone) {
  if (latest.timeZone === timeZone) return latest.format;
  const units = Object.fromEntries(
    ['year', 'month', 'day', 'hour', 'minute', 'second'].map((unit) => [unit, 'numeric']),
  );
  let format;
  try {
    format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', { ...units, hourCycle: 'h23', timeZone });
  } catch {
    // The message of that error has the whole text, which may be a secret in the wrong argument.
    return undefined;
  }
  latest = { timeZone, format };
  return format;
}

/** Returns the same. Errors: option_invalid. */
function formatOf(timeZone) {
  const format = knownFormat(timeZone);
  if (format !== undefined) return format;
  throw new PolyflakeError('option_invalid', `timeZone must name a time zone, got ${described(timeZone)}`);
}

/** Returns the offset of the zone at a Unix time, both as numbers. */
function offsetAt(timeZone, timeMs) {
  const seconds = Math.floor(timeMs / 1000);
  const local = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(seconds * 1000)) local[type] = Number(value);
  const { year, month, day, hour, minute, second } = local;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - seconds;
}

const isDate = (timeMs) => Math.abs(timeMs) <= LAST_DATE_MS - 2 * DAY_MS;

function requireDate(timeMs, code) {
  if (!isDate(timeMs)) {
    throw new PolyflakeError(code, 'time zones are not known after the year 275760; give utcOffsetSeconds');
  }
}

/** Returns the zone of the options: { timeZone }, or { offset } as a BigInt. */
function zoneOf(options, what) {
  const { timeZone, utcOffsetSeconds } = check.options(options, OPTIONS, what);
  if (timeZone === undefined) {
    return {
      offset: utcOffsetSeconds === undefined ? 0n : check.int64(utcOffsetSeconds, 'utcOffsetSeconds', 'option_invalid'),
    };
  }
  if (utcOffsetSeconds !== undefined) {
    throw new PolyflakeError('option_invalid', `${what} takes timeZone or utcOffsetSeconds, not both`);
  }
  return { timeZone: check.text(timeZone, 'timeZone', 'option_invalid') };
}

/** Returns the offset in force at a Unix time; calls `timeMs` for the time only if needed. */
function offsetOf(options, timeMs) {
  const { timeZone, offset } = zoneOf(options, 'friendly');
  if (timeZone === undefined) return offset;
  formatOf(timeZone); // a wrong name is refused first
  const ms = timeMs();
  requireDate(ms, 'id_out_of_range');
  return BigInt(offsetAt(timeZone, ms));
}

/** Returns the offsets of a local time: none if the clocks skip it, two if they repeat it. */
function offsetsOf(options, localSeconds) {
  const { timeZone, offset } = zoneOf(options, 'fromFriendly');
  if (timeZone === undefined) return [offset];
  formatOf(timeZone);
  const ms = localSeconds() * 1000;
  requireDate(ms, 'field_out_of_range');
  // Offsets are less than a day, so this is the offset of a day before or of a day after.
  const near = new Set([offsetAt(timeZone, ms - DAY_MS), offsetAt(timeZone, ms + DAY_MS)]);
  return [...near].filter((seconds) => offsetAt(timeZone, ms - seconds * 1000) === seconds).map(BigInt);
}

// Returns the zone of dates itself if it is an offset, '+08:00', or a name that Intl knows. Intl
// ignores case, but the zone is a part of the counter, whose other users may not.
function checkZone(zone) {
  if (!native.isZoneName(check.text(zone, 'zone', 'option_invalid'))) return zone;
  const name = knownFormat(zone)?.resolvedOptions().timeZone; // another one if the zone has several
  if (name === undefined) {
    throw new PolyflakeError('option_invalid', `this Node knows no time zone of the name ${quoted(zone)}`);
  }
  if (name !== zone && name.toLowerCase() === zone.toLowerCase()) {
    throw new PolyflakeError('option_invalid', `the zone is spelled '${name}', not ${quoted(zone)}`);
  }
  return zone;
}

/** Answers a step of a conversation that asks for the offset of a zone at a Unix time. */
function tellOffset(session, { number: timeMs, name }) {
  const isKnown = isDate(timeMs) && knownFormat(name) !== undefined;
  native.tellOffset(session, isKnown ? offsetAt(name, timeMs) : null);
}

module.exports = { checkZone, offsetOf, offsetsOf, tellOffset };

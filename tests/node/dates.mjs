// Counters of dates for tests, and what a calendar says of their numbers.
import { COUNTER, withCounter } from './segments.mjs';

const ZONES = ['Asia/Tokyo', 'America/New_York'];
const HOUR_MS = 3_600_000;

const localDate = (timeZone, options) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, ...options }).format(new Date()).replaceAll('-', '');

/** A named zone in which midnight is hours away, so that no test meets it. */
export const ZONE = ZONES.find((timeZone) => {
  const hour = Number(localDate(timeZone, { hour: 'numeric', hourCycle: 'h23' }));
  return hour >= 3 && hour < 21;
});

/** The label of today there. */
export const TODAY = BigInt(localDate(ZONE));

/** The offset of that zone now, as it is written. */
export const OFFSET = offsetNow();

function offsetNow() {
  const [year, month, day, hour] = new Intl.DateTimeFormat('sv-SE', {
    timeZone: ZONE,
    ...Object.fromEntries(['year', 'month', 'day', 'hour'].map((unit) => [unit, 'numeric'])),
    hourCycle: 'h23',
  })
    .format(new Date())
    .split(/\D+/)
    .map(Number);
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const hours = (Date.UTC(year, month - 1, day, hour) - now) / HOUR_MS;
  return `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
}

/** The numbers of today from this count on. */
export const numbersOfToday = (first, count, digits = 6) =>
  Array.from({ length: count }, (_, i) => TODAY * 10n ** BigInt(digits) + BigInt(first + i));

/** A new namespace with a counter of dates; the options of a source of it. */
export async function withDates(url, shape = {}) {
  const given = { zone: ZONE, ...shape };
  const store = await withCounter(url, { kind: 'date', ...given });
  return { store, name: COUNTER, ...given };
}

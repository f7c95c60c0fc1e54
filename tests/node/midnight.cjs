'use strict';
// Takes numbers of dates in batches, without waiting for them, from shortly before midnight until one
// is of the next day; prints them. tests/soak/stepped_clock.cpp, which is loaded, reads the file of
// its clock.
const fs = require('node:fs');
const { setImmediate: turn } = require('node:timers/promises');
const { open } = require('polyflake');
const { initCounter, initNamespace } = require('polyflake/stores');

const store = 'memory://midnight?namespace=orders';
const MIDNIGHT = Date.UTC(2031, 2, 10);
const NEXT_DAY = 20310310n;

/** Makes it so many ms before midnight. */
function setClock(ms) {
  const ahead = BigInt(MIDNIGHT - ms - Date.now()) * 1_000_000n;
  const file = fs.openSync(process.env.SOAK_CLOCK, 'r+');
  fs.writeSync(file, new BigInt64Array([1n, 0n, ahead]));
  fs.closeSync(file);
}

async function main() {
  await initNamespace(store, { fresh: true });
  setClock(100);
  await initCounter(store, 'orders', { after: 0, kind: 'date' });
  // More than are used meanwhile: so they are held at midnight, and nothing else is fetched.
  const ids = await open('date', { store, name: 'orders', step: 400_000 });
  const numbers = [...(await ids.nextIdsAsync(3))];
  while (ids.numbers.parts(numbers.at(-1)).label < NEXT_DAY) {
    try {
      numbers.push(...ids.nextIds(7));
    } catch (error) {
      if (error.code !== 'ERR_POLYFLAKE_STORE_UNAVAILABLE') throw error;
    }
    await turn();
  }
  console.log(numbers.join(' '));
}

main();

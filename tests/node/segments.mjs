// Counters of tests, and sources of their numbers.
import { open } from 'polyflake';
import { initCounter, initNamespace } from 'polyflake/stores';
import { eventually } from './patience.mjs';
import { code } from './refusal.mjs';
import { address, freshName } from './stores.mjs';

export const COUNTER = 'orders';

/** A new namespace with a counter that begins at 1; the address of a store, in memory if no other. */
export async function withCounter(url = `memory://${freshName()}`, shape = {}) {
  const store = address({ namespace: freshName() }, url);
  await initNamespace(store, { fresh: true });
  await initCounter(store, COUNTER, { after: 0, ...shape });
  return store;
}

/** Opens a source of a counter, however long a busy store takes for its first answer. */
export async function openPatiently(options, kind = 'segment') {
  let ids;
  await eventually(async () => {
    try {
      ids = await open(kind, options);
      return true;
    } catch (error) {
      if (error.code === code('store_unavailable').code) return false;
      throw error;
    }
  });
  return ids;
}

/** Closes a source; resolves when it has given back what it held. */
export const closed = (ids) => ids[Symbol.asyncDispose]();

export const numbersFrom = (first, count) => Array.from({ length: count }, (_, i) => BigInt(first + i));

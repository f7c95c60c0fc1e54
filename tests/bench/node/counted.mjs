// The rows of counters, whose numbers come from the store in memory.
import { Segment } from 'polyflake';
import { initCounter, initNamespace } from 'polyflake/stores';
import { timedLoop } from './loops.mjs';
import { LIBRARY } from './peers.mjs';

const STORE = 'memory://bench?namespace=bench';
const AFTER = 2n ** 60n; // so that a number is as long as an id
// A loop that never ends its turn lets no timer fetch the next range, so one range lasts for all rounds.
const STEP = 1_000_000_000;

const words = (count) => new BigUint64Array(count);

/** `bench`: { wants, compare, prepared, memory }, as in bench.mjs. */
export async function addCountedRows({ wants, compare, prepared, memory }, bare) {
  if (!wants('segment')) return;
  await initNamespace(STORE);
  await initCounter(STORE, 'bench', { after: AFTER });
  const generator = await Segment.open({ store: STORE, name: 'bench', step: STEP });
  const floor = await prepared(timedLoop('(bare.count(), memory[0])', { bare, memory }), words);
  const work = await prepared(timedLoop('generator.nextId()', { generator }), words);
  await compare('segment', { library: LIBRARY, call: 'Segment.nextId()' }, floor, work);
  await generator.close();
}

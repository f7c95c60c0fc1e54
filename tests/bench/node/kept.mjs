// Where a saturated run keeps its ids, and how it finds those that are equal. The memory is written before the run,
// so that its pages exist when the clock starts.
import { keepingLoop } from './loops.mjs';

/** 64-bit ids. */
export class Words {
  #ids;

  /** @param {number | SharedArrayBuffer} room how many ids, or memory for them */
  constructor(room) {
    this.#ids = new BigUint64Array(room).fill(1n);
  }

  get room() {
    return this.#ids.length;
  }

  /** A function that keeps what the call gives, at the indexes from its first argument to before its second. */
  filler(call, scope) {
    const loop = keepingLoop(`ids[i] = ${call}`, scope);
    return (from, to) => loop(this.#ids, from, to);
  }

  first(count) {
    return this.#ids.subarray(0, count);
  }
}

const WIDTH = 36; // of a UUID; nothing here is wider

/**
 * Ids that are text, one beside the other in one buffer: millions of live strings would cost the collector ten
 * times what it takes to make them.
 */
export class Texts {
  #bytes;

  constructor(room) {
    this.#bytes = Buffer.alloc(room * WIDTH, ' ');
  }

  get room() {
    return this.#bytes.length / WIDTH;
  }

  filler(call, scope) {
    const loop = keepingLoop(`ids.write(${call}, i * ${WIDTH}, 'latin1')`, scope);
    return (from, to) => loop(this.#bytes, from, to);
  }

  first(count) {
    return Array.from({ length: count }, (_, i) => this.#bytes.toString('latin1', i * WIDTH, (i + 1) * WIDTH).trimEnd());
  }
}

/** How many ids are equal to another one that was counted already. */
export function countDuplicates(ids) {
  if (!(ids instanceof BigUint64Array)) return ids.length - new Set(ids).size;
  let rising = true;
  for (let i = 1; i < ids.length && rising; i++) rising = ids[i] > ids[i - 1];
  if (rising) return 0;
  const sorted = ids.slice().sort();
  let duplicates = 0;
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) duplicates++;
  return duplicates;
}

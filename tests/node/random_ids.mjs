// Random ids that are the same in each run, so that a failure can be made again.
import { createHash } from 'node:crypto';

/** Ids of 64 bits as a BigUint64Array; another seed, a text, gives others. */
export function randomIds(seed, count) {
  const bytes = createHash('shake256', { outputLength: 8 * count })
    .update(seed)
    .digest();
  return new BigUint64Array(Uint8Array.from(bytes).buffer);
}

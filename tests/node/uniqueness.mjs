// What the ids of a whole run must satisfy.
import assert from 'node:assert/strict';

/** The array is sorted in place. */
export function assertUnique(ids) {
  ids.sort();
  let duplicates = 0;
  for (let i = 1; i < ids.length; i++) if (ids[i] === ids[i - 1]) duplicates += 1;
  assert.equal(duplicates, 0, `${duplicates} duplicates in ${ids.length} ids`);
  assert.ok(ids[0] > 0n, 'an id was not written');
}

export function assertIncreasing(ids) {
  for (let i = 1; i < ids.length; i++) {
    if (ids[i] <= ids[i - 1]) assert.fail(`id ${i}: ${ids[i]} after ${ids[i - 1]}`);
  }
}

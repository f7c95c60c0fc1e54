// How many ids are equal to another one.

/** @param {BigUint64Array[]} parts */
export function duplicatesAmong(parts) {
  const all = new BigUint64Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((offset, part) => (all.set(part, offset), offset + part.length), 0);
  let rising = true;
  for (let i = 1; i < all.length && rising; i++) rising = all[i] > all[i - 1];
  if (rising) return 0;
  all.sort();
  let duplicates = 0;
  for (let i = 1; i < all.length; i++) if (all[i] === all[i - 1]) duplicates++;
  return duplicates;
}

/**
 * The same of texts of one length.
 * @param {{ count: number, bytes: Buffer }[]} parts the texts one after the other
 */
export function duplicateTexts(parts) {
  const all = new Set();
  let count = 0;
  for (const part of parts) {
    const length = part.bytes.length / part.count;
    for (let at = 0; at < part.bytes.length; at += length) all.add(part.bytes.latin1Slice(at, at + length));
    count += part.count;
  }
  return count - all.size;
}

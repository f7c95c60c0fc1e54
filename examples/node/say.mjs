// Prints what an id says: the id, then name=value for each of its parts.

export function say(id, layout) {
  const { timeMs, tick, fields, sequence } = layout.decode(id);
  const parts = Object.entries({ time_ms: timeMs, tick, ...fields, sequence });
  console.log(`${id} ${parts.map(([name, value]) => `${name}=${value}`).join(' ')}`);
}

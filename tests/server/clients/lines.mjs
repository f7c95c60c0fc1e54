// Shared by the programs of Node's clients: lines in, lines out, as client_programs.py says.
import { createInterface } from 'node:readline';

/** A map comes as an object or as a Map over RESP 3, as a list over RESP 2. */
function words(reply) {
  if (reply instanceof Map) return [...reply].flat();
  if (Array.isArray(reply)) return reply;
  return typeof reply === 'object' ? Object.entries(reply).flat() : [reply];
}

/**
 * open: makes { version, incr(key), send(words), close() } of a port, a version of RESP, and { username, password } if there is a
 * token. Calls of one turn of the event loop are one pipeline.
 */
export async function serveLines(open) {
  const clients = []; // the last one is in use
  const client = () => clients.at(-1);
  const next = (...rest) => client().send(['POLYFLAKE.NEXT', ...rest]);
  const times = (count, call) => Promise.all(Array.from({ length: Number(count) }, call));
  const verbs = {
    incr: (key) => client().incr(key),
    next: (key) => next(key),
    batch: (key, count) => next(key, count),
    incrs: (key, count) => times(count, () => client().incr(key)),
    nexts: (key, count) => times(count, () => next(key)),
    decode: (id) => client().send(['POLYFLAKE.DECODE', id]),
    async open(port, protocol, username, password) {
      client()?.close();
      clients.push(await open(Number(port), Number(protocol), username && { username, password }));
      return client().version;
    },
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, ...rest] = line.split(' ');
    try {
      console.log(`= ${words(await verbs[verb](...rest)).join(' ')}`);
    } catch (error) {
      console.log(`! ${String(error.message).replaceAll(/\s+/g, ' ')}`);
    }
  }
  process.exit(); // a client that has closed may wait for its timers
}

// node-redis. With the argument "text" integers come as strings.
import { createRequire } from 'node:module';
import { serveLines } from './lines.mjs';

const require = createRequire(import.meta.url);
const { RESP_TYPES, createClient } = require('redis');
const version = `node-redis ${require('redis/package.json').version}`;

await serveLines(async (port, RESP) => {
  const client = createClient({ socket: { port }, RESP });
  client.on('error', () => {}); // calls tell
  await client.connect();
  const numbers = process.argv[2] === 'text' ? client.withTypeMapping({ [RESP_TYPES.NUMBER]: String }) : client;
  return {
    version,
    incr: (key) => numbers.incr(key),
    send: (words) => client.sendCommand(words),
    close: () => client.destroy(),
  };
});

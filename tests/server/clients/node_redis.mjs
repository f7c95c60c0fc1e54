// node-redis. With the argument "text" integers come as strings.
import { createRequire } from 'node:module';
import { serveLines } from './lines.mjs';

const require = createRequire(import.meta.url);
const { RESP_TYPES, createClient } = require('redis');
const version = `node-redis ${require('redis/package.json').version}`;

await serveLines(async (port, RESP, token) => {
  const client = createClient({ socket: { port }, RESP, ...token });
  client.on('error', () => {}); // calls tell
  // It would connect again and again with a token that is wrong.
  await Promise.race([client.connect(), new Promise((_, reject) => client.once('error', reject))]);
  const numbers = process.argv[2] === 'text' ? client.withTypeMapping({ [RESP_TYPES.NUMBER]: String }) : client;
  return {
    version,
    incr: (key) => numbers.incr(key),
    send: (words) => client.sendCommand(words),
    close: () => client.destroy(),
  };
});

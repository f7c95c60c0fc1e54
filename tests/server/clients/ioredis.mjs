// ioredis. With the argument "text" integers come as strings.
import { createRequire } from 'node:module';
import { serveLines } from './lines.mjs';

const require = createRequire(import.meta.url);
const { Redis } = require('ioredis');
const version = `ioredis ${require('ioredis/package.json').version}`;

await serveLines((port, protocol, token) => {
  const client = new Redis({ port, protocol, ...token, stringNumbers: process.argv[2] === 'text' });
  client.on('error', () => {}); // calls tell
  return {
    version,
    incr: (key) => client.incr(key),
    send: ([command, ...words]) => client.call(command, ...words),
    close: () => client.disconnect(),
  };
});

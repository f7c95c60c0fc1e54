// Takes ids with a client of Node: node taker.mjs resp|http PORT... Its output: takers.py.
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';

const { Redis } = createRequire(import.meta.url)('ioredis');
const TIMEOUT_MS = 1000;
const PAUSE_MS = 10;

/** The server gave a reason instead of ids. */
class Refused extends Error {}

async function ofRedis(port) {
  const client = new Redis({
    port,
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    retryStrategy: null, // a connection that is lost stays lost
  });
  client.on('error', () => {}); // calls tell
  try {
    await client.connect();
  } catch (error) {
    client.disconnect();
    throw error;
  }
  const take = async () => {
    try {
      return await client.call('POLYFLAKE.NEXT', 'orders', 10);
    } catch (error) {
      const code = /^POLYFLAKE (\w+)/.exec(error.message);
      throw code ? new Refused(code[1]) : error;
    }
  };
  return { take, close: () => client.disconnect() };
}

/** fetch() chooses the connection. */
function ofHttp(port) {
  const take = async () => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(`http://127.0.0.1:${port}/v1/ids/orders?n=10`, { method: 'POST', signal });
    const body = await answer.json();
    if (answer.status !== 200) throw new Refused(body.code);
    console.log('+');
    return body.ids;
  };
  return { take, close() {} };
}

const [protocol, ...ports] = process.argv.slice(2);
for (let turn = 0; ; turn += 1) {
  let client;
  try {
    client = await (protocol === 'http' ? ofHttp : ofRedis)(Number(ports[turn % ports.length]));
    console.log('+');
    for (;;) {
      try {
        console.log(`= ${(await client.take()).join(' ')}`);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        console.log(`! ${error.message}`);
      }
      await pause(PAUSE_MS);
    }
  } catch {
    console.log('-');
    client?.close();
    await pause(PAUSE_MS);
  }
}

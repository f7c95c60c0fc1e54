// Requests to a store as tests/core/store_probe.cpp makes them, carried by an adapter of this package.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { opened } = require('../../node/stores/url.js');

const PROGRAM = fileURLToPath(new URL('../../build/cpp/tests/core/polyflake_store_probe', import.meta.url));

/** Carries commands of the program to a store. Each client has a connection. */
class Adapter {
  #store;
  #connections = new Map();

  constructor(store) {
    this.#store = store;
  }

  async carry({ client, setup, name, parts }) {
    try {
      if (this.#connections.get(client)?.lost) this.#close(client);
      if (!this.#connections.has(client)) {
        this.#connections.set(client, this.#store.connection());
        await this.#connections.get(client).open(setup);
      }
      return { rows: await this.#connections.get(client).run(name, parts) };
    } catch (error) {
      this.#close(client);
      const [code, reason] = this.#store.failureOf(error);
      return { code, reason };
    }
  }

  close() {
    for (const client of this.#connections.keys()) this.#close(client);
  }

  #close(client) {
    this.#connections.get(client).close();
    this.#connections.delete(client);
  }
}

/** Puts one request to the program, with a store or its address; resolves to its result. */
export async function ask(kind, worker, request) {
  const store = opened(worker);
  const program = spawn(PROGRAM, [kind, store.placeholder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const adapter = new Adapter(store);
  const say = (line) => program.stdin.write(`${JSON.stringify(line)}\n`);
  say(request);
  try {
    for await (const line of createInterface({ input: program.stdout })) {
      const { result, error, ...command } = JSON.parse(line);
      assert.equal(error, undefined);
      if (result !== undefined) return result;
      say(await adapter.carry(command));
    }
    return assert.fail(`${PROGRAM} has ended`);
  } finally {
    adapter.close();
    program.stdin.end();
  }
}

// Every scenario of tests/vectors/lease-scenarios.json, through each kind of client over the real server.
import './registry.mjs';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { initNamespace } from 'polyflake/stores';
import { STORES, endClients, freshName, server } from './stores.mjs';

const require = createRequire(import.meta.url);
const { Store } = require('../../node/stores/store.js');
const { storeOf } = require('../../node/stores/url.js');

const inTree = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const PROGRAM = inTree('build/cpp/tests/core/polyflake_store_probe');
const SCENARIOS = inTree('tests/vectors/lease-scenarios.json');

/** Carries commands of tests/core/store_probe.cpp to a store. Each client has a connection. */
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

/** Resolves to { meant, failures }. */
async function runScenarios(kind, store) {
  const program = spawn(PROGRAM, [kind, store.placeholder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const adapter = new Adapter(store);
  const say = (line) => program.stdin.write(`${JSON.stringify(line)}\n`);
  say({ scenarios: SCENARIOS });
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

after(endClients);

for (const [name, { kind, at = kind, make }] of Object.entries(STORES)) {
  test(`scenarios over ${name}`, async (t) => {
    const worker = make({ namespace: freshName() }, server(at));
    // Where a store needs tables or folders, making a namespace makes them.
    await initNamespace(worker);
    const { meant, failures } = await runScenarios(kind, worker instanceof Store ? worker : storeOf(worker));
    t.diagnostic(`scenarios: ${meant - failures.length} of ${meant} passed (node, ${name})`);
    assert.ok(meant > 0);
    assert.deepEqual(failures, []);
  });
}

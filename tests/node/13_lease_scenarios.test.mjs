// Every scenario of tests/vectors/lease-scenarios.json, through each kind of client over the real server.
import './registry.mjs';
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { initNamespace } from 'polyflake/stores';
import { ask } from './store_probe.mjs';
import { STORES, endClients, freshName, server } from './stores.mjs';

const SCENARIOS = fileURLToPath(new URL('../vectors/lease-scenarios.json', import.meta.url));

after(endClients);

for (const [name, { kind, at = kind, make }] of Object.entries(STORES)) {
  test(`scenarios over ${name}`, async (t) => {
    const worker = make({ namespace: freshName() }, server(at));
    // Where a store needs tables or folders, making a namespace makes them.
    await initNamespace(worker);
    const { meant, failures } = await ask(kind, worker, { scenarios: SCENARIOS });
    t.diagnostic(`scenarios: ${meant - failures.length} of ${meant} passed (node, ${name})`);
    assert.ok(meant > 0);
    assert.deepEqual(failures, []);
  });
}

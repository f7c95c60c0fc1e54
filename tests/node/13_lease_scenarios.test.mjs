// Every scenario of tests/vectors/lease-scenarios.json, through each kind of client over the real server.
import './registry.mjs';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { initNamespace } from 'polyflake/stores';
import { STORES, endClients, freshName, server } from './stores.mjs';

const require = createRequire(import.meta.url);
const native = require('../../node/native.js');
const { Talk } = require('../../node/lease.js');
const { hold } = require('../../node/wait.js');
const { Store, storeOf } = require('../../node/stores/store.js');

const COMMAND_MS = 60_000;
const file = new URL('../vectors/lease-scenarios.json', import.meta.url);
const { scenarios, kinds, number_of_scenarios } = JSON.parse(fs.readFileSync(file, 'ascii'));

/** One process that talks to the store: its own connection, and what it remembers. */
class Client {
  constructor(worker) {
    const store = worker instanceof Store ? worker : storeOf(worker);
    this.trial = native.newTrial(store.address, store.placeholder);
    this.talk = new Talk(this.trial, store, COMMAND_MS);
  }

  async read(nodes) {
    native.askRead(this.trial, nodes.map(BigInt));
    await this.carryOut();
    const found = Object.fromEntries(['names', ...nodes].map((key) => [key, 'absent']));
    for (const line of native.trialFound(this.trial)) {
      const [, key, name, value] = /^(.*?)\.(.*?)=(.*)$/s.exec(line);
      if (found[key] === 'absent') found[key] = {};
      found[key][name] = value;
    }
    return found;
  }

  async cas(assignments) {
    native.askCas(this.trial, Object.keys(assignments), Object.values(assignments));
    await this.carryOut();
    return native.trialOutcome(this.trial);
  }

  async carryOut() {
    const release = hold();
    let what;
    do {
      ({ what } = await this.talk.step());
      assert.ok(what === 'done' || what === 'command', what);
    } while (what !== 'done');
    release();
  }

  close() {
    this.talk.disconnect();
    native.forgetTalk(this.trial);
  }
}

/** The record with '*' where that is expected. */
function knownOf(record, expected) {
  if (record === 'absent' || expected === 'absent') return record;
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, expected[name] === '*' ? '*' : value]),
  );
}

async function check(client, step, number) {
  if ('read' in step) {
    const found = await client.read(step.read);
    const known = Object.entries(found).map(([key, record]) => [key, knownOf(record, step.found[key])]);
    assert.deepEqual(Object.fromEntries(known), step.found, `step ${number}`);
  } else if ('cas' in step) {
    assert.equal(await client.cas(step.cas), step.outcome, `step ${number}`);
  } else {
    assert.fail(`step ${number} is of no known form`);
  }
}

/** Carries out the steps in a namespace of their own. */
async function run({ id, steps }, make) {
  const name = `s${id}-${freshName()}`;
  const clients = new Map();
  try {
    for (const [i, step] of steps.entries()) {
      const namespace = 'namespace' in step ? `${name}-${step.namespace}` : name;
      const key = `${step.client} ${namespace}`;
      if (!clients.has(key)) clients.set(key, new Client(make(namespace)));
      await check(clients.get(key), step, i + 1);
    }
  } finally {
    for (const client of clients.values()) client.close();
  }
}

function scenariosFor(kind) {
  return scenarios.filter(({ needs = [] }) => needs.every((fact) => kinds[kind].includes(fact)));
}

after(endClients);

for (const [name, { kind, at = kind, make }] of Object.entries(STORES)) {
  test(`scenarios over ${name}`, async (t) => {
    const maker = (namespace) => make({ namespace }, server(at));
    // Where a store needs tables or folders, making a namespace makes them.
    await initNamespace(maker(freshName()));
    const meant = scenariosFor(kind);
    const failures = [];
    for (const scenario of meant) {
      await run(scenario, maker).catch((error) => failures.push(`${scenario.id} (${scenario.name}): ${error.message}`));
    }
    t.diagnostic(`scenarios: ${meant.length - failures.length} of ${meant.length} passed (node, ${name})`);
    assert.deepEqual(failures, []);
  });
}

test('every scenario is for a kind of store', () => {
  const meant = new Set(Object.keys(kinds).flatMap((kind) => scenariosFor(kind).map(({ id }) => id)));
  assert.equal(scenarios.length, number_of_scenarios);
  assert.equal(meant.size, number_of_scenarios);
});

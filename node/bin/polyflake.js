#!/usr/bin/env node
'use strict';
// The command line: npx polyflake. What it does is in the core (cli/); here is what it asks for: stores, over the clients that
// Node has for them.

const { load } = require('../addon.js');

/** Carries out requests (cli/command.hpp). The package itself is loaded by the first of them. */
class Host {
  stopped = false; // by a signal

  async carryOut({ operation, store, layout, arguments: [argument] }) {
    const stores = require('../stores/index.js');
    switch (operation) {
      case 'next':
        return await this.next(store, layout, Number(argument));
      case 'leases':
        return (await stores.leases(store, { layout })).map((one) => [one.node, one.untilMs, one.label].map(String));
      case 'init':
        return [[await stores.initNamespace(store, { layout, fresh: argument === 'fresh' })]];
      case 'raise_floor':
      case 'lower_floor':
        await stores.raiseFloor(store, { layout, timeMs: BigInt(argument), lower: operation === 'lower_floor' });
        return [];
      default:
        throw new Error(`there is no operation ${operation}`);
    }
  }

  async next(store, layout, count) {
    const { Generator } = require('../index.js');
    if (this.generator === undefined) {
      this.generator = await Generator.open({ worker: store, layout });
      for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => this.stop(signal));
    }
    const rows = [];
    while (rows.length < count) rows.push([String(await this.generator.nextIdAsync())]);
    return rows;
  }

  close() {
    this.generator?.close();
  }

  /** Ends the process as the signal always does, but after the node id was given back. */
  async stop(signal) {
    this.stopped = true;
    await require('../generator.js').endGenerator(this.generator);
    process.kill(process.pid, signal);
  }
}

/** Resolves to the exit code; to nothing where a signal is about to end the process. */
async function main() {
  const { Command } = load('polyflake_command.node');
  const command = new Command(process.argv.slice(2));
  const host = new Host();
  for (let request; (request = await command.step()) !== undefined;) {
    try {
      const rows = await host.carryOut(request);
      if (host.stopped) return;
      command.deliver(rows);
    } catch (error) {
      if (host.stopped) return;
      const ours = error.name === 'PolyflakeError';
      command.fail(ours ? error.code.replace('ERR_POLYFLAKE_', '').toLowerCase() : '', error.message);
    }
  }
  host.close();
  return command.exitCode;
}

main().then((exitCode) => {
  process.exitCode = exitCode;
});

#!/usr/bin/env node
'use strict';
// The command line: npx polyflake. The core (cli/) does the work; this file answers its requests
// for stores, with the clients of Node.

const { Command } = require('../native.js');

/** Carries out requests (cli/command.hpp). The first request loads the package itself. */
class Host {
  stopped = false; // by a signal

  async carryOut({ operation, store, layout, arguments: all }) {
    const [argument] = all;
    const stores = require('../stores/index.js');
    switch (operation) {
      case 'next':
        return await this.next(store, layout, Number(argument));
      case 'leases':
        return (await stores.leases(store, { layout })).map((one) => [one.node, one.untilMs, one.label].map(String));
      case 'init':
        return [[await stores.initNamespace(store, { layout, fresh: argument === 'fresh' })]];
      case 'counters':
        return (await stores.counters(store)).map((one) => Object.values(one).map((member) => String(member ?? '')));
      case 'init_counter':
        await this.initCounter(store, all);
        return [];
      case 'raise_counter':
        await stores.raiseCounter(store, argument, {
          after: BigInt(all[1]),
          period: all[2] ? BigInt(all[2]) : undefined,
        });
        return [];
      case 'raise_floor':
      case 'lower_floor':
        await stores.raiseFloor(store, { layout, timeMs: BigInt(argument), lower: operation === 'lower_floor' });
        return [];
      default:
        throw new Error(`there is no operation ${operation}`);
    }
  }

  async initCounter(store, all) {
    const pairs = all.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]);
    const names = pairs.filter(([name]) => name === 'name').map(([, value]) => value);
    const numbers = ['after', 'rate', 'burst', 'top', 'digits'];
    const options = pairs
      .filter(([name]) => name !== 'name')
      .map(([name, value]) => [name, numbers.includes(name) ? BigInt(value) : value]);
    await require('../stores/index.js').initCounter(store, names, Object.fromEntries(options));
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

  /** Ends the process as the signal always does, but gives the node id back first. */
  async stop(signal) {
    this.stopped = true;
    await require('../generator.js').endGenerator(this.generator);
    process.kill(process.pid, signal);
  }
}

/** Resolves to the exit code, or to undefined if a signal is about to end the process. */
async function main() {
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

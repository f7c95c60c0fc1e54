'use strict';
// Issues while every timer is one that never fires; prints the ids as JSON. Argument: whether they are replaced before or
// after the package is loaded.
const fs = require('node:fs');
const timers = require('node:timers');
const promises = require('node:timers/promises');

const { setTimeout } = globalThis;

function replaceTimers() {
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
    timers[name] = () => ({ ref() {}, unref() {} });
    globalThis[name] = timers[name];
    promises[name] = () => new Promise(() => {});
  }
  process.nextTick = () => {};
  globalThis.queueMicrotask = () => {};
  Date.now = () => 0;
}

if (process.argv[2] === 'before') replaceTimers();
const { Generator } = require('polyflake');
const watchdog = setTimeout(() => process.exit(1), 60_000);
if (process.argv[2] === 'after') replaceTimers();

(async () => {
  const layout = 'timestamp:40 worker:20 sequence:1 tick=20ms epoch=2020-01-01T00:00:00.000Z';
  const generator = new Generator({ layout, worker: 1, maxWaitMs: 1000 });
  const ids = [];
  while (generator.stats().waits < 5) ids.push(String(await generator.nextIdAsync()));
  fs.writeSync(1, JSON.stringify({ ids, waits: generator.stats().waits }));
  clearTimeout(watchdog);
})();

// Issues ids on a lease until it is told to end: lease.mjs ADDRESS LAYOUT FILE. Each id is in the file before the next is made.
import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { Generator } from 'polyflake';

const [address, layout, path] = process.argv.slice(2);
const generator = await Generator.open({ worker: address, layout });
const file = fs.openSync(path, 'w');
let untilMs = 0;
for (;;) {
  fs.writeSync(file, `${await generator.nextIdAsync()}\n`);
  if (generator.stats().untilMs !== untilMs) {
    untilMs = generator.stats().untilMs;
    fs.writeSync(1, `${generator.worker} ${untilMs}\n`); // node id, and where its window ends now
  }
  await pause(5);
}

// Many generators that take node ids and give them back; see crowd.py for the arguments and what the programs of all languages do.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pauseFor } from 'node:timers/promises';

const { Generator, PolyflakeError } = createRequire(import.meta.url)(process.env.POLYFLAKE_PACKAGE);
const [path, address, count, , mode] = process.argv.slice(2);
const atOnce = 20; // that open, where all are kept
const prefix = 'ERR_POLYFLAKE_';

const say = (line) => fs.writeSync(1, `${line}\n`);
const file = fs.openSync(path, 'r+');
let recorded = 0;
let end = false;
process.stdin.resume().on('end', () => {
  end = true;
});

function record(ids) {
  fs.writeSync(file, new Uint8Array(BigUint64Array.from(ids).buffer), 0, 8 * ids.length, 8 * (recorded + 1));
  recorded += ids.length;
  fs.writeSync(file, new Uint8Array(BigUint64Array.of(BigInt(recorded)).buffer), 0, 8, 0);
}

const opened = (number) => Generator.open({ worker: `${address}&acquire_timeout_ms=${60_000 + number}` });

function tell(error) {
  if (!(error instanceof PolyflakeError)) throw error;
  say(`error ${error.code.slice(prefix.length).toLowerCase()}\ntold ${error.message}`);
}

async function hold(number) {
  const generator = await opened(number);
  let line = 'moved';
  const issued = [];
  try {
    const node = generator.worker;
    const begunMs = Date.now();
    const over = performance.now() + 200 + Math.random() * 4800;
    issued.push(await generator.nextIdAsync());
    while (performance.now() < over && !end) {
      await pauseFor(100);
      for (let i = 0; i < 3; ++i) issued.push(await generator.nextIdAsync());
    }
    if (generator.worker === node) line = `held ${node} ${begunMs} ${Date.now()} ${issued[0]} ${issued.at(-1)}`;
  } finally {
    generator.close();
    record(issued);
  }
  say(line);
}

async function takeAndGiveBack(number) {
  while (!end) {
    await pauseFor(Math.random() * 1000);
    await hold(number).catch(tell);
  }
}

/** Every so many-th generator, until the end. */
async function keep(first) {
  const kept = [];
  for (let number = first; number < Number(count); number += atOnce) {
    try {
      kept.push(await opened(number));
      record([await kept.at(-1).nextIdAsync()]);
      say(`kept ${kept.at(-1).worker}`);
    } catch (error) {
      tell(error);
    }
  }
  while (!end) await pauseFor(20);
  for (const generator of kept) generator.close();
}

say('ready');
const [work, number] = mode === 'keep' ? [keep, atOnce] : [takeAndGiveBack, Number(count)];
await Promise.all(Array.from({ length: number }, (_, at) => work(at)));
say('done');

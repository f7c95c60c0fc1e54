// Issues ids until it is told to end; see issuers.py for the arguments and what the programs of all languages do.
import fs from 'node:fs';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { createRequire } from 'node:module';

const { Generator, PolyflakeError } = createRequire(import.meta.url)(process.env.POLYFLAKE_PACKAGE);
const [path, layout, worker, leadMs, seed, pauseMs] = process.argv.slice(2);
const prefix = 'ERR_POLYFLAKE_';

const say = (line) => fs.writeSync(1, `${line}\n`);

/** Ids behind a word that counts them; each write is in the file when it returns, and survives kill -9. */
class IdFile {
  constructor(file) {
    this.descriptor = fs.openSync(file, 'r+');
    this.words = fs.fstatSync(this.descriptor).size / 8;
    this.count = 0;
  }

  append(ids) {
    if (this.count + ids.length + 1 > this.words - 1) return false;
    fs.writeSync(this.descriptor, new Uint8Array(ids.buffer), 0, ids.byteLength, 8 * (this.count + 1));
    this.count += ids.length;
    fs.writeSync(this.descriptor, new Uint8Array(BigUint64Array.of(BigInt(this.count)).buffer), 0, 8, 0);
    return true;
  }
}

const file = new IdFile(path);
let generator = null;
let turn = Number(seed);
let failures = 0;
let end = false;
process.on('SIGTERM', () => {
  end = true;
});

function record(ids) {
  if (file.append(BigUint64Array.from(ids))) return;
  say('full');
  end = true;
}

async function open() {
  const begin = process.hrtime.bigint();
  generator = await Generator.open({ worker, layout, maxLeadMs: Number(leadMs) });
  record([0n]); // another generator begins
  const first = turn % 2 ? generator.nextId() : await generator.nextIdAsync();
  const passed = process.hrtime.bigint() - begin;
  record([first]);
  say(`first ${passed}`);
}

async function issueSingly() {
  const ids = [];
  try {
    for (let i = 0; i < 20; ++i) {
      const id =
        turn % 4 === 0 ? generator.nextId() : turn % 4 === 1 ? generator.tryNextId() : await generator.nextIdAsync();
      if (id !== null) ids.push(id);
    }
  } finally {
    record(ids);
  }
}

async function issueBatch() {
  ++turn;
  if (turn % 100 === 0) record(generator.nextIds(4000));
  else if (turn % 4 === 3) record(generator.nextIds(40));
  else await issueSingly();
}

async function run() {
  while (!end) {
    try {
      if (generator === null) await open();
      await issueBatch();
      failures = 0;
    } catch (error) {
      if (!(error instanceof PolyflakeError)) throw error;
      say(`error ${error.code.slice(prefix.length).toLowerCase()}`);
      say(`told ${error.message}`);
      if (++failures >= 5) {
        generator?.close();
        generator = null;
        failures = 0;
      }
      await pauseFor(20);
    }
    await pauseFor(Number(pauseMs));
  }
}

say('ready');
try {
  await run();
} catch (error) {
  say(`failure ${error.stack.replaceAll('\n', ' ')}`);
  process.exitCode = 1;
}

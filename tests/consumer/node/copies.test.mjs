// Two copies of the package in one process, as npm installs them for dependents that ask for different versions. They
// know nothing of each other's state: a node id that one holds is refused to the other, or they share it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { before, after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = path.resolve(fileURLToPath(new URL('.', import.meta.url)), '../../..');
let folder;

before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'polyflake-copies-'));
  for (const copy of ['one', 'two']) {
    fs.cpSync(path.join(root, 'node'), path.join(folder, copy, 'node'), { recursive: true });
    fs.copyFileSync(path.join(root, 'package.json'), path.join(folder, copy, 'package.json'));
  }
});
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `
  const [one, two] = ['./one', './two'].map((copy) => require(copy));
  const [workerOfOne, workerOfTwo] = JSON.parse(process.argv[1]);
  const first = new one.Generator({ worker: workerOfOne });
  let second;
  try {
    second = new two.Generator({ worker: workerOfTwo });
  } catch (error) {
    console.log(error.code);
    process.exit();
  }
  const ids = [], others = [];
  for (let turn = 0; turn < 2000; ++turn) {
    ids.push(...first.nextIds(10));
    others.push(...second.nextIds(10));
  }
  const known = new Set(ids);
  console.log(others.filter((id) => known.has(id)).length, 'of', ids.length + others.length, 'equal');
`;

/** The code with which the second copy is refused, else how many ids both issued. */
function secondOpening(...workers) {
  const env = { ...process.env, POLYFLAKE_HOME: fs.mkdtempSync(path.join(folder, 'registry-')) };
  const said = execFileSync(process.execPath, ['-e', PROGRAM, JSON.stringify(workers)], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return said.trim() === '0 of 40000 equal' ? 'ERR_POLYFLAKE_WORKER_IN_USE' : said.trim(); // sharing it is as good
}

for (const workers of [
  [3, 3],
  ['host:0', 0],
  [0, 'host:0'],
  [0, 'host'],
]) {
  test(`worker ${workers[1]} of a copy beside worker ${workers[0]} of another one is refused or repeats nothing`, () => {
    assert.equal(secondOpening(...workers), 'ERR_POLYFLAKE_WORKER_IN_USE');
  });
}

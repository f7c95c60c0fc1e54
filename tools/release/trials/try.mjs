// Issues ids from the host registry and from a number, is refused once, and starts another process: none is issued twice.
//     node try.mjs <command that runs node>
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Generator, version } from 'polyflake';

const COUNT = 20_000;

function issued(generator) {
  const ids = Array.from({ length: COUNT }, () => generator.nextId());
  for (let i = 1; i < ids.length; i++) assert.ok(ids[i - 1] < ids[i], 'the ids are not in order');
  return ids;
}

const host = new Generator({ worker: 'host' });
const [program, ...words] = process.argv.slice(2);
if (program === undefined) {
  process.send(host.nextIds(1000).reduce((all, id) => [...all, String(id)], []));
} else {
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
  const child = spawn(program, [...words, fileURLToPath(import.meta.url)], { stdio });
  const said = await new Promise((resolve) => child.once('message', resolve));
  const ids = [...issued(host), ...said.map(BigInt), host.nextId()];
  assert.equal(new Set(ids).size, COUNT + 1001, 'an id was issued twice');
  issued(new Generator({ worker: 7 }));
  assert.throws(() => new Generator({ worker: 2000 }), { code: 'ERR_POLYFLAKE_FIELD_OUT_OF_RANGE' });
  process.stdout.write(`node ${process.versions.node}: ${2 * COUNT} ids, polyflake ${version}\n`);
}

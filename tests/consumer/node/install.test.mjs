// Installs the tarball as a user does: into an empty project, without a compiler, without install scripts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = path.resolve(here, '../../..');

/** The npm that belongs to the shell's PATH, as a script for node. */
function npmScript() {
  for (const folder of process.env.PATH.split(path.delimiter)) {
    const file = path.join(folder, 'npm');
    if (fs.existsSync(file)) return fs.realpathSync(file);
  }
  throw new Error('npm is not on the PATH');
}

test('the packed tarball installs and works without a compiler', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'polyflake-consumer-'));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const npm = npmScript();
  const packed = execFileSync(process.execPath, [npm, 'pack', '--json', '--pack-destination', folder], { cwd: root });
  const [{ filename }] = JSON.parse(packed);

  const bin = path.join(folder, 'bin');
  fs.mkdirSync(bin);
  fs.symlinkSync(process.execPath, path.join(bin, 'node'));
  const env = { ...process.env, PATH: bin, POLYFLAKE_HOME: path.join(folder, 'registry') };
  const run = (...programArguments) =>
    execFileSync(process.execPath, programArguments, { cwd: folder, env, encoding: 'utf8' });

  fs.writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
  run(npm, 'install', `./${filename}`, '--ignore-scripts', '--offline', '--no-audit', '--no-fund');
  for (const script of ['use.cjs', 'use.mjs']) {
    fs.copyFileSync(path.join(here, script), path.join(folder, script));
    const issued = Date.parse(run(script).trim());
    assert.ok(Math.abs(issued - Date.now()) < 60_000, script);
  }
  assert.deepEqual(
    fs.readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['polyflake'],
  );
});

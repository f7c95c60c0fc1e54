// The package as such: both module systems, types, the loader, what is in the tarball.
import './registry.mjs';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import * as esm from 'polyflake';
import ts from 'typescript';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));

test('import and require give the same objects', () => {
  const cjs = require('polyflake');
  assert.deepEqual(Object.keys(esm).sort(), Object.keys(cjs).sort());
  for (const name of Object.keys(cjs)) assert.equal(esm[name], cjs[name]);
});

test('leases, and opening by name, are loaded when they are asked for', () => {
  const program = `
    const polyflake = require('polyflake');
    const loaded = () => Object.keys(require.cache).map((file) => require('node:path').basename(file));
    const before = loaded();
    polyflake.open;
    console.log(JSON.stringify([before, loaded()]));`;
  const out = execFileSync(process.execPath, ['-e', program], { cwd: root, encoding: 'utf8' });
  const [before, after] = JSON.parse(out);
  assert.ok(before.includes('generator.js'));
  for (const file of ['kinds.js', 'lease.js']) assert.ok(!before.includes(file), file);
  assert.ok(after.includes('kinds.js') && !after.includes('lease.js'));
});

test('the package loaded twice issues from one state', () => {
  const options = { worker: 30, layout: 'game' };
  const before = new esm.Generator(options).nextId();
  for (const file of Object.keys(require.cache)) delete require.cache[file];
  const again = require('polyflake');
  assert.notEqual(again.Generator, esm.Generator);
  assert.equal(new again.Generator(options).nextId(), before + 1n);
  assert.throws(() => again.decode(5), again.PolyflakeError);
  assert.equal(new esm.Generator(options).nextId(), before + 2n);
});

test('two copies of the package in one process never issue the same id', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'polyflake-copy-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  fs.cpSync(path.join(root, 'node'), folder, { recursive: true });
  const copy = require(path.join(folder, 'index.js'));
  for (const worker of [31, 'host:32']) {
    const ours = new esm.Generator({ worker });
    assert.throws(
      () => new copy.Generator({ worker }),
      (error) => {
        assert.ok(error instanceof copy.PolyflakeError && error instanceof esm.PolyflakeError);
        assert.equal(error.code, 'ERR_POLYFLAKE_WORKER_IN_USE');
        return true;
      },
    );
    assert.ok(ours.nextId() > 0n, 'the first one goes on');
  }
  const workers = [esm, copy].map(({ Generator }) => new Generator({ worker: 'host' }).worker);
  assert.notEqual(workers[0], workers[1]);
});

test('package.json has the version of the core', () => {
  assert.equal(esm.version, manifest.version);
});

test('nothing runs at installation and nothing is required at run time', () => {
  assert.deepEqual(Object.keys(manifest.scripts).sort(), ['test', 'types']);
  for (const kind of ['dependencies', 'optionalDependencies', 'bundleDependencies', 'gypfile']) {
    assert.equal(manifest[kind], undefined);
  }
  const clients = Object.keys(manifest.peerDependencies);
  for (const name of clients) assert.equal(manifest.peerDependenciesMeta[name].optional, true, name);
  for (const [name, version] of Object.entries(manifest.devDependencies))
    assert.match(version, /^\d+\.\d+\.\d+$/, name);
});

test('the tarball holds the package and nothing else', () => {
  const [{ files }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: root, stdio: 'pipe' }));
  const sources = ['node', 'node/bin', 'node/stores'].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder))
      .filter((name) => /\.(m?js|d\.m?ts)$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const expected = ['package.json', ...sources];
  const names = files.map(({ path: name }) => name);
  for (const name of expected) assert.ok(names.includes(name), `${name} is missing`);
  const others = names.filter((name) => !expected.includes(name));
  for (const name of others)
    assert.match(name, /^(README\.md|LICENSE|NOTICE|node\/prebuilds\/[a-z0-9-]+\/polyflake\.node)$/);
  assert.ok(
    others.some((name) => name.endsWith('/polyflake.node')),
    'no addon in the tarball',
  );
});

test('a missing addon is an error that lists what was tried and what there is', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'polyflake-loader-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  for (const name of fs.readdirSync(path.join(root, 'node'))) {
    if (name.endsWith('.js')) fs.copyFileSync(path.join(root, 'node', name), path.join(folder, name));
  }
  const { folder: nameOf } = require(path.join(root, 'node/addon.js'));
  const refused = (...parts) =>
    assert.throws(
      () => require(path.join(folder, 'index.js')),
      (error) => {
        assert.equal(error.code, 'ERR_DLOPEN_FAILED');
        assert.ok(error.cause instanceof Error);
        for (const part of [nameOf(), process.version, ...parts])
          assert.ok(error.message.includes(part), error.message);
        return true;
      },
    );
  refused('Prebuilt in this package: none', 'Cannot find module');
  fs.mkdirSync(path.join(folder, 'prebuilds', 'plan9-vax'), { recursive: true });
  refused('Prebuilt in this package: plan9-vax');
  const broken = path.join(folder, 'prebuilds', nameOf(), 'polyflake.node');
  fs.mkdirSync(path.dirname(broken), { recursive: true });
  fs.writeFileSync(broken, 'not an addon');
  refused(broken, 'file too short');
});

test('an addon that is missing since the package was bundled is an error that knows bundlers', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'polyflake-bundle-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  fs.copyFileSync(path.join(root, 'node/addon.js'), path.join(folder, 'main.js'));
  assert.throws(
    () => require(path.join(folder, 'main.js')).load(),
    (error) => {
      assert.equal(error.code, 'ERR_DLOPEN_FAILED');
      const parts = [
        folder,
        'bundled',
        'external',
        '--external:polyflake',
        "externals: [/^polyflake(\\/|$)/], externalsType: 'node-commonjs'",
        "serverExternalPackages: ['polyflake']",
      ];
      for (const part of parts) assert.ok(error.message.includes(part), `${error.message} lacks ${part}`);
      return true;
    },
  );
});

test('a bundle of ES modules, which has no require() for modules of Node, is told about bundlers first', () => {
  const code = fs.readFileSync(path.join(root, 'node/addon.js'), 'utf8');
  const inBundle = new Function('require', 'module', code); // it has no __dirname
  const cause = new Error('Dynamic require of "node:fs" is not supported');
  const unable = () => {
    throw cause;
  };
  assert.throws(
    () => inBundle(unable, {}),
    (error) => error.cause === cause && /was bundled.*external/.test(error.message),
  );
  const index = fs.readFileSync(path.join(root, 'node/index.js'), 'utf8');
  assert.match(index, /^'use strict';\n(\/\/.*\n|\n)*const native = require\('\.\/native\.js'\);/, 'before all others');
});

test('errors of a load of the package are instances of the class of another load', () => {
  const program = `
    const first = require('polyflake');
    for (const file of Object.keys(require.cache)) if (!file.endsWith('.node')) delete require.cache[file];
    const second = require('polyflake'); // as after jest.resetModules()
    class Mine extends second.PolyflakeError {}
    const found = [first === second];
    for (const { decode } of [first, second]) {
      try {
        decode('x');
      } catch (error) {
        const kinds = [first.PolyflakeError, second.PolyflakeError, Mine, TypeError, Error];
        found.push(kinds.map((kind) => error instanceof kind));
      }
    }
    for (const other of [null, undefined, 1, new Error('x'), {}]) found.push(other instanceof second.PolyflakeError);
    console.log(JSON.stringify(found));`;
  const out = execFileSync(process.execPath, ['-e', program], { cwd: root, encoding: 'utf8' });
  const kinds = [true, true, false, false, true];
  assert.deepEqual(JSON.parse(out), [false, kinds, kinds, false, false, false, false, false]);
});

test('package.json leads to the repository, and everything it names is there', () => {
  const home = 'https://github.com/polyflake/polyflake';
  assert.equal(manifest.repository.url, `git+${home}.git`);
  assert.equal(manifest.homepage, `${home}#readme`);
  assert.equal(manifest.bugs, `${home}/issues`);
  const entries = Object.values(manifest.exports).filter((entry) => typeof entry === 'object');
  const ofEntries = entries.flatMap((entry) => [...Object.values(entry.import), ...Object.values(entry.require)]);
  const named = [manifest.main, manifest.types, ...ofEntries];
  for (const file of named) assert.ok(fs.existsSync(path.join(root, file)), file);
});

test('the types accept correct use and refuse misuse', () => {
  const tsc = require.resolve('typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '--project', 'tests/node/types'], { cwd: root });
  assert.equal(status, 0, String(stdout));
});

const source = ts.createSourceFile(
  'index.d.ts',
  fs.readFileSync(path.join(root, 'node/index.d.ts'), 'utf8'),
  ts.ScriptTarget.Latest,
  true,
);

/** Names of the public members that a class of index.d.ts declares. */
function declaredMembers(declaration) {
  const named = declaration.members.filter(({ name }) => name !== undefined);
  const isStatic = ({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
  const names = (members) => members.map(({ name }) => name.getText()).sort();
  return { statics: names(named.filter(isStatic)), members: names(named.filter((member) => !isStatic(member))) };
}

/** That of a class and those it extends, but for what JavaScript and Node bring. */
function prototypesOf(Class) {
  const prototypes = [];
  for (
    let one = Class.prototype;
    ![Object.prototype, Error.prototype].includes(one);
    one = Object.getPrototypeOf(one)
  ) {
    prototypes.push(one);
  }
  return prototypes;
}

const sealKey = Uint8Array.from({ length: 32 }, (_, i) => i);

/** Of classes whose instances have properties of their own. */
const instances = {
  Codec: () => new esm.Codec('hex'),
  DateNumbers: () => new esm.DateNumbers(),
  Hashids: () => new esm.Hashids(),
  Layout: () => new esm.Layout('polyflake'),
  Seal: () => new esm.Seal(sealKey),
  SealRing: () => new esm.SealRing([new esm.Seal(sealKey)]),
  PolyflakeError: () => ({ code: '', kind: '', position: 0 }),
  Sqids: () => new esm.Sqids(),
};

test('index.d.ts declares what the package exports, member by member', () => {
  const classes = source.statements.filter(ts.isClassDeclaration);
  const functions = new Set(source.statements.filter(ts.isFunctionDeclaration).map(({ name }) => name.text));
  const variables = source.statements.filter(ts.isVariableStatement);
  const constants = variables.flatMap(({ declarationList }) =>
    declarationList.declarations.map(({ name }) => name.text),
  );
  assert.deepEqual(
    [...classes.map(({ name }) => name.text), ...functions, ...constants].sort(),
    Object.keys(esm).sort(),
  );
  const builtIn = ['constructor', 'length', 'name', 'prototype'];
  const own = (object) => Object.getOwnPropertyNames(object).filter((name) => !builtIn.includes(name));
  for (const declaration of classes) {
    const Class = esm[declaration.name.text];
    const instance = instances[declaration.name.text]?.() ?? {};
    const prototypes = prototypesOf(Class);
    const symbols = prototypes
      .flatMap(Object.getOwnPropertySymbols)
      .filter((symbol) => symbol !== inspect.custom && symbol !== Symbol.for('polyflake.PolyflakeError')) // not for users
      .map((symbol) => `[Symbol.${symbol.description.split('.').at(-1)}]`);
    const { statics, members } = declaredMembers(declaration);
    const named = prototypes.flatMap(own);
    const runtime = [...new Set(named), ...Object.getOwnPropertyNames(instance), ...symbols].sort();
    const missing = ['dispose', 'asyncDispose'].filter((name) => !Symbol[name]).map((name) => `[Symbol.${name}]`);
    const expected = members.filter((name) => !missing.includes(name));
    assert.deepEqual(runtime, expected, declaration.name.text);
    assert.deepEqual(own(Class), statics, declaration.name.text);
  }
});

/** The strings of a union that index.d.ts declares. */
function declaredStrings(name) {
  const union = source.statements.find((s) => ts.isTypeAliasDeclaration(s) && s.name.text === name);
  return union.type.types.map(({ literal }) => literal.text);
}

test('index.d.ts lists the codes and kinds of the core, and errors have them', () => {
  const kinds = require('../../node/native.js').errorKinds();
  const codes = Object.keys(kinds).map((code) => `ERR_POLYFLAKE_${code.toUpperCase()}`);
  assert.deepEqual(declaredStrings('PolyflakeErrorCode'), codes);
  assert.deepEqual(declaredStrings('PolyflakeErrorKind'), [...new Set(Object.values(kinds))]);
  for (const [code, kind] of Object.entries(kinds)) assert.equal(new esm.PolyflakeError(code, '').kind, kind);
  assert.equal(new esm.PolyflakeError('out_of_memory', '').kind, undefined);
});

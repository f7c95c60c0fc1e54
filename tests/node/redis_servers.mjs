// Servers of Redis that one test alone has: behind a sentinel, as a cluster, with TLS. They end with it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const START_MS = 10_000;

/** Fails the test if `holds` does not come true within so many ms. */
export async function eventually(holds, ms = START_MS) {
  for (const end = performance.now() + ms; !(await holds());) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function freePort() {
  const socket = net.createServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}

async function answers(port) {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export class RedisServers {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'polyflake-redis-'));
  #children = [];

  constructor() {
    process.once('exit', () => this.#kill());
  }

  /** Starts one with these settings, { name: value }; resolves to its port. */
  async start(settings = {}, { mode = [], conf } = {}) {
    const port = await freePort();
    const all = Object.entries({ port, dir: this.folder, save: '', ...settings });
    const words = all.flatMap(([name, value]) => [`--${name}`, ...String(value).split(' ')]);
    if (conf !== undefined) fs.writeFileSync(path.join(this.folder, `${port}.conf`), conf);
    const file = conf === undefined ? [] : [path.join(this.folder, `${port}.conf`)];
    this.#children.push(spawn('redis-server', [...file, ...words, ...mode], { stdio: 'ignore' }));
    await eventually(() => answers(settings['tls-port'] ?? port));
    return port;
  }

  /** A sentinel of its own for the primary at this port, which it knows as `main`. */
  startSentinel(primary, password) {
    const conf = [
      `sentinel monitor main 127.0.0.1 ${primary} 1`,
      'sentinel down-after-milliseconds main 500',
      'sentinel failover-timeout main 3000',
      `sentinel auth-pass main ${password}`,
    ];
    return this.start({}, { mode: ['--sentinel'], conf: conf.join('\n') });
  }

  #kill() {
    for (const child of this.#children) child.kill('SIGKILL');
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  async end() {
    const ends = this.#children.map((child) => child.exitCode === null && once(child, 'exit'));
    this.#kill();
    await Promise.all(ends);
  }
}

/** An authority that nobody knows, and what a server needs that it has signed: files in the folder. */
export function makeCertificates(folder, host) {
  const file = (name) => path.join(folder, name);
  const openssl = (...words) => execFileSync('openssl', words, { stdio: 'pipe' });
  const newKey = (name) => ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file(name)];
  openssl('req', '-x509', ...newKey('ca.key'), '-out', file('ca.crt'), '-subj', '/CN=a CA of tests', '-days', '2');
  openssl('req', ...newKey('server.key'), '-out', file('server.csr'), '-subj', '/CN=server');
  fs.writeFileSync(file('server.ext'), `subjectAltName=${host}\n`);
  const signed = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '2'];
  openssl(
    'x509',
    '-req',
    '-in',
    file('server.csr'),
    ...signed,
    '-extfile',
    file('server.ext'),
    '-out',
    file('server.crt'),
  );
  return { ca: file('ca.crt'), certificate: file('server.crt'), key: file('server.key') };
}

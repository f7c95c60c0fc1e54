// Servers that one test alone has, set up in its own way: they end with it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { eventually } from './patience.mjs';
import { control } from './stores.mjs';

/** Resolves to a port that no other test takes. */
export const freePort = () => control('port');

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

export class OwnServers {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'polyflake-servers-'));
  #children = [];

  constructor() {
    process.once('exit', () => this.#kill());
  }

  async #start(port, command, ...words) {
    this.#children.push(spawn(command, words, { stdio: 'ignore' }));
    await eventually(() => answers(port));
  }

  /** A Redis with these settings, { name: value }; resolves to its port. */
  async startRedis(settings = {}, words = []) {
    const port = settings['tls-port'] ?? (await freePort());
    const all = Object.entries({ port, dir: this.folder, save: '', ...settings });
    const options = all.flatMap(([name, value]) => [`--${name}`, ...String(value).split(' ')]);
    await this.#start(port, 'redis-server', ...words, ...options);
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
    const file = path.join(this.folder, 'sentinel.conf');
    fs.writeFileSync(file, conf.join('\n'));
    return this.startRedis({}, [file, '--sentinel']);
  }

  /** An etcd that asks for the password of `root`; resolves to its port. */
  async startEtcd(password) {
    const [port, peer] = [await freePort(), await freePort()];
    const url = (at) => `http://127.0.0.1:${at}`;
    const settings = {
      name: 'one',
      'data-dir': path.join(this.folder, 'etcd'),
      'listen-client-urls': url(port),
      'advertise-client-urls': url(port),
      'listen-peer-urls': url(peer),
      'initial-advertise-peer-urls': url(peer),
      'initial-cluster': `one=${url(peer)}`,
    };
    await this.#start(port, 'etcd', ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`));
    const ask = async (what, body) => {
      const response = await fetch(`${url(port)}/v3/auth/${what}`, { method: 'POST', body: JSON.stringify(body) });
      return response.ok;
    };
    await eventually(() => ask('user/add', { name: 'root', password }));
    await ask('role/add', { name: 'root' });
    await ask('user/grant', { user: 'root', role: 'root' });
    await ask('enable', {});
    return port;
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

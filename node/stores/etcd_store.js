'use strict';
// Leases in etcd 3.4 or later, over fetch and etcd's JSON gateway.

const check = require('../check.js');
const { PolyflakeError, described } = require('../error.js');
const { Address, Store } = require('./store.js');

const TARGETS = { create: ['CREATE', 'create_revision'], value: ['VALUE', 'value'] };

const LONGEST = 4 << 20; // bytes of a reply

const encoded = (text) => Buffer.from(text).toString('base64');
const decoded = (text = '') => Buffer.from(text, 'base64').toString();

/** Returns the parts of a command as a request to /v3/kv/txn. */
function transactionOf(parts) {
  const compare = [];
  const puts = [];
  const gets = [];
  for (const [what, key, ...rest] of parts) {
    if (what === 'keys')
      gets.push({ request_range: { key: encoded(key), range_end: encoded(rest[0]), keys_only: true } });
    if (what === 'get') gets.push({ request_range: { key: encoded(key) } });
    if (what === 'put') puts.push({ request_put: { key: encoded(key), value: encoded(rest[0]) } });
    if (what === 'compare') {
      const [target, field] = TARGETS[rest[0]];
      const operand = target === 'VALUE' ? encoded(rest[1]) : rest[1];
      compare.push({ key: encoded(key), target, result: 'EQUAL', [field]: operand });
    }
  }
  return { compare, success: [...puts, ...gets], failure: gets };
}

const rowOf = ({ kvs: [kv] = [] }) => (kv === undefined ? [] : [decoded(kv.value), String(kv.create_revision)]);
const keysOf = ({ kvs = [] }) => kvs.map(({ key }) => decoded(key));

/** Returns the reply of a transaction as rows. date: of the server, to the second. */
function rowsOf({ header, succeeded = false, responses = [] }, date, parts) {
  const asked = parts.map(([what]) => what).filter((what) => what === 'get' || what === 'keys');
  const ranges = responses.map(({ response_range }) => response_range).filter((range) => range !== undefined);
  const rows = ranges.map((range, i) => (asked[i] === 'keys' ? keysOf(range) : rowOf(range)));
  const ms = Date.parse(date);
  const clock = Number.isFinite(ms) && ms >= 0 ? String(ms) : null;
  return [[succeeded ? 'ok' : 'refused', String(header.cluster_id), String(header.revision), clock], ...rows];
}

/** Returns the body, limited to many times a hundred records. A custom fetch may have no stream. */
async function textOf(response) {
  if (typeof response.body?.getReader !== 'function') return await response.text();
  const reader = response.body.getReader();
  const pieces = [];
  let left = LONGEST;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    left -= piece.value.length;
    if (left < 0) {
      reader.cancel().catch(() => {});
      throw Object.assign(new Error('endless'), { code: 'an endless reply' });
    }
    pieces.push(piece.value);
  }
  return Buffer.concat(pieces).toString();
}

class Connection {
  lost = false;
  #endpoint;
  #client;
  #token;
  #ending = new AbortController();

  constructor(endpoint, client) {
    this.#endpoint = endpoint;
    this.#client = client;
  }

  async open() {
    const { username: name, password } = this.#client;
    if (name === undefined) return;
    const { reply } = await this.#post('/v3/auth/authenticate', { name, password });
    this.#token = reply.token;
  }

  async run(name, parts) {
    const { reply, date } = await this.#post('/v3/kv/txn', transactionOf(parts));
    return rowsOf(reply, date, parts);
  }

  async #post(path, body) {
    const headers = { 'content-type': 'application/json', ...this.#client.headers };
    if (this.#token !== undefined) headers.authorization = this.#token;
    const fetch = this.#client.fetch ?? globalThis.fetch;
    const response = await fetch(this.#endpoint + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      redirect: 'error',
      signal: this.#ending.signal,
    });
    const reply = await textOf(response);
    if (!response.ok)
      throw Object.assign(new Error('refused'), { code: `HTTP ${response.status}`, status: response.status });
    return { reply: JSON.parse(reply), date: response.headers?.get('date') };
  }

  close() {
    this.#ending.abort();
  }
}

const CLIENT = ['endpoints', 'username', 'password', 'headers', 'fetch'];

/** Returns the checked client, with endpoints as an array without trailing slashes. */
function clientOf(given) {
  const client = typeof given === 'string' || Array.isArray(given) ? { endpoints: given } : given;
  const { endpoints, fetch } = check.options(client, CLIENT, 'the client of an EtcdStore');
  const all = Array.isArray(endpoints) ? endpoints : [endpoints];
  if (all.length === 0 || !all.every((one) => typeof one === 'string' && /^https?:\/\/[^/@]+\/*$/.test(one))) {
    throw new PolyflakeError('option_invalid', 'endpoints are one or more of http://host:port or https://host:port');
  }
  if (fetch !== undefined && typeof fetch !== 'function') {
    throw new PolyflakeError('option_invalid', `fetch must be a function, got ${described(fetch)}`);
  }
  return { ...client, endpoints: all.map((one) => one.replace(/\/+$/, '')) };
}

/** Reads etcd[s]://[user:password@]host:port,host:port */
function clientAt(url) {
  if (url.includes('?')) {
    throw new PolyflakeError('option_invalid', 'files of TLS are for Python: give a client whose fetch has them');
  }
  const [, scheme, authority] = /^(etcds?):\/\/([^/?]*)/.exec(url);
  const at = authority.lastIndexOf('@');
  const [username, password] = authority.slice(0, Math.max(at, 0)).split(/:(.*)/s).map(decodeURIComponent);
  const endpoints = authority
    .slice(at + 1)
    .split(',')
    .map((host) => `${scheme === 'etcds' ? 'https' : 'http'}://${/:\d+$/.test(host) ? host : `${host}:2379`}`);
  return clientOf(username === '' ? { endpoints } : { endpoints, username, password });
}

class EtcdStore extends Store {
  #client;
  #next = 0;

  constructor(client, options) {
    const checked = options instanceof Address ? clientAt(client) : clientOf(client);
    super('etcd', checked.endpoints.join(','), options);
    this.#client = checked;
  }

  /** Returns the status of HTTP. */
  codeOf(error) {
    return error?.status;
  }

  /** Returns a connection to the endpoint after the last one, which may have failed. */
  connection() {
    const { endpoints } = this.#client;
    return new Connection(endpoints[this.#next++ % endpoints.length], this.#client);
  }
}

module.exports = { EtcdStore };

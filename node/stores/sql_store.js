'use strict';
// Leases in PostgreSQL, over `pg`, and in MySQL or MariaDB, over `mysql2`.

const check = require('../check.js');
const { PolyflakeError, described } = require('../error.js');
const native = require('../native.js');
const { Address, Store, clientPackage } = require('./store.js');

const asText = { getTypeParser: () => (value) => value };

/** The functions for a connection of one client. */
const postgresql = {
  kind: 'postgresql',
  unref: (client) => client.unref(),
  connect: (client) => client.connect(),
  async query(client, text, values) {
    const { rows } = await client.query({ text, values, rowMode: 'array', types: asText });
    return rows;
  },
  /** Several statements in one message are one transaction. */
  async transaction(client, text) {
    const warnings = [];
    const warn = (warning) => warnings.push(warning);
    client.on('notice', warn);
    try {
      const results = await client.query({ text, rowMode: 'array', types: asText });
      if (warnings.length > 0) throw warnings[0];
      return results.at(-1).rows;
    } finally {
      client.off('notice', warn);
    }
  },
  close(client) {
    client.end().catch(() => {});
    client.connection.stream.destroy();
  },
};

const mysql = {
  kind: 'mysql',
  unref: (client) => client.stream.unref?.(),
  connect: (client) => new Promise((resolve, reject) => client.ping((error) => (error ? reject(error) : resolve()))),
  async query(client, sql, values) {
    // Prepared, so that the server never parses values; not kept, as the texts differ each time.
    const prepared = values.length > 0;
    const rows = await new Promise((resolve, reject) => {
      const done = (error, found) => (error ? reject(error) : resolve(found));
      if (prepared) client.execute({ sql, values, rowsAsArray: true }, done);
      else client.query({ sql, rowsAsArray: true }, done);
    });
    if (prepared) client.unprepare(sql);
    return Array.isArray(rows) ? rows : [];
  },
  /** Returns the insert id of the last statement; mysql2 has those that no number holds as text. */
  async insert(client, statements) {
    let last;
    for (const sql of statements) {
      last = await new Promise((resolve, reject) => {
        client.query(sql, (error, result) => (error ? reject(error) : resolve(result)));
      });
    }
    return last.insertId;
  },
  close: (client) => client.destroy(),
};

function textOf(value) {
  return value === null || value === undefined ? null : String(value);
}

class Connection {
  lost = false;
  #source;
  #client;
  #closed = false;

  constructor(source) {
    this.#source = source;
  }

  async open(setup) {
    const { dialect, make, connected } = this.#source;
    const client = await make();
    this.#client = client;
    const lose = () => {
      this.lost = true;
    };
    client.on('error', lose);
    client.on('end', lose);
    // The connection was given up while it was made.
    if (this.#closed) this.close();
    dialect.unref(client);
    if (!connected) await dialect.connect(client);
    dialect.unref(client); // TLS has replaced the stream
    for (const sql of setup) await dialect.query(client, sql, []);
  }

  async run(name, parts) {
    const { dialect } = this.#source;
    let rows = [];
    if (name === 'insert') return [[textOf(await dialect.insert(this.#client, parts.flat()))]];
    if (name === 'transaction') rows = await dialect.transaction(this.#client, parts[0][0]);
    else for (const [sql, ...values] of parts) rows = await dialect.query(this.#client, sql, values);
    return rows.map((row) => row.map(textOf));
  }

  close() {
    this.#closed = true;
    if (this.#client !== undefined) this.#source.dialect.close(this.#client);
  }
}

/** Returns one connection of the pool and never gives it back: its session is set up for leases. */
function fromPool(pool) {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, client) => (error ? reject(error) : resolve(client)));
  });
}

/** Returns a new client with the settings of this one. */
function another(client) {
  const { connectionParameters, password, ssl } = client;
  return new client.constructor({ ...connectionParameters, password, ssl });
}

const DIALECTS = { postgresql, mysql };

/** Returns the object that one of mysql2/promise wraps. */
function unwrapped(client, name) {
  return typeof client?.promise === 'function' ? client : (client?.[name] ?? client);
}

function sourceOfFactory(factory, kind) {
  if (!Object.hasOwn(DIALECTS, kind ?? '')) {
    throw new PolyflakeError('option_invalid', `a function that connects needs kind: 'postgresql' or 'mysql'`);
  }
  const make = kind === 'mysql' ? async () => unwrapped(await factory(), 'connection') : factory;
  return { dialect: DIALECTS[kind], make, connected: true };
}

/** Returns { dialect, make, connected }: how to make connections from the argument of a user. */
function sourceOf(client, kind) {
  if (typeof client === 'function') return sourceOfFactory(client, kind);
  if (kind !== undefined) throw new PolyflakeError('option_invalid', 'kind is for a function that connects');
  const pool = unwrapped(client, 'pool');
  if (typeof pool?.getConnection === 'function') return { dialect: mysql, make: () => fromPool(pool) };
  if (typeof client?.Client === 'function' && typeof client.options === 'object') {
    return { dialect: postgresql, make: () => new client.Client(client.options) };
  }
  if (client?.connectionParameters !== undefined) return { dialect: postgresql, make: () => another(client) };
  throw new PolyflakeError(
    'option_invalid',
    `a Pool or Client of pg, a pool of mysql2 or a function that connects is needed, got ${described(client)}`,
  );
}

function sourceAt(url, kind) {
  if (kind === 'postgresql') {
    const { client: pg } = clientPackage('PostgreSQL', 'pg');
    return { dialect: postgresql, make: () => new pg.Client({ connectionString: url }) };
  }
  const { client: mysql2 } = clientPackage('MySQL and MariaDB', 'mysql2');
  const options = mysqlOptions(url);
  return { dialect: mysql, make: () => mysql2.createConnection(options) };
}

/** Returns the source of the connections of a ticket server. */
function ticketSourceOf(client) {
  const source = sourceOf(client, typeof client === 'function' ? 'mysql' : undefined);
  if (source.dialect === mysql) return source;
  throw new PolyflakeError('option_invalid', 'ticket servers are MySQL or MariaDB, and this is a client of another');
}

const TLS = ['ssl', 'sslmode', 'ssl-mode'];
const NO_TLS = ['0', 'false', 'disable', 'disabled'];

/**
 * Reads mysql://...?ssl-mode=required&ssl-ca=file and verifies host names; mysql2 would not. Errors: option_invalid.
 */
function mysqlOptions(text) {
  const url = new URL(text);
  const modes = TLS.map((name) => url.searchParams.get(name)).filter((mode) => mode !== null);
  const ca = url.searchParams.get('ssl-ca');
  for (const name of [...TLS, 'ssl-ca']) url.searchParams.delete(name);
  const options = { uri: url.href };
  if (ca === null && modes.every((mode) => NO_TLS.includes(mode.toLowerCase()))) return options;
  options.ssl = { verifyIdentity: true };
  if (ca !== null) options.ssl.ca = authorityIn(ca);
  return options;
}

function authorityIn(file) {
  try {
    return require('node:fs').readFileSync(file);
  } catch (error) {
    throw new PolyflakeError('option_invalid', `ssl-ca of mysql:// is not a file that can be read: ${error.code}`);
  }
}

class SqlStore extends Store {
  #source;

  constructor(client, options) {
    if (options instanceof Address) {
      super(options.kind, '', options);
      this.#source = typeof client === 'string' ? sourceAt(client, options.kind) : ticketSourceOf(client);
      return;
    }
    const { kind, schema, ...others } = options ?? {};
    const source = sourceOf(client, kind);
    super(source.dialect.kind, source.dialect.kind, others);
    if (schema !== undefined) native.setAddress(this.address, 'schema', check.text(schema, 'schema', 'option_invalid'));
    this.#source = source;
  }

  connection() {
    return new Connection(this.#source);
  }

  /** Returns an SQLSTATE of PostgreSQL, or an error number of MySQL. */
  codeOf(error) {
    return error?.errno > 0 ? error.errno : error?.code;
  }
}

module.exports = { SqlStore };

// Two MariaDB servers of one test file, with tables of ticket servers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { HANG_MS } from './patience.mjs';
import { control } from './stores.mjs';

const mysql = createRequire(import.meta.url)('mysql2/promise');
const run = fileURLToPath(new URL('../servers/run', import.meta.url));

export const PATIENT = { timeoutMs: HANG_MS };
const COLUMNS =
  "(id bigint(20) unsigned NOT NULL auto_increment, stub char(1) NOT NULL default '', " +
  'PRIMARY KEY (id), UNIQUE KEY stub (stub)) ENGINE = InnoDB';
const NAMES = ['mariadb', 'mariadb2'];

/** Servers of their own: addresses in `store`, { kill, start, pause, resume } by index, end(). */
export class TicketServers {
  store;
  #program;
  #tables = 0;

  async start() {
    this.#program = spawn('python3', [run, 'mariadb', 'mariadb'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: this.#program.stdout })[Symbol.asyncIterator]();
    const variables = {};
    while (Object.keys(variables).length < 3) {
      const [name, value] = (await lines.next()).value.split(/=(.*)/);
      variables[name] = value;
    }
    process.env.POLYFLAKE_TEST_CONTROL = variables.POLYFLAKE_TEST_CONTROL;
    this.store = [variables.POLYFLAKE_TEST_MYSQL, variables.POLYFLAKE_TEST_MYSQL2];
    return this;
  }

  /** Has a server, 0 or 1, do something: 'kill', 'start', 'pause', 'resume'. */
  tell(verb, server) {
    return control(`${verb} ${NAMES[server]}`);
  }

  async ask(server, sql) {
    const client = await mysql.createConnection(this.store[server]);
    const [rows] = await client.query(sql);
    await client.end();
    return rows;
  }

  /** The name of a new table, empty on both servers. */
  async table() {
    this.#tables += 1;
    const name = `Tickets_${this.#tables}`;
    for (const server of [0, 1]) await this.ask(server, `CREATE TABLE ${name} ${COLUMNS}`);
    return name;
  }

  async end() {
    this.#program.stdin.end();
    if (this.#program.exitCode === null) await once(this.#program, 'exit');
  }
}

export const takerPath = path.join(path.dirname(fileURLToPath(import.meta.url)), 'ticket_taker.mjs');

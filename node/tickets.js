'use strict';
// ticket: the numbers of ticket servers. The core decides which server a call asks, with which
// statements, and whether its answer is believed.

const { inspect } = require('node:util');
const check = require('./check.js');
const { PolyflakeError, described, publicCode } = require('./error.js');
const native = require('./native.js');
const { addDisposal } = require('./positions.js');
const { Alarm, hold, throwIfAborted, unlessAborted } = require('./wait.js');

const OPTIONS = ['store', 'table', 'timeoutMs', 'signal'];
const TIMEOUT_MS = 2000;

const pools = new Map(); // by the servers and the table, while sources use them
const names = new WeakMap(); // of clients of users: sources with equal ones share their state

const abandoned = new FinalizationRegistry((pool) => pool.leave());
const forgotten = new FinalizationRegistry(native.forgetTickets);

/** The connections to the servers of one list: one for each, which one call uses at a time. */
class Pool {
  users = 0;
  #key;
  #calls = 0; // in progress
  #waiting = new Set(); // alarms of calls that wait for their turn
  #conversations;
  #sessions;

  constructor(key, servers, stores) {
    const { StoreSession } = require('./store_session.js');
    this.#key = key;
    this.#conversations = stores.map((_, i) => native.ticketSession(servers, i + 1));
    this.#sessions = stores.map((store, i) => new StoreSession(this.#conversations[i], store, 0));
  }

  /** Carries on a call until there is a number. Keeps the process alive meanwhile. */
  async nextId(call) {
    const release = hold();
    this.#calls += 1;
    try {
      for (;;) {
        const { what, number, server, limitMs } = native.ticketStep(call);
        if (what === 'number') return number;
        if (what === 'ask') await this.#ask(this.#sessions[server - 1], limitMs);
        else await this.#wait(limitMs);
      }
    } finally {
      native.forgetTicketCall(call);
      this.#calls -= 1;
      for (const alarm of this.#waiting) alarm.wake();
      this.#disconnectIfLeft();
      release();
    }
  }

  async #ask(session, limitMs) {
    session.commandMs = limitMs;
    await session.step();
  }

  async #wait(limitMs) {
    const alarm = new Alarm();
    this.#waiting.add(alarm);
    await alarm.sleep(limitMs);
    this.#waiting.delete(alarm);
  }

  leave() {
    this.users -= 1;
    if (this.users === 0) pools.delete(this.#key);
    this.#disconnectIfLeft();
  }

  #disconnectIfLeft() {
    if (this.users > 0 || this.#calls > 0) return;
    for (const session of this.#sessions) session.disconnect();
    for (const one of this.#conversations.splice(0)) native.forgetSession(one);
  }
}

/** Returns the server as a store, and the text that names it. */
function serverOf(given, i) {
  const { ticketServerAt, ticketServerOver } = require('./stores/url.js');
  if (typeof given === 'string') return [ticketServerAt(given), given];
  if ((typeof given !== 'object' && typeof given !== 'function') || given === null) {
    throw new PolyflakeError(
      'option_invalid',
      `store lists ticket servers: addresses such as 'mysql://user@host/db', pools of mysql2, or functions that ` +
        `return a new connection, got ${described(given)}`,
    );
  }
  const store = ticketServerOver(given, i + 1);
  if (!names.has(given)) names.set(given, native.newTicketClient());
  return [store, names.get(given)];
}

/** An open source: the number that the addon gave it, and the connections that it shares. */
class Source {
  constructor(given) {
    const { store, table = 'Tickets64', timeoutMs = TIMEOUT_MS } = given;
    const servers = (Array.isArray(store) ? store : [store]).map(serverOf);
    const clients = servers.map(([, client]) => client);
    const shown = servers.map(([server]) => String(server));
    const name = check.text(table, 'table', 'option_invalid');
    const ms = check.int64(timeoutMs, 'timeoutMs', 'option_invalid');
    this.index = native.newTickets(clients, shown, name, ms);
    forgotten.register(this, this.index);
    const key = JSON.stringify([clients, name]);
    const stores = servers.map(([server]) => server);
    this.pool = pools.get(key) ?? new Pool(key, this.index, stores);
    this.pool.users += 1;
    pools.set(key, this.pool);
    abandoned.register(this, this.pool, this);
  }

  async nextId(signal) {
    throwIfAborted(signal);
    return await unlessAborted(this.pool.nextId(native.ticketCall(this.index)), signal);
  }

  /** Refuses a call that cannot wait. Errors: generator_closed, else store_unavailable. */
  refuse() {
    this.check();
    throw new PolyflakeError(
      'store_unavailable',
      'every number of a ticket server needs a round trip, and this call does not wait: await nextIdAsync() or ' +
        'nextIdsAsync()',
    );
  }

  /** Errors: generator_closed. */
  check() {
    native.forgetTicketCall(native.ticketCall(this.index));
  }

  get closed() {
    return native.ticketsClosed(this.index);
  }

  end() {
    if (this.closed) return;
    native.closeTickets(this.index);
    abandoned.unregister(this);
    this.pool.leave();
  }
}

let end;

class Tickets {
  #source;

  constructor(source) {
    if (!(source instanceof Source)) {
      throw new PolyflakeError(
        'option_invalid',
        'ticket servers take round trips, so neither `new Tickets()` nor openSync() can open them: use ' +
          '`await Tickets.open({ store: [...] })`',
      );
    }
    this.#source = source;
  }

  static open(options = {}) {
    return new Promise((resolve) => {
      const given = check.options(options, OPTIONS, 'Tickets');
      throwIfAborted(check.signal(given.signal));
      resolve(new Tickets(new Source(given)));
    });
  }

  // Not part of the public class.
  static {
    end = (tickets) => tickets.#source.end();
  }

  get kind() {
    return 'ticket';
  }

  nextId() {
    return this.#source.refuse();
  }

  tryNextId() {
    this.#source.check();
    return null;
  }

  nextIdString() {
    return this.#source.refuse();
  }

  async nextIdAsync(options) {
    return await this.#source.nextId(check.signalIn(options, 'nextIdAsync()'));
  }

  nextIds(count) {
    return this.fill(new BigUint64Array(check.count(count)));
  }

  async nextIdsAsync(count, options) {
    const signal = check.signalIn(options, 'nextIdsAsync()');
    const ids = new BigUint64Array(check.count(count));
    this.#source.check();
    for (let i = 0; i < ids.length; i += 1) ids[i] = await this.#source.nextId(signal);
    return ids;
  }

  fill(ids) {
    if (check.roomForIds(ids) > 0) this.#source.refuse();
    this.#source.check();
    return ids;
  }

  state() {
    const { name, code } = native.ticketState(this.#source.index);
    return { name, code: code === '' ? null : publicCode(code) };
  }

  stats() {
    return native.ticketStats(this.#source.index);
  }

  close() {
    this.#source.end();
  }

  get closed() {
    return this.#source.closed;
  }

  [inspect.custom](depth, options) {
    if (!(#source in this)) return 'Tickets {}'; // such as a stub of a test tool
    return `Tickets ${inspect({ state: this.state().name }, options)}`;
  }
}

addDisposal(Tickets, end);

module.exports = { Tickets };

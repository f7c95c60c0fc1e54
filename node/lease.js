'use strict';
// The runner of leases: it carries commands from the core to the client of a store, and replies
// back.
//
// A lease has one runner in this thread, shared by all generators opened with the same store and
// layout. It keeps the process alive only while it opens and, shortly, while it gives a node id
// back. The core makes all decisions.

const { channel } = require('node:diagnostics_channel');
const { PolyflakeError } = require('./error.js');
const native = require('./native.js');
const { Alarm, hold, unlessAborted } = require('./wait.js');

const states = channel('polyflake:state'); // { level: 'warning' or 'info', message }

const CLOSING_MS = 500; // time limit for giving a node id back
const TASK_COMMAND_MS = 5000;

/** A command exceeded its time limit. */
class TimedOut extends Error {
  code = 'timed out';
}

/** Returns the result of the work, with a time limit. Late work goes on: close its connection. */
async function within(ms, work) {
  const alarm = new Alarm();
  let late = false;
  const deadline = alarm.sleep(ms).then(() => {
    late = true;
  });
  try {
    const result = await Promise.race([work, deadline]);
    if (late) throw new TimedOut();
    return result;
  } finally {
    alarm.wake();
  }
}

/** A conversation with a store: commands of the core, over a new connection after a failure. */
class StoreSession {
  /** The time limit of the next command. */
  commandMs;
  #index;
  #store;
  #connection;

  constructor(index, store, commandMs) {
    this.#index = index;
    this.#store = store;
    this.commandMs = commandMs;
  }

  /** Does the next step; resolves to it: `what`, with sleepMs if it is 'sleep'. */
  async step() {
    const step = native.step(this.#index);
    if (step.what === 'command') await this.#carry(step);
    return step;
  }

  async #carry({ number, name, parts }) {
    try {
      const rows = await within(this.commandMs, this.#run(name, parts));
      // Later replies on such a connection would answer other requests.
      if (!native.deliver(this.#index, number, rows)) this.disconnect();
    } catch (error) {
      // An error of any client: the core decides what follows.
      this.disconnect();
      const [code, words] = this.#store.failureOf(error);
      native.fail(this.#index, number, code, words);
    }
  }

  async #run(name, parts) {
    if (this.#connection?.lost) this.disconnect();
    const connection = this.#connection ?? this.#store.connection();
    if (this.#connection === undefined) {
      this.#connection = connection;
      await connection.open(native.setup(this.#index));
      // The connection was given up meanwhile: do not send the command.
      if (this.#connection !== connection) throw new TimedOut();
    }
    return connection.run(name, parts);
  }

  /** Also ends a command under way. */
  disconnect() {
    const connection = this.#connection;
    this.#connection = undefined;
    try {
      connection?.close();
    } catch {
      // The connection was unusable already.
    }
  }
}

const forgotten = new FinalizationRegistry(native.forgetSession);

/** Keeps one lease. After open() there is a window, which is renewed until close(). */
class LeaseRunner {
  users = 0;
  opened;
  #index;
  #session;
  #alarm = new Alarm();
  #closing = false;
  #ended = false;
  #running;

  constructor(store, layout) {
    this.#index = native.newLease(store.address, layout, store.placeholder);
    forgotten.register(this, this.#index);
    this.#session = new StoreSession(this.#index, store, native.describeLease(this.#index).commandTimeoutMs);
    this.opened = this.#open();
  }

  /** The number that the addon gave the lease. */
  get index() {
    return this.#index;
  }

  /** True while it renews, or looks for another window after a failure. */
  get active() {
    return !this.#closing && !this.#ended;
  }

  get #granted() {
    return native.describeLease(this.#index).granted;
  }

  async #open() {
    const release = hold();
    try {
      while (!this.#granted) {
        const { what, sleepMs } = await this.#session.step();
        if (what === 'failed' || what === 'done') native.raiseFailure(this.#index);
        if (what === 'sleep' && !this.#granted) await this.#alarm.sleep(sleepMs);
      }
      this.#running = this.#renew();
    } catch (error) {
      this.#ended = true;
      this.#session.disconnect();
      throw error;
    } finally {
      release();
    }
  }

  /** Renews until the end of the lease. Never rejects, as no caller awaits it. */
  async #renew() {
    try {
      await this.#run();
    } catch {
      // Calls for ids fail once the window is over, and the next opening gets another lease.
    }
    this.#ended = true;
    this.#session.disconnect();
  }

  async #run() {
    let what;
    do {
      this.#session.commandMs = native.describeLease(this.#index).commandTimeoutMs;
      const step = await this.#session.step();
      this.#report();
      what = step.what;
      if (what === 'sleep') await this.#alarm.sleep(step.sleepMs);
    } while (what !== 'failed' && what !== 'done');
  }

  /** Publishes the change of the lease's state that is due, if there is one. */
  #report() {
    const [level, message] = native.takeReport(this.#index);
    if (level !== undefined) states.publish({ level, message });
  }

  /** Renews soon, regardless of the time left in the window. */
  hurry() {
    native.hurry(this.#index);
    this.#alarm.wake();
  }

  /** Returns the values of stats() that only a lease has. */
  stats() {
    const { namespaceUuid } = native.describeLease(this.#index);
    return { namespaceUuid };
  }

  /** Gives the node id back if possible soon; resolves when it is done or given up. */
  async close() {
    this.#closing = true;
    native.release(this.#index);
    this.#alarm.wake();
    const release = hold();
    try {
      // An opening that is given up ends, too.
      await within(
        CLOSING_MS,
        this.opened.then(() => this.#running),
      );
    } catch {
      // The window ends by itself.
    } finally {
      this.#session.disconnect();
      release();
    }
  }
}

// LeaseRunners by address or store object, then by layout.
const runners = new Map();

function runnerFor(store, key, layout) {
  const layouts = runners.get(key) ?? new Map();
  let runner = layouts.get(layout);
  if (runner === undefined || !runner.active) {
    runner = new LeaseRunner(store(), layout);
    if (runners.size === 0) process.on('beforeExit', giveAllBack);
    runners.set(key, layouts);
    layouts.set(layout, runner);
  }
  return runner;
}

function forget(runner) {
  for (const [key, layouts] of runners) {
    for (const [layout, kept] of layouts) {
      if (kept === runner) layouts.delete(layout);
    }
    if (layouts.size === 0) runners.delete(key);
  }
  if (runners.size === 0) process.removeListener('beforeExit', giveAllBack);
}

/** Closes all leases at the end of the program, when nothing is left that could ask for ids. */
function giveAllBack() {
  for (const layouts of [...runners.values()]) {
    for (const runner of [...layouts.values()]) {
      forget(runner);
      runner.close();
    }
  }
}

// Resolves to the runner for one more generator, once it has a window. `store` makes the store for
// a new runner; `key` is the address or store object of the caller. If the signal is aborted before
// that, rejects, and the last one that waits for the runner ends it.
async function runnerOf(store, key, layout, signal) {
  const runner = runnerFor(store, key, layout);
  runner.users += 1;
  try {
    await unlessAborted(runner.opened, signal);
  } catch (error) {
    if (runner.active) leave(runner);
    else forget(runner);
    throw error;
  }
  return runner;
}

/** Removes one generator. Resolves when the last one has given the node id back or up. */
async function leave(runner) {
  runner.users -= 1;
  if (runner.users > 0) return;
  forget(runner);
  await runner.close();
}

/** Carries out a task of operators. */
async function carryOut(task, store) {
  const session = new StoreSession(task, store, TASK_COMMAND_MS);
  const alarm = new Alarm();
  const release = hold();
  try {
    for (;;) {
      const { what, sleepMs } = await session.step();
      if (what === 'done') return;
      if (what === 'failed') throw new PolyflakeError('store_unavailable', `${store} cannot be reached`);
      if (what === 'sleep') await alarm.sleep(sleepMs);
    }
  } finally {
    session.disconnect();
    release();
  }
}

module.exports = { StoreSession, carryOut, runnerOf, leave };

'use strict';
// The runner of leases and counters: it steps the conversation of one of them with its store.
//
// A lease has one runner in this thread, shared by all generators opened with the same store and
// layout; a counter, by all sources opened with the same store, name and options. It keeps the
// process alive only while it opens and, shortly, while it gives back what is held. The core makes
// all decisions.

const { channel } = require('node:diagnostics_channel');
const native = require('./native.js');
const { StoreSession, within } = require('./store_session.js');
const { Alarm, hold, unlessAborted } = require('./wait.js');

const states = channel('polyflake:state'); // { level: 'warning' or 'info', message }

const CLOSING_MS = 500; // time limit for giving back what is held

const forgotten = new FinalizationRegistry(native.forgetSession);

// Keeps one lease or counter. Once it is opened there is a window, which is renewed until close();
// or the counter was read, and numbers are fetched when they are asked for.
class Runner {
  users = 0;
  opened;
  #index;
  #store;
  #session;
  #alarm = new Alarm();
  #woken = false; // since the last step began
  #moved; // a promise of the next step, and its resolve, if anyone waits for that
  #closing = false;
  #ended = false;
  #running;

  constructor(store, held) {
    this.#index = held.make(store);
    this.#store = store;
    forgotten.register(this, this.#index);
    this.#session = new StoreSession(this.#index, store, native.describeHeld(this.#index).commandTimeoutMs);
    this.opened = this.#open();
  }

  /** The number that the addon gave the lease or the counter. */
  get index() {
    return this.#index;
  }

  /** The longest wait of one call, in ms. */
  get timeoutMs() {
    return native.describeHeld(this.#index).acquireTimeoutMs;
  }

  /** True while it renews, or looks for another window after a failure. */
  get active() {
    return !this.#closing && !this.#ended;
  }

  get #granted() {
    return native.describeHeld(this.#index).granted;
  }

  async #open() {
    const release = hold();
    try {
      while (!this.#granted) {
        const step = await this.#step();
        if (step.what === 'failed' || step.what === 'done') native.raiseFailure(this.#index);
        if (!this.#granted) await this.#rest(step);
      }
      this.#running = this.#keep();
    } catch (error) {
      this.#ended = true;
      this.#session.disconnect();
      throw error;
    } finally {
      release();
    }
  }

  /** Goes on until the end of the lease or counter. Never rejects, as no caller awaits it. */
  async #keep() {
    try {
      await this.#run();
    } catch {
      // Calls for ids fail once nothing is held any more, and the next opening gets another runner.
    }
    this.#ended = true;
    this.#session.disconnect();
  }

  async #run() {
    let what;
    do {
      this.#session.commandMs = native.describeHeld(this.#index).commandTimeoutMs;
      const step = await this.#step();
      this.#report();
      what = step.what;
      await this.#rest(step);
    } while (what !== 'failed' && what !== 'done');
  }

  #step() {
    this.#woken = false; // before the core looks at what it was asked for
    return this.#session.step(() => {
      this.#moved?.resolve();
      this.#moved = undefined;
    });
  }

  /** Sleeps if the step says so, unless it was woken since then. */
  async #rest({ what, sleepMs }) {
    if (what === 'sleep' && !this.#woken) await this.#alarm.sleep(sleepMs);
  }

  /** Has the next step begin now. */
  wake() {
    this.#woken = true;
    this.#alarm.wake();
  }

  /** Resolves at the next step, after which more may be held. */
  moved() {
    if (this.#moved === undefined) {
      this.#moved = {};
      this.#moved.promise = new Promise((resolve) => {
        this.#moved.resolve = resolve;
      });
    }
    return this.#moved.promise;
  }

  /** Publishes the change of state that is due, if there is one. */
  #report() {
    const [level, message] = native.takeReport(this.#index);
    if (level !== undefined) states.publish({ level, message });
  }

  /** Renews soon, regardless of the time left in the window. */
  hurry() {
    native.hurry(this.#index);
    this.wake();
  }

  /** Returns the values of stats() that only a store has. */
  stats() {
    const { namespaceUuid } = native.describeHeld(this.#index);
    return { namespaceUuid };
  }

  /** Returns the last failure of the store, as an error. */
  failure() {
    try {
      return native.raiseFailure(this.#index);
    } catch (error) {
      return error;
    }
  }

  /** The store without credentials. */
  toString() {
    return String(this.#store);
  }

  /** Gives back what is held if possible soon; resolves when it is done or given up. */
  async close() {
    this.#closing = true;
    native.release(this.#index);
    this.wake();
    const release = hold();
    try {
      // An opening that is given up ends, too.
      await within(
        CLOSING_MS,
        this.opened.then(() => this.#running),
      );
    } catch {
      // A window ends by itself. Numbers are lost.
    } finally {
      this.#session.disconnect();
      release();
    }
  }
}

// Runners by address or store object, then by the key of what they hold.
const runners = new Map();

function runnerFor(store, key, held) {
  const same = runners.get(key) ?? new Map();
  let runner = same.get(held.key);
  if (runner === undefined || !runner.active) {
    runner = new Runner(store(), held);
    if (runners.size === 0) process.on('beforeExit', giveAllBack);
    runners.set(key, same);
    same.set(held.key, runner);
  }
  return runner;
}

function forget(runner) {
  for (const [key, same] of runners) {
    for (const [held, kept] of same) {
      if (kept === runner) same.delete(held);
    }
    if (same.size === 0) runners.delete(key);
  }
  if (runners.size === 0) process.removeListener('beforeExit', giveAllBack);
}

/** Closes all at the end of the program, when nothing is left that could ask for ids. */
function giveAllBack() {
  for (const same of [...runners.values()]) {
    for (const runner of [...same.values()]) {
      forget(runner);
      runner.close();
    }
  }
}

// Resolves to the runner for one more source, once it is open. `store` makes the store for a new
// runner; `key` is the address or store object of the caller. `held` is what the runner holds:
// `key`, which is equal for sources that share it, and make(store). If the signal is aborted before
// that, rejects, and the last one that waits for the runner ends it.
async function runnerOf(store, key, held, signal) {
  const runner = runnerFor(store, key, held);
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

/** Removes one source. Resolves when the last one has given back or up what it held. */
async function leave(runner) {
  runner.users -= 1;
  if (runner.users > 0) return;
  forget(runner);
  await runner.close();
}

module.exports = { leave, runnerOf };

'use strict';
// The runner of leases: it carries commands from the core to a store's client and replies back.
//
// A lease has one keeper in this thread, shared by all generators that were opened with the same store and layout. It never
// keeps the process alive, save while it opens and, shortly, while it gives a node id back. What is decided is decided in the
// core.

const { PolyflakeError } = require('./error.js');
const native = require('./native.js');
const { Alarm, hold } = require('./wait.js');

const CLOSING_MS = 500; // for giving a node id back
const TASK_COMMAND_MS = 5000;

/** A command that took longer than it may. */
class TimedOut extends Error {
  code = 'timed out';
}

/** What the work gives, within so many ms. The work goes on if it is late: its connection is to be closed. */
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

/** One conversation with a store: commands of the core, over a connection that is made anew after a failure. */
class Talk {
  /** How long the next command may take. */
  commandMs;
  #index;
  #store;
  #connection;

  constructor(index, store, commandMs) {
    this.#index = index;
    this.#store = store;
    this.commandMs = commandMs;
  }

  /** Does what is to be done next; resolves to what the core said: 'command' once it was done, else with sleepMs. */
  async step() {
    const step = native.step(this.#index);
    if (step.what === 'command') await this.#carry(step);
    return step;
  }

  async #carry({ number, name, parts }) {
    try {
      const rows = await within(this.commandMs, this.#run(name, parts));
      // Later replies on such a connection answer other requests.
      if (!native.deliver(this.#index, number, rows)) this.disconnect();
    } catch (error) {
      // Of whatever client it is: the core decides what comes of it.
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
      // Given up meanwhile: the command is not to be sent any more.
      if (this.#connection !== connection) throw new TimedOut();
    }
    return connection.run(name, parts);
  }

  /** Also ends what is under way. */
  disconnect() {
    const connection = this.#connection;
    this.#connection = undefined;
    try {
      connection?.close();
    } catch {
      // It was of no use any more.
    }
  }
}

const forgotten = new FinalizationRegistry(native.forgetTalk);

/** Keeps one lease. After open() there is a window, which is renewed until close(). */
class Keeper {
  users = 0;
  opened;
  #index;
  #talk;
  #alarm = new Alarm();
  #closing = false;
  #ended = false;
  #running;

  constructor(store, layout) {
    this.#index = native.newLease(store.address, layout, store.placeholder);
    forgotten.register(this, this.#index);
    this.#talk = new Talk(this.#index, store, native.describeLease(this.#index).commandTimeoutMs);
    this.opened = this.#open();
  }

  /** The addon's number of the lease. */
  get index() {
    return this.#index;
  }

  /** Whether it renews, or looks for another window where it cannot. */
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
        const { what, sleepMs } = await this.#talk.step();
        if (what === 'failed' || what === 'done') native.raiseFailure(this.#index);
        if (what === 'sleep' && !this.#granted) await this.#alarm.sleep(sleepMs);
      }
      this.#running = this.#renew();
    } catch (error) {
      this.#ended = true;
      this.#talk.disconnect();
      throw error;
    } finally {
      release();
    }
  }

  /** Until the end of the lease. Never rejects, as nobody would be there to hear of it. */
  async #renew() {
    try {
      await this.#run();
    } catch {
      // The window is renewed no more: calls for ids say so once it is over, and whoever opens gets another lease.
    }
    this.#ended = true;
    this.#talk.disconnect();
  }

  async #run() {
    let what;
    do {
      this.#talk.commandMs = native.describeLease(this.#index).commandTimeoutMs;
      const step = await this.#talk.step();
      what = step.what;
      if (what === 'sleep') await this.#alarm.sleep(step.sleepMs);
    } while (what !== 'failed' && what !== 'done');
  }

  /** Renews soon, however much is left of the window. */
  hurry() {
    native.hurry(this.#index);
    this.#alarm.wake();
  }

  /** What stats() of a lease has beside what all generators have. */
  stats() {
    const { namespaceUuid } = native.describeLease(this.#index);
    return { namespaceUuid };
  }

  /** Gives the node id back, if that can be done soon; resolves when it is done or given up. */
  async close() {
    this.#closing = true;
    native.release(this.#index);
    this.#alarm.wake();
    const release = hold();
    try {
      await within(CLOSING_MS, this.#running);
    } catch {
      // The window ends by itself.
    } finally {
      this.#talk.disconnect();
      release();
    }
  }
}

// By what was asked for: an address or a store object, then a layout.
const keepers = new Map();

function keeperFor(store, key, layout) {
  const layouts = keepers.get(key) ?? new Map();
  let keeper = layouts.get(layout);
  if (keeper === undefined || !keeper.active) {
    keeper = new Keeper(store(), layout);
    if (keepers.size === 0) process.on('beforeExit', giveAllBack);
    keepers.set(key, layouts);
    layouts.set(layout, keeper);
  }
  return keeper;
}

function forget(keeper) {
  for (const [key, layouts] of keepers) {
    for (const [layout, kept] of layouts) {
      if (kept === keeper) layouts.delete(layout);
    }
    if (layouts.size === 0) keepers.delete(key);
  }
  if (keepers.size === 0) process.removeListener('beforeExit', giveAllBack);
}

/** At the end of the program, when nothing is left that could ask for ids. */
function giveAllBack() {
  for (const layouts of [...keepers.values()]) {
    for (const keeper of [...layouts.values()]) {
      forget(keeper);
      keeper.close();
    }
  }
}

// The keeper for one more generator, once it has a window. `store` makes the store, where a keeper has to be made; `key` is
// what was asked for: an address or a store object.
async function keeperOf(store, key, layout) {
  const keeper = keeperFor(store, key, layout);
  keeper.users += 1;
  try {
    await keeper.opened;
  } catch (error) {
    forget(keeper);
    throw error;
  }
  return keeper;
}

/** One generator less; the last one gives the node id back. Resolves when that is done or given up. */
async function leave(keeper) {
  keeper.users -= 1;
  if (keeper.users > 0) return;
  forget(keeper);
  await keeper.close();
}

/** A task of operators, to its end. */
async function carryOut(task, store) {
  const talk = new Talk(task, store, TASK_COMMAND_MS);
  const alarm = new Alarm();
  const release = hold();
  try {
    for (;;) {
      const { what, sleepMs } = await talk.step();
      if (what === 'done') return;
      if (what === 'failed') throw new PolyflakeError('store_unavailable', `${store} cannot be reached`);
      if (what === 'sleep') await alarm.sleep(sleepMs);
    }
  } finally {
    talk.disconnect();
    release();
  }
}

module.exports = { Talk, carryOut, keeperOf, leave };

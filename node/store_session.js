'use strict';
// Conversations with a store: carry commands from the core to its client, and replies back. The
// core makes all decisions.

const { PolyflakeError } = require('./error.js');
const native = require('./native.js');
const { Alarm, hold } = require('./wait.js');
const { tellOffset } = require('./zones.js');

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

  // Does the next step; resolves to it: `what`, with sleepMs if it is 'sleep'. Calls `decided` once
  // the core has decided, before a command is carried out.
  async step(decided = () => {}) {
    const step = native.step(this.#index);
    decided();
    if (step.what === 'command') await this.#carry(step);
    if (step.what === 'offset') tellOffset(this.#index, step);
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

module.exports = { StoreSession, carryOut, within };

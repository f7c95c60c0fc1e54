'use strict';
// Waiting: on this thread, or without blocking it.
//
// No function of node:timers is used. Test tools replace those, in the module as in the global object and perhaps
// before this package is loaded, and what waits on a replaced timer waits for ever. Nobody replaces Atomics.

const cell = new Int32Array(new SharedArrayBuffer(4)); // nobody notifies it: only time ends a wait

/** Blocks this thread for about so many nanoseconds. */
function sleep(ns) {
  Atomics.wait(cell, 0, 0, ns / 1e6);
}

let holders = 0;
let channel;

/** Keeps the process alive until the function that it returns is called, as nothing else here does. */
function hold() {
  if (holders === 0) {
    const { MessageChannel } = require('node:worker_threads'); // here, since most programs never come here
    channel = new MessageChannel();
    channel.port1.ref();
  }
  holders += 1;
  let held = true;
  return () => {
    if (held) holders -= 1;
    if (held && holders === 0) channel.port1.close();
    held = false;
  };
}

/** Resolves after about so many nanoseconds. */
async function pause(ns) {
  // What Atomics.waitAsync() waits for does not keep a process alive, as a timer would; an open port does.
  const release = hold();
  await Atomics.waitAsync(cell, 0, 0, Math.ceil(ns / 1e6)).value;
  release();
}

/** A sleep that can be ended early, and that does not keep the process alive. */
class Alarm {
  #cell = new Int32Array(new SharedArrayBuffer(4));

  /** Resolves after about so many ms, at least one, or when wake() is called. */
  async sleep(ms) {
    await Atomics.waitAsync(this.#cell, 0, 0, Math.max(ms, 1)).value;
  }

  wake() {
    Atomics.notify(this.#cell, 0);
  }
}

module.exports = { Alarm, hold, pause, sleep };

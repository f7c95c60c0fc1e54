'use strict';
// Waiting: on this thread, or without blocking it.
//
// No function of node:timers is used. Test tools replace those, in the module and in the global
// object, perhaps before this package is loaded, and a wait on a replaced timer never ends. Test
// tools do not replace Atomics.

const cell = new Int32Array(new SharedArrayBuffer(4)); // never notified: only time ends a wait

/** Blocks this thread for about `ns` nanoseconds. */
function sleep(ns) {
  Atomics.wait(cell, 0, 0, ns / 1e6);
}

let holders = 0;
let channel;

/** Keeps the process alive until the returned function is called. */
function hold() {
  if (holders === 0) {
    // loaded here, since most programs never need it
    const { MessageChannel } = require('node:worker_threads');
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

/** Throws the reason of a signal that is aborted. */
function throwIfAborted(signal) {
  if (signal?.aborted) throw signal.reason;
}

/** Resolves after about `ns` nanoseconds; rejects as soon as the signal, if any, is aborted. */
async function pause(ns, signal) {
  throwIfAborted(signal);
  const alarm = new Alarm();
  const wake = () => alarm.wake();
  // Atomics.waitAsync() does not keep a process alive, as a timer would; an open port does.
  const release = hold();
  signal?.addEventListener('abort', wake, { once: true });
  await alarm.sleep(Math.ceil(ns / 1e6));
  signal?.removeEventListener('abort', wake);
  release();
  throwIfAborted(signal);
}

/** Settles as the work does, or rejects as soon as the signal, if any, is aborted. */
async function unlessAborted(work, signal) {
  if (signal === undefined) return work;
  let stop;
  const aborted = new Promise((_, reject) => {
    stop = () => reject(signal.reason);
  });
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A sleep that can be ended early, and that does not keep the process alive. */
class Alarm {
  #cell = new Int32Array(new SharedArrayBuffer(4));

  /** Resolves after about `ms` milliseconds, at least one, or when wake() is called. */
  async sleep(ms) {
    await Atomics.waitAsync(this.#cell, 0, 0, Math.max(ms, 1)).value;
  }

  wake() {
    Atomics.notify(this.#cell, 0);
  }
}

module.exports = { Alarm, hold, pause, sleep, throwIfAborted, unlessAborted };

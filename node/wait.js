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

let pauses = 0;
let channel;

/** Resolves after about so many nanoseconds. */
async function pause(ns) {
  // What Atomics.waitAsync() waits for does not keep a process alive, as a timer would; an open port does.
  if (pauses === 0) {
    const { MessageChannel } = require('node:worker_threads'); // here, since most programs never come here
    channel = new MessageChannel();
    channel.port1.ref();
  }
  pauses += 1;
  await Atomics.waitAsync(cell, 0, 0, Math.ceil(ns / 1e6)).value;
  pauses -= 1;
  if (pauses === 0) channel.port1.close();
}

module.exports = { pause, sleep };

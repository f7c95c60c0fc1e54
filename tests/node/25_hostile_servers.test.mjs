// Servers that send what no server sends: a lease gives them up in time, and the process goes on.
import './registry.mjs';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { Generator } from 'polyflake';
import { eventually } from './patience.mjs';
import { code } from './refusal.mjs';

const MOST_BYTES = 64 << 20; // of a server that sends as fast as it can

/** A server that answers the first bytes of each connection with `answer(socket)`. */
async function hostile(t, answer) {
  const state = { connections: 0, sent: 0 };
  const server = net.createServer((socket) => {
    state.connections += 1;
    socket.on('error', () => {});
    socket.on('close', () => {
      state.connections -= 1;
    });
    socket.once('data', () => answer(socket, state));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { state, place: `127.0.0.1:${server.address().port}` };
}

const options = '?namespace=orders&window_ms=3000&tolerance_ms=100';
const refused = (address) => assert.rejects(Generator.open({ worker: address }), code('store_unavailable'));

function pour(socket, state) {
  const piece = Buffer.alloc(1 << 16, ' ');
  const more = () => {
    while (!socket.destroyed && socket.write(piece)) state.sent += piece.length;
  };
  socket.on('drain', more);
  more();
}

test('an endless body of etcd is given up after a few megabytes', async (t) => {
  const { state, place } = await hostile(t, (socket, its) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
    pour(socket, its);
  });
  await refused(`etcd://${place}${options}`);
  await eventually(() => state.connections === 0);
  assert.ok(state.sent < MOST_BYTES, `${state.sent} bytes`);
});

const endless = Buffer.alloc(4);
endless.writeInt32BE(0x7fffffff);
// The answer to a connect: protocol, time-out, session, and a password of fewer than no bytes.
const negative = Buffer.alloc(24);
negative.writeInt32BE(20);
negative.writeInt32BE(10_000, 8);
negative.writeInt32BE(-5, 20);

for (const [name, packet] of Object.entries({ endless, negative })) {
  test(`a packet of ZooKeeper with a length that is ${name} ends a connection and not the process`, async (t) => {
    const { state, place } = await hostile(t, (socket, its) => {
      socket.write(packet);
      if (packet === endless) pour(socket, its);
    });
    await refused(`zookeeper://${place}${options}`);
    await eventually(() => state.connections === 0);
    assert.ok(state.sent < MOST_BYTES, `${state.sent} bytes`);
  });
}

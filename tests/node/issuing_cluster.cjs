'use strict';
// Four cluster workers that issue, each on the worker source given; the primary prints what they sent as JSON.
const cluster = require('node:cluster');
const { Generator } = require('polyflake');

if (cluster.isPrimary) {
  const seen = [];
  for (let i = 0; i < 4; i++) {
    cluster.fork().on('message', (message) => {
      seen.push(message);
      if (seen.length < 4) return; // each keeps its node id until all four have one
      process.stdout.write(JSON.stringify(seen));
      cluster.disconnect();
    });
  }
} else {
  const generator = new Generator({ worker: 'host', maxWaitMs: 60_000 });
  const ids = Array.from(generator.nextIds(20_000), String);
  process.send({ worker: String(generator.worker), ids });
}

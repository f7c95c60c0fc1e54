'use strict';
// Prints ids of each kind, one a line. Argument: how many of each.
const { openSync } = require('polyflake');

for (const kind of ['uuid7', 'uuid4', 'objectid'])
  console.log(openSync(kind).nextIds(Number(process.argv[2])).join('\n'));

// Issues 25 000 ids into a file, one a line, and says what three of them mean. Begins when standard input has ended.
import { readFileSync, writeFileSync } from 'node:fs';
import { Generator } from 'polyflake';
import { say } from './say.mjs';

const generator = new Generator(); // with a node id that no other process of this host has
console.log(`node id ${generator.worker}`);
readFileSync(0);

const ids = [];
while (ids.length < 25_000) ids.push(generator.nextId()); // BigInt: a JavaScript number cannot hold every id

writeFileSync(process.argv[2], ids.map((id) => `${id}\n`).join(''));

for (const id of [ids[0], ids[12_500], ids.at(-1)]) say(id, generator.layout);
generator.close();

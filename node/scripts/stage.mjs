// Copies the built addon to the folder from which the package loads it:
//     node node/scripts/stage.mjs build/node/bindings/node/polyflake.node
import fs from 'node:fs';
import path from 'node:path';
import addon from '../addon.js';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node node/scripts/stage.mjs <polyflake.node>');
const target = path.join(addon.prebuilds, addon.folder(), path.basename(file));
fs.mkdirSync(path.dirname(target), { recursive: true });
// Renamed into place: a process that has the old file mapped keeps it.
fs.copyFileSync(file, `${target}.new`);
fs.renameSync(`${target}.new`, target);
process.stdout.write(`${target}\n`);

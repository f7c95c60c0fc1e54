// Copies a built addon to where the package looks for it:
//   node node/scripts/stage.mjs build/node/bindings/node/polyflake.node
import fs from 'node:fs';
import path from 'node:path';
import addon from '../addon.js';

const built = process.argv[2];
if (!built) throw new Error('usage: node node/scripts/stage.mjs <polyflake.node>');
const target = path.join(addon.prebuilds, addon.folder(), 'polyflake.node');
fs.mkdirSync(path.dirname(target), { recursive: true });
// Renamed into place: a process that has the old file mapped keeps it.
fs.copyFileSync(built, `${target}.new`);
fs.renameSync(`${target}.new`, target);
process.stdout.write(`${target}\n`);

// The npm packages that peers/package.json pins, wherever they were installed.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** @param {string} folder holds node_modules */
export function packagesIn(folder) {
  const { resolve } = createRequire(path.resolve(folder, 'package.json'));
  const manifest = (name) => path.join(folder, 'node_modules', name, 'package.json');
  return {
    /** What the package exports; of a CommonJS one, what it assigns to module.exports. */
    async load(name) {
      const loaded = await import(pathToFileURL(resolve(name)));
      return loaded.default ?? loaded;
    },
    label: (name) => `${name} ${JSON.parse(fs.readFileSync(manifest(name), 'utf8')).version}`,
  };
}

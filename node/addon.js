'use strict';
// Loads the addon for this platform: that of the package, or that of the command line. The package
// contains its addons: nothing is built or downloaded at installation. If an addon cannot be
// loaded, the error names the file, the reason, and the addons of the package.

const OUTSIDE =
  'A bundler cannot take an addon along: mark polyflake as external and install it where the bundle runs. ' +
  "esbuild: external: ['polyflake'] or --external:polyflake; " +
  "webpack: externals: [/^polyflake(\\/|$)/], externalsType: 'node-commonjs'; " +
  "Vite and Rollup: external: [/^polyflake/]; Next.js: serverExternalPackages: ['polyflake'].";

const { fs, path } = builtins();
// A bundle of ES modules has no folder.
const here = typeof __dirname === 'undefined' ? undefined : __dirname;
const prebuilds = path.join(here ?? '', 'prebuilds');

/** Returns modules of Node. A bundle of ES modules may have no require() for them. */
function builtins() {
  try {
    return { fs: require('node:fs'), path: require('node:path') };
  } catch (cause) {
    throw failureOf(`polyflake: this package was bundled. ${OUTSIDE}`, cause);
  }
}

function failureOf(message, cause) {
  return Object.assign(new Error(message, { cause }), { code: 'ERR_DLOPEN_FAILED' });
}

/** Returns '-glibc' or '-musl' on Linux, as an addon fits only one C library; '' elsewhere. */
function libc() {
  if (process.platform !== 'linux') return '';
  const { report } = process;
  const { excludeNetwork } = report;
  report.excludeNetwork = true; // otherwise a report may wait for name servers
  try {
    return report.getReport().header.glibcVersionRuntime ? '-glibc' : '-musl';
  } finally {
    report.excludeNetwork = excludeNetwork;
  }
}

/** Returns the folder below prebuilds/ that fits this process, e.g. linux-x64-glibc. */
function folder() {
  return `${process.platform}-${process.arch}${libc()}`;
}

/** Returns the names of the folders in the package. */
function available() {
  try {
    return fs.readdirSync(prebuilds).join(', ') || 'none';
  } catch {
    return 'none';
  }
}

/** Returns true if this code was moved away from the files of its package, as bundlers do. */
function bundled() {
  return here === undefined || !fs.existsSync(path.join(here, 'native.js'));
}

function advice() {
  if (bundled()) {
    return `The files of the package are not in ${here ?? 'a folder'}, so it was bundled. ${OUTSIDE}`;
  }
  return `Prebuilt in this package: ${available()}. Install the package again on this platform, or build the addon.`;
}

function load() {
  const file = path.join(prebuilds, folder(), 'polyflake.node');
  try {
    return require(file);
  } catch (cause) {
    throw failureOf(
      `polyflake: no addon could be loaded for ${folder()}, Node ${process.version}.\n` +
        `Tried ${file}: ${cause.message.split('\n')[0]}\n${advice()}`,
      cause,
    );
  }
}

module.exports = { folder, load, prebuilds };

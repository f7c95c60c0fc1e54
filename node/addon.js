'use strict';
// Loads the addon for this platform: that of the package, or that of the command line. The package
// contains its addons: nothing is built or downloaded at installation. If an addon cannot be
// loaded, the error names the file, the reason, and the addons of the package.

const fs = require('node:fs');
const path = require('node:path');

const prebuilds = path.join(__dirname, 'prebuilds');

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
  return !fs.existsSync(path.join(__dirname, 'native.js'));
}

function advice() {
  if (bundled()) {
    return (
      `The files of the package are not in ${__dirname}, so it was bundled. A bundler cannot take an addon along: ` +
      "mark polyflake as external and install it where the bundle runs. esbuild: external: ['polyflake'] or " +
      "--external:polyflake; webpack: externals: { polyflake: 'commonjs polyflake' }; " +
      "Next.js: serverExternalPackages: ['polyflake']; other bundlers have the like."
    );
  }
  return `Prebuilt in this package: ${available()}. Install the package again on this platform, or build the addon.`;
}

function load(name = 'polyflake.node') {
  const file = path.join(prebuilds, folder(), name);
  try {
    return require(file);
  } catch (cause) {
    const failure = new Error(
      `polyflake: no addon could be loaded for ${folder()}, Node ${process.version}.\n` +
        `Tried ${file}: ${cause.message.split('\n')[0]}\n${advice()}`,
      { cause },
    );
    failure.code = 'ERR_DLOPEN_FAILED';
    throw failure;
  }
}

module.exports = { folder, load, prebuilds };

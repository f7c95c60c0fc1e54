// Imported first by every test: gives the process a host registry of its own, so that a user's is never touched.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folders = [];

/** Points POLYFLAKE_HOME at a new folder and returns its path. */
export function freshRegistry() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'polyflake-'));
  folders.push(folder);
  process.env.POLYFLAKE_HOME = folder;
  return folder;
}

process.on('exit', () => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

// Where tests run on such a platform themselves, the default would be refused.
const PLATFORMS_OF_COPIES = [
  'KUBERNETES_SERVICE_HOST',
  'ECS_CONTAINER_METADATA_URI_V4',
  'AWS_LAMBDA_FUNCTION_NAME',
  'K_SERVICE',
  'NOMAD_ALLOC_ID',
  'FLY_MACHINE_ID',
  'DYNO',
  'WEBSITE_INSTANCE_ID',
];

for (const name of ['POLYFLAKE_WORKER', ...PLATFORMS_OF_COPIES]) delete process.env[name];
freshRegistry();

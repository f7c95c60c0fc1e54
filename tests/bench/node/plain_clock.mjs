// The rows of the plain clock, in a process of their own: the library reads POLYFLAKE_TICK_CACHE once. A child of
// bench.mjs, which sets it, gives its settings as the argument and takes the rows as a message.
import { plainRows } from './calls.mjs';
import { packagesIn } from './packages.mjs';
import { oneThread } from './saturation.mjs';

const { rounds, toolNs, modules, ownMs } = JSON.parse(process.argv[2]);
const mitata = modules && (await packagesIn(modules).load('mitata'));
const calls = await plainRows({ rounds, toolNs, mitata });
process.send({ calls, saturated: await oneThread(ownMs, null, 'default layout, plain clock') });

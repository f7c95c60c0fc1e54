// Compiled, never run: what the types allow, and what they must refuse.
import {
  Generator,
  Layout,
  ManualClock,
  PolyflakeError,
  decode,
  fromText,
  nextId,
  nextIdString,
  presets,
  setDefault,
  toText,
  version,
} from 'polyflake';
import type {
  GeneratorOptions,
  GeneratorState,
  Parts,
  PolyflakeErrorCode,
  PolyflakeErrorKind,
  Stats,
  WorkerSource,
} from 'polyflake';

import { type LeaseInfo, type Store, type StoreOptions, initNamespace, leases, raiseFloor } from 'polyflake/stores';
import { EtcdStore } from 'polyflake/stores/etcd';
import { RedisStore } from 'polyflake/stores/redis';
import { SqlStore } from 'polyflake/stores/sql';
import { ZooKeeperStore } from 'polyflake/stores/zookeeper';

const clock = new ManualClock(1_600_000_000_000);
clock.set(1n);
clock.advance(-5);
const now: number = clock.timeMs;

const options: GeneratorOptions = { worker: { worker: 7 }, layout: new Layout('twitter'), maxWaitMs: 5n, clock };
const generator = new Generator(options);
new Generator();
new Generator({ worker: 7 });
new Generator({ worker: 7n });
new Generator({ worker: 'host:7' });
new Generator({ worker: 'ordinal' });
new Generator({ worker: `host:${5}` });
const stores: WorkerSource[] = [
  'redis://h',
  'rediss://h',
  'redis+sentinel://h',
  'zookeeper://h',
  'etcd://h',
  'etcds://h',
  'postgresql://h',
  'mysql://h',
];
declare const environment: { readonly [name: string]: string | undefined };
new Generator({ worker: environment['NODE_SOURCE'] as WorkerSource });
const opened: Promise<Generator> = Generator.open({ worker: 'host' });

const id: bigint = generator.nextId();
const maybe: bigint | null = generator.tryNextId();
const text: string = generator.nextIdString();
const later: Promise<bigint> = generator.nextIdAsync();
const batch: BigUint64Array = generator.nextIds(3);
const same: BigUint64Array = generator.fill(new BigUint64Array(3));
const closed: boolean = generator.closed;
const node: bigint = generator.worker;
const stats: Stats = generator.stats();
const state: GeneratorState = generator.state();
if (state.code === null || state.code === 'ERR_POLYFLAKE_LEASE_LOST') state.name satisfies string;
generator.renew();
generator.layout.firstId(new Date());
generator.close();
generator[Symbol.dispose]();

const layout = new Layout('polyflake');
layout.encode({ tick: 1n, sequence: 2, worker: 3 });
layout.encode({ timeMs: 1_600_000_000_000, worker: 3n });
layout.encode({ time: new Date() });
const parts: Parts = layout.decode(id);
const worker: number | undefined = parts.fields['worker'];
const tickText: string = parts.toJSON().tick;
layout.decode(text);
layout.lastId(5n);
const width: number | undefined = layout.fields[0]?.width;

setDefault(generator);
const top: bigint = nextId();
const topText: string = nextIdString();
decode(top, 'twitter').time.toISOString();
decode('1', layout);
const hex: string = toText(top, 'hex');
const back: bigint = fromText(hex, 'hex');
const first: string | undefined = presets[0];
const release: string = version;

try {
  generator.nextId();
} catch (error) {
  if (error instanceof PolyflakeError && error.code === 'ERR_POLYFLAKE_CLOCK_BEHIND') error.message.trim();
  if (error instanceof PolyflakeError && error.kind === 'clock') error.message.trim();
}
const kind: PolyflakeErrorKind = 'lease';
const code: PolyflakeErrorCode = 'ERR_POLYFLAKE_WORKER_IN_USE';

// @ts-expect-error an id is no number
const number: number = generator.nextId();
// @ts-expect-error a number cannot hold every id
layout.decode(5);
// @ts-expect-error a number cannot hold every id
toText(5);
// @ts-expect-error misspelled option
new Generator({ maxWaitMS: 5 });
// @ts-expect-error not a worker
new Generator({ worker: true });
// @ts-expect-error no such source
new Generator({ worker: 'banana' });
// @ts-expect-error no such source
new Generator({ worker: 'host:' });
// @ts-expect-error text of unknown content
new Generator({ worker: String(1) });
// @ts-expect-error may be undefined
new Generator({ worker: environment['NODE_SOURCE'] });
// @ts-expect-error not a worker
new Generator({ worker: null });
// @ts-expect-error not a generator
setDefault({ worker: 7 });
// @ts-expect-error no such kind
const wrongKind: PolyflakeErrorKind = 'oops';
// @ts-expect-error no such state
const wrongState: GeneratorState['name'] = 'oops';
// @ts-expect-error not a clock
new Generator({ clock: Date });
// @ts-expect-error two times
layout.encode({ tick: 1n, timeMs: 5 });
// @ts-expect-error no time
layout.encode({ sequence: 1 });
// @ts-expect-error a field is no string
layout.encode({ tick: 1n, worker: '7' });
// @ts-expect-error the result may be null
const surely: bigint = generator.tryNextId();
// @ts-expect-error signed array
generator.fill(new BigInt64Array(1));
// @ts-expect-error unknown codec
toText(1n, 'base64');
// @ts-expect-error not for users to make
new PolyflakeError();
// @ts-expect-error presets cannot be changed
presets.push('mine');
// @ts-expect-error no such code
const wrong: PolyflakeErrorCode = 'ERR_POLYFLAKE_OOPS';
// @ts-expect-error read only
generator.worker = 5n;

export { back, batch, closed, code, first, later, maybe, node, now, number, opened, parts, release, same, stats };
export { kind, stores, surely, tickText, topText, width, worker, wrong, wrongKind, wrongState };

const orders: StoreOptions = { namespace: 'orders', autoInit: 'fresh', windowMs: 5_000n, label: false };
declare const redisClient: { duplicate(overrides?: { a: number }): object };
declare const pgPool: { query(text: string): Promise<object>; connect(): Promise<object> };
declare const mysqlPool: { getConnection(callback: (error: Error | null, connection: object) => void): void };
declare const zooKeeperClient: { transaction(): object };
const redisStore: Store = new RedisStore(redisClient, orders);
const etcdStore = new EtcdStore(['http://h:2379'], orders);
new EtcdStore({ endpoints: 'https://h', username: 'u', password: 'p', headers: { a: 'b' } }, orders);
new ZooKeeperStore(zooKeeperClient, orders);
new SqlStore(pgPool, orders);
new SqlStore(mysqlPool, orders);
new SqlStore(async () => ({}), { ...orders, kind: 'mysql' });
Generator.open({ worker: redisStore });
Generator.open({ worker: etcdStore });
const uuid: Promise<string> = initNamespace('redis://h?namespace=orders', { layout: 'twitter', fresh: true });
const held: Promise<LeaseInfo[]> = leases(redisStore);
const raised: Promise<void> = raiseFloor(etcdStore, { timeMs: 5 });
raiseFloor(etcdStore, { id: 5n, layout: new Layout('twitter') });
const renewals: number = stats.renewals;
// @ts-expect-error a namespace is needed
new RedisStore(redisClient, {});
// @ts-expect-error a misspelled option
new RedisStore(redisClient, { namespace: 'orders', windowMS: 5 });
// @ts-expect-error which kind of SQL is not known
new SqlStore(async () => ({}), orders);
// @ts-expect-error one of both
raiseFloor(etcdStore, { timeMs: 5, id: 5n });
// @ts-expect-error no store
Generator.open({ worker: { duplicate() {} } });
void [uuid, held, raised, renewals];

// Compiled, never run: what the types allow, and what they must refuse.
import {
  Codec,
  DateIds,
  DateNumbers,
  Generator,
  Hashids,
  Layout,
  ManualClock,
  ObjectIds,
  PolyflakeError,
  Sqids,
  Seal,
  SealRing,
  Segment,
  Tickets,
  Uuid4,
  Uuid7,
  decode,
  defaultGenerator,
  explain,
  fromText,
  idFromText,
  jsonReplacer,
  jsonReviver,
  kinds,
  nextId,
  nextIdString,
  open,
  openSync,
  presets,
  register,
  setDefault,
  toText,
  version,
} from 'polyflake';
import type {
  AbortSignalLike,
  CodecOptions,
  DateNumbersOptions,
  DateOptions,
  DateParts,
  DatePeriod,
  Explanation,
  FriendlyOptions,
  GeneratorOptions,
  GeneratorState,
  IdSource,
  ObjectIdParts,
  Parts,
  PolyflakeErrorCode,
  PolyflakeErrorKind,
  SealOptions,
  SegmentOptions,
  TicketOptions,
  TicketServer,
  SqidsOptions,
  Stats,
  StoreAddress,
  Uuid7Options,
  Uuid7Parts,
  WorkerSource,
} from 'polyflake';

import {
  type CounterOptions,
  type CounterState,
  type LeaseInfo,
  type Store,
  type StoreOptions,
  counters,
  initCounter,
  initNamespace,
  leases,
  raiseCounter,
  raiseFloor,
} from 'polyflake/stores';
import { type EtcdClient, EtcdStore } from 'polyflake/stores/etcd';
import { RedisStore, initCounter as initCounterOfRedis } from 'polyflake/stores/redis';
import { type Frozen, frozen } from 'polyflake/testing';
import { SqlStore } from 'polyflake/stores/sql';
import { ZooKeeperStore } from 'polyflake/stores/zookeeper';

const clock = new ManualClock(1_600_000_000_000);
clock.set(1n);
clock.set(new Date());
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

const sqids = new Sqids({ alphabet: 'abc', minLength: 5n, blocklist: new Set(Sqids.defaultBlocklist()) });
const listed: bigint[] = sqids.decode(sqids.encode([1n, 2n]));
const salted: string = new Hashids('salt', 8).encode(BigUint64Array.of(1n));
// @ts-expect-error an id is a BigInt
sqids.encode(1);
// @ts-expect-error a misspelled option
new Sqids({ minlength: 5 });
void [listed, salted];
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
const waits: number | undefined = defaultGenerator()?.stats().waits;
const unheard: AbortSignalLike = { aborted: false, addEventListener() {}, removeEventListener() {} };
const signalled: Promise<bigint> = Generator.open({ signal: unheard }).then((one) =>
  one.nextIdAsync({ signal: unheard }),
);
// @ts-expect-error a number is not a signal
Generator.open({ signal: 5 });
const ids: Frozen = frozen(new Date(), { worker: 7 });
ids.clock.advance(5);
ids.close();
const ofAClient: bigint = idFromText('5');
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

export {
  ofAClient,
  signalled,
  waits,
  back,
  batch,
  closed,
  code,
  first,
  later,
  maybe,
  node,
  now,
  number,
  opened,
  parts,
  release,
  same,
  stats,
};
export { kind, stores, surely, tickText, topText, width, worker, wrong, wrongKind, wrongState };

const orders: StoreOptions = { namespace: 'orders', autoInit: true, windowMs: 5_000n, label: false };
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

const layoutOfFriends = new Layout('polyflake');
const friend: string = layoutOfFriends.friendly(1n, { timeZone: 'Asia/Shanghai' });
const fromFriend: bigint = layoutOfFriends.fromFriendly(friend, { utcOffsetSeconds: 28_800n });
// @ts-expect-error an option that there is not
layoutOfFriends.friendly(1n, { zone: 'UTC' });
// @ts-expect-error an id is no number
layoutOfFriends.friendly(1);
const explanations: Explanation[] = explain(fromFriend, { now: new Date() });
const parts0: Parts | null = explanations[0]!.parts;
const why: 'too_wide' | 'after_now' | 'near_epoch' | null = explanations[0]!.whyNot;
JSON.parse(JSON.stringify({ id: 1n, parts0, why }, jsonReplacer), jsonReviver(new Set(['id'])));
// @ts-expect-error a list of keys
jsonReviver(5);

const seal = new Seal(new Uint8Array(32), { tweak: 'order', bits: 63, keyId: 'k1' });
const sealed: [bigint, string, bigint, string[], BigUint64Array] = [
  seal.seal(1n),
  seal.encode(1n, 'crockford32'),
  seal.decode('1'),
  seal.encodeMany([1n]),
  seal.decodeMany(new Set(['1'])),
];
const ring = new SealRing([seal, Seal.fromFile('ids.key', { tweak: new Uint8Array(1) })]);
const unsealed: [bigint, bigint] = [ring.unseal(1n, null), ring.unseal(1n, seal.keyId)];
class OrderSeal extends Seal {
  constructor(key: Uint8Array) {
    super(key, { tweak: 'order', keyId: null });
  }
}
const ofFile: OrderSeal = OrderSeal.fromFile(new Uint8Array(1));
Seal.fromFile({ href: 'file:///run/secrets/ids', protocol: 'file:' });
void ofFile;
// @ts-expect-error a key is bytes
new Seal('0123456789abcdef');
// @ts-expect-error a misspelled option
new Seal(new Uint8Array(32), { keyID: 'k1' });
// @ts-expect-error which key is to be said
ring.unseal(1n);
void [sealed, unsealed];
const bits: 63 | 64 = seal.bits;
void bits;

// Undefined is as good as absent, also under exactOptionalPropertyTypes; `worker` is the exception.
declare const undefinedOnly: <T>() => { [K in keyof T]-?: undefined };
const generators: GeneratorOptions = undefinedOnly<Omit<GeneratorOptions, 'worker'>>();
const codecs: CodecOptions = undefinedOnly<CodecOptions>();
const lists: SqidsOptions = undefinedOnly<SqidsOptions>();
const seals: SealOptions = undefinedOnly<SealOptions>();
const friendlies: FriendlyOptions = undefinedOnly<FriendlyOptions>();
const leased: StoreOptions = { ...undefinedOnly<StoreOptions>(), namespace: 'orders' };
const gateway: EtcdClient = { ...undefinedOnly<EtcdClient>(), endpoints: 'http://h' };
void [generators, codecs, lists, seals, friendlies, leased, gateway];
new Codec('base62', { width: undefined, check: undefined });
explain(1n, { now: undefined });
layout.encode({ timeMs: 5, time: undefined, sequence: undefined });
initNamespace('redis://h?namespace=orders', { layout: undefined, fresh: undefined });
leases('redis://h?namespace=orders', { layout: undefined });
raiseFloor('redis://h?namespace=orders', { timeMs: 5, id: undefined, layout: undefined });

const uuids = new Uuid7({ worker: { datacenter: 1, worker: 2n }, layout: 'twitter', maxWaitMs: 5, clock });
const nextUuid: string = uuids.nextId();
const maybeUuid: string | null = uuids.tryNextId();
const laterUuid: Promise<string> = uuids.nextIdAsync();
const uuidList: string[] = uuids.nextIds(3);
const uuidBytes: Uint8Array = uuids.fill(new Uint8Array(48));
const uuidParts: Uuid7Parts = uuids.decode(nextUuid);
const tail: bigint = uuidParts.tail;
const tailText: string = uuidParts.toJSON().tail;
const range: [string, string] = [uuids.firstId(new Date()), uuids.lastId(5n)];
const leasedUuids: Promise<Uuid7> = Uuid7.open({ worker: 'redis://h?namespace=orders' });
const heldMs: number = uuids.stats().heldMs;
const never: string = new Uuid4({ clock, entropy: new Uint8Array(16) }).tryNextId();
const objectIds = new ObjectIds({ maxLeadMs: 5 });
const objectIdParts: ObjectIdParts = objectIds.decode(objectIds.nextId());
const process: bigint = objectIdParts.process;
const asUuid: string = layout.toUuid(1n);
const fromUuid: bigint = layout.fromUuid(asUuid);
void [maybeUuid, laterUuid, uuidList, uuidBytes, tail, tailText, range, leasedUuids, heldMs, never, process, fromUuid];

// A kind that is known says what its source is; one that is known at run time only, what all sources have.
const snowflakes: Generator = openSync('snowflake', { worker: 7 });
const opened7: Uuid7 = openSync('uuid7', { maxWaitMs: 5 });
const opened4: Promise<Uuid4> = open('uuid4');
const openedIds: ObjectIds = openSync('objectid');
declare const configured: string;
const anySource: IdSource = openSync(configured, { whatever: 1 });
const ownSource: Promise<IdSource<string>> = open<string>('mine', { store: 'redis://h' });
const sources: IdSource<bigint | string>[] = [snowflakes, opened7, openedIds];
const whatever: IdSource[] = [snowflakes, opened7];
const numbers: IdSource<bigint> = snowflakes;
const filledNumbers: BigUint64Array = numbers.fill(new BigUint64Array(3));
const texts: IdSource<string> = opened7;
const filledBytes: Uint8Array = texts.fill(new Uint8Array(32));
const names: string[] = kinds();
register('mine', () => texts);
register('late', async ({ first }) => (first === undefined ? numbers : openSync('uuid4')));
const uuid7Options: Uuid7Options = undefinedOnly<Omit<Uuid7Options, 'worker'>>();
void [opened4, anySource, ownSource, sources, whatever, filledNumbers, filledBytes, names, uuid7Options];
// @ts-expect-error an id of this kind is text
const wrongId: bigint = openSync('uuid7').nextId();
// @ts-expect-error misspelled option
openSync('uuid7', { maxWaitMS: 5 });
// @ts-expect-error it has no worker
void open('objectid', { worker: 7 });
// @ts-expect-error ids of 16 bytes are no numbers
uuids.fill(new BigUint64Array(2));
// @ts-expect-error a text of an id
uuids.decode(5n);
// @ts-expect-error no source
register('mine', () => 5);
void wrongId;

// Numbers of a counter.
const segment: Promise<Segment> = Segment.open({ store: 'redis://h?namespace=orders', name: 'orders', step: 1n });
const segmentOfStore: Promise<Segment> = open('segment', { store: redisStore, name: 'orders', signal: unheard });
const segmentAt: Promise<Segment> = open('segment:postgresql://h/d?namespace=orders', { name: 'orders', holdMs: 5 });
const address: StoreAddress = 'etcd://h?namespace=orders';
const segmentOptions: SegmentOptions = {
  ...undefinedOnly<Omit<SegmentOptions, 'store' | 'name'>>(),
  store: address,
  name: 'a',
};
void segment.then(async (one) => {
  const next: bigint = one.nextId();
  const maybeNext: bigint | null = one.tryNextId();
  const many: BigUint64Array = one.nextIds(5);
  const manyLater: BigUint64Array = await one.nextIdsAsync(5, { signal: unheard });
  const later: bigint = await one.nextIdAsync({ signal: unheard });
  const { held, step, fetches, lastFetchMs, jumps, left }: Stats = one.stats();
  const { name: stateName }: GeneratorState = one.state();
  const asSource: IdSource<bigint> = one;
  const kind: 'segment' = one.kind;
  await one[Symbol.asyncDispose]();
  return [
    next,
    maybeNext,
    many,
    manyLater,
    later,
    held,
    step,
    fetches,
    lastFetchMs,
    jumps,
    left,
    stateName,
    asSource,
    kind,
  ];
});

// Numbers that begin with the date.
const dates: Promise<DateIds> = DateIds.open({ store: 'redis://h?namespace=orders', name: 'orders', prefix: 'ORD' });
const datesOfStore: Promise<DateIds> = open('date', { store: redisStore, name: 'orders', signal: unheard });
const datesAt: Promise<DateIds> = open('date:postgresql://h/d?namespace=orders', { name: 'orders', zone: '+08:00' });
const dateOptions: DateOptions = {
  ...undefinedOnly<Omit<DateOptions, 'store' | 'name'>>(),
  store: address,
  name: 'a',
  period: 'yyyyMM',
};
const dateNumbersOptions: DateNumbersOptions = undefinedOnly<DateNumbersOptions>();
void dates.then(async (one) => {
  const next: bigint = one.nextId();
  const maybeNext: bigint | null = one.tryNextId();
  const many: BigUint64Array = one.fill(one.nextIds(5));
  const manyLater: BigUint64Array = await one.nextIdsAsync(5, { signal: unheard });
  const numbers: DateNumbers = one.numbers;
  const { label, count }: DateParts = numbers.parts(await one.nextIdAsync());
  const number: bigint = numbers.number(label, 5n);
  const parsed: bigint = numbers.parse(numbers.text(number));
  const period: DatePeriod = numbers.period;
  const asSource: IdSource<bigint> = one;
  const kind: 'date' = one.kind;
  await one[Symbol.asyncDispose]();
  return [next, maybeNext, many, manyLater, count, parsed, period, numbers.digits, numbers.prefix, asSource, kind];
});
const madeOfDates = initCounter(address, 'orders', { after: 0, kind: 'date', period: 'yyyy', digits: 4, zone: 'UTC' });
void [datesOfStore, datesAt, dateOptions, new DateNumbers(), new DateNumbers(dateNumbersOptions), madeOfDates];
// @ts-expect-error a source of dates is opened with await
new DateIds({ store: address, name: 'orders' });
// @ts-expect-error it asks its store
openSync('date', { store: address, name: 'orders' });
// @ts-expect-error the same
openSync('date:redis://h', { name: 'orders' });
// @ts-expect-error no such period
new DateNumbers({ period: 'day' });
// @ts-expect-error its step does not adapt
DateIds.open({ store: address, name: 'orders', holdMs: 5 });
// @ts-expect-error a number of a date is a bigint
new DateNumbers().text(20230414000001);

const counterOptions: CounterOptions = { ...undefinedOnly<Omit<CounterOptions, 'after'>>(), after: 5n };
const made: Promise<void> = initCounter(address, ['orders', 'invoices'], {
  after: 0,
  failover: 'stop',
  top: 2n ** 40n,
});
const set: Promise<void> = raiseCounter(redisStore, 'orders', { after: 1_000n });
const states: Promise<CounterState[]> = counters(address);
const found: { next: bigint; jumpTo: bigint | null; periodLabel: number | null } = (await states)[0]!;
void initCounter(address, { orders: 5, invoices: 7n });
void initCounter(address, new Map([['orders', 5n]]), { kind: 'date', period: 'yyyyMM', digits: 4, zone: '+08:00' });
void raiseCounter(address, 'orders', { after: 7, period: 20_260_414 });
void initCounterOfRedis(redisStore, 'orders', counterOptions);
void [segmentOfStore, segmentAt, segmentOptions, made, set, found];
// @ts-expect-error a segment is opened with await
new Segment({ store: address, name: 'orders' });
// @ts-expect-error a segment asks its store
openSync('segment', { store: address, name: 'orders' });
// @ts-expect-error the same
openSync('segment:redis://h', { name: 'orders' });
// @ts-expect-error no counter is named
Segment.open({ store: address });
// @ts-expect-error no store
open('segment', { name: 'orders' });
// @ts-expect-error two stores
open('segment:redis://h?namespace=orders', { name: 'orders', store: address });
// @ts-expect-error no address
Segment.open({ store: 'host', name: 'orders' });
// @ts-expect-error a mapping has its numbers
initCounter(address, { orders: 5 }, { after: 7 });
// @ts-expect-error a counter needs its first number
initCounter(address, 'orders', {});

// Numbers of ticket servers.
const server: TicketServer = 'mysql://h/db';
const ticketOptions: TicketOptions = {
  ...undefinedOnly<Omit<TicketOptions, 'store'>>(),
  store: [server, async () => ({})],
};
const tickets: Promise<Tickets> = Tickets.open({ store: server, table: 'db.Tickets64', timeoutMs: 5n });
const ticketsOfKind: Promise<Tickets> = open('ticket', { store: [server, 'mysql://g/db'], signal: unheard });
const ticketsAt: Promise<Tickets> = open('ticket:mysql://h/db', { table: 'Tickets32' });
void tickets.then(async (one) => {
  const none: null = one.tryNextId();
  const later: bigint = await one.nextIdAsync({ signal: unheard });
  const many: BigUint64Array = await one.nextIdsAsync(5, { signal: unheard });
  const { issued, storeFailures }: Stats = one.stats();
  const asSource: IdSource<bigint> = one;
  const kind: 'ticket' = one.kind;
  await one[Symbol.asyncDispose]();
  return [none, later, many, issued, storeFailures, asSource, kind, one.state()];
});
void [ticketOptions, ticketsOfKind, ticketsAt];
// @ts-expect-error they are opened with await
new Tickets({ store: server });
// @ts-expect-error they ask their servers
openSync('ticket', { store: server });
// @ts-expect-error no servers
open('ticket', {});
// @ts-expect-error another database
Tickets.open({ store: 'postgresql://h/db' });

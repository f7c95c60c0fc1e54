/**
 * Polyflake: 64-bit, time-ordered ids that are never equal.
 *
 * Start with `new Generator()` and `nextId()`, or with the function `nextId()`; `Layout` takes ids apart and puts
 * them together. Ids are BigInt or decimal strings: a JavaScript number cannot hold every id.
 *
 * Every failure is a `PolyflakeError`; where a comment names codes, they are meant without 'ERR_POLYFLAKE_' and in
 * lower case. A value of a wrong type has the code of its subject: layout_invalid, worker_source_invalid,
 * field_out_of_range, id_out_of_range, text_invalid, else option_invalid. Objects belong to the thread that made them;
 * generators of all threads of a process share their state.
 */

import type { Store } from './stores/index.js';

/** The core's table of codes. */
export type PolyflakeErrorCode =
  | 'ERR_POLYFLAKE_LAYOUT_INVALID'
  | 'ERR_POLYFLAKE_LAYOUT_TOO_WIDE'
  | 'ERR_POLYFLAKE_UNKNOWN_PRESET'
  | 'ERR_POLYFLAKE_FIELD_OUT_OF_RANGE'
  | 'ERR_POLYFLAKE_UNKNOWN_FIELD'
  | 'ERR_POLYFLAKE_ID_OUT_OF_RANGE'
  | 'ERR_POLYFLAKE_TEXT_INVALID'
  | 'ERR_POLYFLAKE_OPTION_INVALID'
  | 'ERR_POLYFLAKE_CLOCK_BEFORE_EPOCH'
  | 'ERR_POLYFLAKE_CLOCK_BEHIND'
  | 'ERR_POLYFLAKE_TIME_EXHAUSTED'
  | 'ERR_POLYFLAKE_WORKER_IN_USE'
  | 'ERR_POLYFLAKE_NO_WORKER_FREE'
  | 'ERR_POLYFLAKE_WORKER_SOURCE_INVALID'
  | 'ERR_POLYFLAKE_REGISTRY_UNUSABLE'
  | 'ERR_POLYFLAKE_FORKED_GENERATOR'
  | 'ERR_POLYFLAKE_GENERATOR_CLOSED'
  | 'ERR_POLYFLAKE_LEASE_LOST'
  | 'ERR_POLYFLAKE_STORE_UNAVAILABLE'
  | 'ERR_POLYFLAKE_CLOCK_SKEW'
  | 'ERR_POLYFLAKE_LAYOUT_MISMATCH'
  | 'ERR_POLYFLAKE_NAMESPACE_NOT_INITIALISED'
  | 'ERR_POLYFLAKE_WRONG_NAMESPACE';

/**
 * What kind of failure a code is: 'argument' (correct the call), 'clock', 'worker' (its node id or where that comes
 * from), 'state' (of the generator), 'lease'.
 */
export type PolyflakeErrorKind = 'argument' | 'clock' | 'worker' | 'state' | 'lease';

/** A failure. Codes and kinds are stable, messages are for people and may change. */
export class PolyflakeError extends Error {
  private constructor();
  /** The code's kind; undefined for ERR_POLYFLAKE_OUT_OF_MEMORY and ERR_POLYFLAKE_INTERNAL. */
  readonly kind: PolyflakeErrorKind | undefined;
  /** A row of the core's table, or ERR_POLYFLAKE_OUT_OF_MEMORY or ERR_POLYFLAKE_INTERNAL. */
  readonly code: PolyflakeErrorCode | 'ERR_POLYFLAKE_OUT_OF_MEMORY' | 'ERR_POLYFLAKE_INTERNAL';
}

/** An integer: a BigInt, or a number that is a safe integer. */
export type Integer = number | bigint;

/** How an id is written: canonical decimal (1 to 20 digits), or exactly 16 lower-case hexadecimal digits. */
export type Codec = 'decimal' | 'hex';

/** A clock that stands until it is told to move: for exact tests. A generator that must wait moves it instead. */
export class ManualClock {
  /**
   * @param timeMs Unix milliseconds
   * @throws PolyflakeError option_invalid
   */
  constructor(timeMs: Integer);
  /**
   * Moves the clock to this Unix time in ms, forwards or backwards.
   * @throws PolyflakeError option_invalid
   */
  set(timeMs: Integer): void;
  /**
   * Moves the clock by this many milliseconds; negative is backwards.
   * @throws PolyflakeError option_invalid
   */
  advance(ms: Integer): void;
  /** Unix milliseconds. */
  readonly timeMs: number;
}

/** The parts of an id. JSON.stringify() takes them, with text for what JSON numbers cannot hold. */
export interface Parts {
  /** The beginning of the tick; an invalid Date where it is beyond what Date can show (the year 275760). */
  time: Date;
  /** The beginning of the tick in Unix ms; exact up to 2^53. */
  timeMs: number;
  /** Ticks since the epoch; always exact. */
  tick: bigint;
  sequence: number;
  /** The node fields read as one number, most significant first. */
  node: bigint;
  /** The node fields by name. */
  fields: Record<string, number>;
  /** The same for JSON: `tick` and `node` as decimal text. Not enumerable: copies made by spreading are without it. */
  toJSON(): Omit<Parts, 'tick' | 'node' | 'toJSON'> & { tick: string; node: string };
}

/** When an id was issued, one of three ways. */
export type EncodeTime =
  | { tick: Integer; timeMs?: undefined; time?: undefined }
  | { timeMs: Integer; tick?: undefined; time?: undefined }
  | { time: Date; tick?: undefined; timeMs?: undefined };

/** What Layout.encode() takes: the time, the sequence and any node field by its name. */
export type EncodeParts = EncodeTime & { sequence?: Integer } & {
  [nodeField: string]: Integer | Date | undefined;
};

/** The fields of an id with their widths, the tick and the epoch. Immutable. */
export class Layout {
  /**
   * @param textOrPreset name of a preset, or a layout text such as
   *   'timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z'
   * @throws PolyflakeError layout_invalid, layout_too_wide, unknown_preset
   */
  constructor(textOrPreset: string);

  /** All fields, most significant first; widths in bits. */
  readonly fields: ReadonlyArray<{ readonly name: string; readonly width: number }>;
  /** The length of a tick in ms. */
  readonly tickMs: number;
  /** Tick 0, in Unix ms. */
  readonly epochMs: number;

  /**
   * The id with these parts. The sequence and node fields that are not given are 0; nothing is masked.
   * @throws PolyflakeError option_invalid (not exactly one time), field_out_of_range, unknown_field
   */
  encode(parts: EncodeParts): bigint;

  /**
   * The parts of an id.
   * @param id 0n to 18446744073709551615n, or its canonical decimal text
   * @throws PolyflakeError id_out_of_range, text_invalid
   */
  decode(id: bigint | string): Parts;

  /**
   * The smallest id of the tick that holds this instant (a Date, or Unix ms): the lower bound of a range query.
   * @throws PolyflakeError field_out_of_range, option_invalid
   */
  firstId(time: Date | Integer): bigint;

  /**
   * The largest id of the tick that holds this instant (a Date, or Unix ms): the upper bound of a range query.
   * @throws PolyflakeError field_out_of_range, option_invalid
   */
  lastId(time: Date | Integer): bigint;

  /** The canonical text, which gives an equal layout when parsed. */
  toString(): string;
}

/**
 * A source of node ids: 'host' (one that no other process of this host has), 'host:7' (that one), 'ordinal' (the
 * number at the end of the host name), or the address of a coordination store.
 *
 * Text that is known at run time only needs a cast, and is checked then: `worker: process.env.NODE_SOURCE as
 * WorkerSource`. An undefined one is refused. POLYFLAKE_WORKER needs no code at all: leave `worker` out.
 */
export type WorkerSource =
  | 'host'
  | `host:${number}`
  | 'ordinal'
  | `${'redis' | 'rediss' | 'redis+sentinel' | 'zookeeper' | 'etcd' | 'etcds' | 'postgresql' | 'mysql'}://${string}`;

/** What a generator is opened with. Unknown names are refused; undefined is as good as absent, save for `worker`. */
export interface GeneratorOptions {
  /**
   * Where the node id comes from: an integer (the node id) or an integer per node field, for which the caller
   * vouches, a source, or a store object. Stores need Generator.open().
   * Default: the environment's POLYFLAKE_WORKER, else 'host', which is safe on one host only and therefore refused
   * where a platform runs several copies of a program (Kubernetes, for one): say 'host' there if that is right. What is
   * given must not be undefined, null or '': that would be a node id which nobody asked for.
   */
  worker?: Integer | WorkerSource | Store | { readonly [nodeField: string]: Integer };
  /** Default: 'polyflake'. */
  layout?: string | Layout;
  /** The longest one call may wait for the clock, in ms. Default: 10. */
  maxWaitMs?: Integer;
  /** How far ids may run ahead of the clock without waiting, in ms. Default: 0. */
  maxLeadMs?: Integer;
  /**
   * How many values the first sequence of a tick is spread over; 1: it always is 0. Default, and most allowed: an
   * eighth of the sequence's capacity, at least 1.
   */
  sequenceSpread?: Integer;
  /**
   * 'strict', the default: an id is above all whose call returned before its call began. 'per_thread', for extreme
   * rates from many threads: only a thread's own ids rise, those of different threads are in order as far as the tick.
   */
  ordering?: 'strict' | 'per_thread';
  /** Default: the system's clock. */
  clock?: ManualClock;
}

/** Whether ids can be had, as far as is known without issuing one. */
export interface GeneratorState {
  /**
   * 'starting': the node id may not be used yet, the first id waits; 'open'; 'waiting': for the clock; 'lost': the node
   * id is, and the next call takes one anew or fails; 'closed'.
   */
  name: 'starting' | 'open' | 'waiting' | 'lost' | 'closed';
  /** What the next call would fail with; null where nothing stops it. */
  code: PolyflakeErrorCode | null;
}

/** Where a generator stands. */
export interface Stats {
  /** Ids issued. */
  issued: number;
  /** Calls that had to wait, and how long in all. */
  waits: number;
  waitedMs: number;
  /** How often the sequence was used up before its tick was over. */
  sequenceExhaustions: number;
  /** How often the clock was seen to go back, and the farthest. */
  clockStepsBack: number;
  largestStepBackMs: number;
  /** How far the last id is ahead of the clock; 0 when it is not. */
  leadMs: number;
  /** Unix ms at which the current grant ends. */
  untilMs: number;
  /** Years until the layout's last tick. */
  yearsLeft: number;
  /** Of a lease: how often its store confirmed a longer window, and how often it gave no answer; 0 for other workers. */
  renewals: number;
  storeFailures: number;
  /** Of a lease. */
  namespaceUuid?: string;
}

/**
 * Issues ids, strictly increasing. Generators of one process with one layout and node id share one state, on all
 * its threads and however often they are made, so "a new generator per request" is harmless. A forked `cluster`
 * worker is another process: it needs another node id.
 */
export class Generator {
  /**
   * Never waits; the first id does, where the node id may not be used yet: a tick for a static number, up to 2 s for a
   * `host` node id in a new registry folder or of a process that was killed a moment ago. Blocks: a `host` source
   * reads and writes files, some milliseconds; Generator.open() does so on another thread.
   * @throws PolyflakeError option_invalid, worker_source_invalid, field_out_of_range, unknown_field,
   *   layout_invalid, layout_too_wide, unknown_preset, clock_before_epoch, time_exhausted, worker_in_use,
   *   no_worker_free, registry_unusable, forked_generator; option_invalid also for a store, which only
   *   open can ask
   */
  constructor(options?: GeneratorOptions);

  /**
   * Opens a generator without blocking the event loop. Options are those of the constructor. Take the first id by
   * nextIdAsync(), which does not block either.
   *
   * A worker may be the address of a store, such as 'redis://host/0?namespace=orders', or a store object of
   * 'polyflake/stores/...': then a node id is leased there, which takes a few round trips. The lease renews itself in the
   * background and never keeps the process alive. It lives in the thread that opened it: when a worker thread ends, its
   * lease ends with its window, while other threads go on with leases of their own. When the event loop has nothing left
   * to do, the node id is given back; after process.exit() or a crash its window ends by itself, some seconds later.
   * @throws PolyflakeError as new Generator(); with a store namespace_not_initialised, wrong_namespace, layout_mismatch,
   *   store_unavailable, clock_skew, no_worker_free
   */
  static open(options?: GeneratorOptions): Promise<Generator>;

  /**
   * The next id, below 2^63. Blocks this thread for at most maxWaitMs or one tick, whichever is longer; the first call
   * also for what is left until the node id may be used. Once in 2 s a call does the file I/O of a `host` source. With a
   * lease it never does I/O, and where nothing can be claimed it throws at once, as its event loop has to turn for that.
   * @throws PolyflakeError clock_behind, clock_before_epoch, time_exhausted, generator_closed, forked_generator,
   *   registry_unusable, and where a node id is taken anew worker_in_use, no_worker_free; of a lease store_unavailable,
   *   lease_lost, clock_skew, layout_mismatch, namespace_not_initialised, wrong_namespace
   */
  nextId(): bigint;

  /**
   * The next id, or null where nextId() would have to wait. Never waits; I/O is that of nextId().
   * @throws PolyflakeError as nextId()
   */
  tryNextId(): bigint | null;

  /**
   * The next id as canonical decimal text: for JSON. Waits like nextId().
   * @throws PolyflakeError as nextId()
   */
  nextIdString(): string;

  /**
   * The next id. Waits without blocking the event loop; what remains is the short file I/O of a `host` source, once
   * in 2 s. Of a lease it waits until the first window begins, and for one that is late as long as renewWaitMs. Fake timers
   * of test tools do not matter.
   * @throws PolyflakeError as nextId(); generator_closed also where it is closed meanwhile
   */
  nextIdAsync(): Promise<bigint>;

  /**
   * The next `count` ids: exactly those that as many calls of nextId() would give. Blocks this thread as long as
   * their number needs.
   * @throws PolyflakeError option_invalid, and as nextId()
   */
  nextIds(count: number): BigUint64Array;

  /**
   * Fills the array with the next ids and returns it. Blocks like nextIds(). When it throws, the array's content is
   * unspecified and must not be used.
   * @throws PolyflakeError option_invalid (not a BigUint64Array), and as nextId()
   */
  fill<A extends BigUint64Array>(ids: A): A;

  /**
   * Does the file I/O of a `host` source ahead of need, so that no call for an id meets it for about 2 s; nothing to
   * do for a static number. Blocks: I/O. A lease is renewed in the background, soon after.
   * @throws PolyflakeError as nextId()
   */
  renew(): void;

  /** Whether ids can be had: for health checks. Issues nothing, does no I/O, never throws. */
  state(): GeneratorState;

  /**
   * Ends this generator: calls that issue ids fail with generator_closed from now on. Idempotent. The last generator of a
   * lease gives its node id back, in the background and for at most half a second.
   */
  close(): void;

  /** close(), for `using`, where the runtime has Symbol.dispose. */
  [Symbol.dispose](): void;

  /** close() for `await using`: resolves when the node id of a lease was given back, or that was given up. */
  [Symbol.asyncDispose](): Promise<void>;

  /** Whether close() was called. */
  readonly closed: boolean;

  /** The node id: the node fields read as one number. */
  readonly worker: bigint;

  readonly layout: Layout;

  /** Where this generator stands. Counters are those of the shared state. */
  stats(): Stats;
}

/**
 * The next id of the default generator: the one that setDefault() was given, else one with default options, opened at
 * the first call. One per thread. Blocks like Generator.nextId(), the first call also like the constructor.
 * @throws PolyflakeError as Generator.nextId() and, at the first call, new Generator()
 */
export function nextId(): bigint;

/**
 * The same as canonical decimal text: for JSON.
 * @throws PolyflakeError as nextId()
 */
export function nextIdString(): string;

/**
 * Makes this the default generator of this thread. Call it before the first id: later it is refused, and so is another
 * one than was set before.
 * @throws PolyflakeError option_invalid
 */
export function setDefault(generator: Generator): void;

/**
 * The parts of an id; see Layout.decode(). Without a layout: the preset 'polyflake', also after setDefault().
 * @throws PolyflakeError as Layout.decode() and new Layout()
 */
export function decode(id: bigint | string, layout?: string | Layout): Parts;

/**
 * An id as text; 'decimal' by default.
 * @throws PolyflakeError id_out_of_range, option_invalid
 */
export function toText(id: bigint, codec?: Codec): string;

/**
 * The id that a text stands for; 'decimal' by default. Only the spelling that toText() gives is accepted.
 * @throws PolyflakeError text_invalid, id_out_of_range, option_invalid
 */
export function fromText(text: string, codec?: Codec): bigint;

/** The names of the presets. */
export const presets: ReadonlyArray<string>;

/** The version of the core. */
export const version: string;

declare global {
  interface SymbolConstructor {
    /** Of newer standard libraries; declared here so that older ones accept Generator[Symbol.dispose]. */
    readonly dispose: unique symbol;
    readonly asyncDispose: unique symbol;
  }
}

/**
 * Polyflake: 64-bit, time-ordered ids that are never equal.
 *
 * Start with `new Generator()` and `nextId()`, or with the function `nextId()`; `Layout` takes ids apart and puts
 * them together. Ids are BigInt or decimal strings: a JavaScript number cannot hold every id.
 *
 * Every failure is a `PolyflakeError`; where a comment names codes, they are meant without 'ERR_POLYFLAKE_' and in
 * lower case. Objects belong to the thread that made them; generators of all threads of a process share their state.
 */

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

/** A failure. Codes are stable, messages are for people and may change. */
export class PolyflakeError extends Error {
  private constructor();
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
  /** Moves the clock to this Unix time in ms, forwards or backwards. */
  set(timeMs: Integer): void;
  /** Moves the clock by this many milliseconds; negative is backwards. */
  advance(ms: Integer): void;
  /** Unix milliseconds. */
  readonly timeMs: number;
}

/** The parts of an id. */
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

/** What a generator is opened with. Unknown names are refused. */
export interface GeneratorOptions {
  /**
   * Where the node id comes from: an integer (the node id) or an integer per node field, for which the caller
   * vouches, or a source: 'host' (one that no other process of this host has), 'host:7', 'ordinal'.
   * Default: the environment's POLYFLAKE_WORKER, else 'host'. `host` is safe on one host only.
   */
  worker?: Integer | string | { readonly [nodeField: string]: Integer };
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
  /** Unix ms at which the present grant ends. */
  untilMs: number;
  /** Years until the layout's last tick. */
  yearsLeft: number;
}

/**
 * Issues ids, strictly increasing. Generators of one process with one layout and node id share one state, on all
 * its threads and however often they are made, so "a new generator per request" is harmless. A forked `cluster`
 * worker is another process: it needs another node id.
 */
export class Generator {
  /**
   * Blocking: waits until the node id may be used, one tick for a static number (once per process), up to 2 s for a
   * `host` node id that is used for the first time on this machine or was held by a process killed a moment ago. A
   * `host` source reads and writes files. Generator.open() does the same without blocking.
   * @throws PolyflakeError option_invalid, worker_source_invalid, field_out_of_range, unknown_field,
   *   layout_invalid, layout_too_wide, unknown_preset, clock_before_epoch, time_exhausted, worker_in_use,
   *   no_worker_free, registry_unusable
   */
  constructor(options?: GeneratorOptions);

  /** Opens a generator without blocking the event loop. Options and errors are those of the constructor. */
  static open(options?: GeneratorOptions): Promise<Generator>;

  /**
   * The next id, below 2^63. Blocks this thread for at most maxWaitMs or one tick, whichever is longer; once in 2 s
   * a call does the file I/O of a `host` source.
   * @throws PolyflakeError clock_behind, clock_before_epoch, time_exhausted, generator_closed, forked_generator,
   *   and for the `host` source those of opening it
   */
  nextId(): bigint;

  /** The next id, or null where nextId() would have to wait. Never waits. Errors are those of nextId(). */
  tryNextId(): bigint | null;

  /** The next id as canonical decimal text: for JSON. Waits and fails like nextId(). */
  nextIdString(): string;

  /**
   * The next id. Waits on a timer, so the event loop goes on; what remains is the short file I/O of a `host` source,
   * once in 2 s. Rejects with the errors of nextId(); with generator_closed, too, if it is closed meanwhile.
   */
  nextIdAsync(): Promise<bigint>;

  /**
   * The next `count` ids: exactly those that as many calls of nextId() would give. Blocks this thread as long as
   * their number needs.
   * @throws PolyflakeError option_invalid, and those of nextId()
   */
  nextIds(count: number): BigUint64Array;

  /**
   * Fills the array with the next ids and returns it. Blocks like nextIds(). When it throws, the array's content is
   * unspecified and must not be used.
   * @throws PolyflakeError option_invalid (not a BigUint64Array), and those of nextId()
   */
  fill<A extends BigUint64Array>(ids: A): A;

  /** Ends this generator: calls that issue ids fail with generator_closed from now on. Idempotent. */
  close(): void;

  /** close(), for `using`, where the runtime has Symbol.dispose. */
  [Symbol.dispose](): void;

  /** Whether close() was called. */
  readonly closed: boolean;

  /** The node id: the node fields read as one number. */
  readonly worker: bigint;

  readonly layout: Layout;

  /** Where this generator stands. Counters are those of the shared state. */
  stats(): Stats;
}

/**
 * The next id of a generator with default options, which is opened at the first call. Blocks like the constructor
 * then, like Generator.nextId() later; fails like both.
 */
export function nextId(): bigint;

/** The parts of an id; see Layout.decode(). Without a layout: the preset 'polyflake'. */
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
  }
}

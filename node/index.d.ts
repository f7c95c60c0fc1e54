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
  | 'ERR_POLYFLAKE_WRONG_NAMESPACE'
  | 'ERR_POLYFLAKE_UNKNOWN_KIND';

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
  /** Of text that was refused as the text of ids or as a key file: the index of the character at fault, or the text's length where more was due. */
  readonly position?: number;
}

/** An integer: a BigInt, or a number that is a safe integer. */
export type Integer = number | bigint;

/** The names of codecs: see `Codec`. */
export type CodecName =
  'decimal' | 'hex' | 'crockford32' | 'base36' | 'base58' | 'base62' | 'zbase32' | 'base58-flickr';

export interface CodecOptions {
  /**
   * The number of characters of every text, a check symbol not counted: 0 for as few as the id needs, up to those of
   * 2^64 - 1. Without it the width of the codec's own.
   */
  width?: Integer | undefined;
  /** A check symbol at the end, which finds every wrong character; 'crockford32' alone has one. */
  check?: boolean | undefined;
}

/**
 * How ids are written: short, strict text. `new Codec('base62').encode(id)`, and `decode(text)` back.
 *
 * Names: 'decimal', 'hex' (16 characters), 'crockford32' (13), 'base36' (13), 'base58' (11), 'base62' (11), and for
 * interchange 'zbase32' and 'base58-flickr'. Those without a width of their own use as few characters as the id needs.
 * Texts of one width sort like their ids, but for the last two. A codec hides nothing: an id's time can be read from its
 * text. Immutable.
 */
export class Codec {
  /** @throws PolyflakeError option_invalid */
  constructor(name: CodecName, options?: CodecOptions);
  readonly name: CodecName;
  /** The digits, in the order of their values. */
  readonly digits: string;
  /** The number of characters of every text, a check symbol not counted; 0 for as few as an id needs. */
  readonly width: number;
  readonly check: boolean;
  /**
   * The text of an id, 0n to 2n ** 64n - 1n.
   * @throws PolyflakeError id_out_of_range (no id, or one that needs more characters than the width)
   */
  encode(id: bigint): string;
  /**
   * The id that encode() gave this text; every other spelling is refused.
   * @throws PolyflakeError text_invalid, id_out_of_range (2^64 or more), each with the `position` of the character at fault
   */
  decode(text: string): bigint;
  /**
   * The texts of many ids.
   * @throws PolyflakeError as encode(); the message has the index
   */
  encodeMany(ids: Iterable<bigint>): string[];
  /**
   * The ids of many texts.
   * @throws PolyflakeError as decode(); the message has the index
   */
  decodeMany(texts: Iterable<string>): BigUint64Array;
  /** With the options, for people. */
  toString(): string;
}

/** All are part of the format: a text is read with the options that it was written with. */
export interface SqidsOptions {
  /** At least 3 printable ASCII characters, each once; their order counts. By default a-z, A-Z and 0-9. */
  alphabet?: string | undefined;
  /** 0 (the default) to 255: shorter texts are filled up. */
  minLength?: Integer | undefined;
  /**
   * Words that no text has, in any case of letters; by default `Sqids.defaultBlocklist()`. Words may be added at any time:
   * texts written before are still read.
   */
  blocklist?: Iterable<string> | undefined;
}

/**
 * A list of ids as one short text, over all 64 bits: `new Sqids().encode([1n, 2n, 3n])`, and `decode(text)` back.
 * It hides nothing: who knows the alphabet reads the ids. Immutable.
 */
export class Sqids {
  /** @throws PolyflakeError option_invalid */
  constructor(options?: SqidsOptions);
  /** The words of the specification, as a new array to which words can be added. */
  static defaultBlocklist(): string[];
  readonly alphabet: string;
  readonly minLength: number;
  /**
   * The text of up to 1024 ids, or of a single one. No ids have the empty text.
   * @throws PolyflakeError id_out_of_range (no id), option_invalid (too many, or every text that they may have is blocked; more
   *   arguments than one)
   */
  encode(ids: bigint | Iterable<bigint>): string;
  /**
   * The ids that encode() gave this text; every other text is refused.
   * @throws PolyflakeError text_invalid, id_out_of_range (2^64 or more), each with the `position` of the first character that
   * differs from the text of the ids that were read
   */
  decode(text: string): bigint[];
  /** With the options but the blocklist, for people. */
  toString(): string;
}

/**
 * A list of ids as one short text, for those who have texts of Hashids already; new ones are better `Sqids`.
 * It hides nothing: the salt is no key. Immutable.
 */
export class Hashids {
  /**
   * All are part of the format: a text is read with those that it was written with.
   * @param salt any text, of which as many characters count as the alphabet has
   * @param minLength 0 to 1024: shorter texts are filled up
   * @param alphabet at least 16 printable ASCII characters, each once; by default a-z, A-Z and 1-90
   * @throws PolyflakeError option_invalid
   */
  constructor(salt?: string, minLength?: Integer, alphabet?: string);
  readonly alphabet: string;
  readonly minLength: number;
  /**
   * The text of up to 1024 ids, or of a single one. No ids have the empty text.
   * @throws PolyflakeError id_out_of_range (no id), option_invalid (too many; more arguments than one)
   */
  encode(ids: bigint | Iterable<bigint>): string;
  /**
   * The ids that encode() gave this text; every other text is refused.
   * @throws PolyflakeError text_invalid, id_out_of_range (2^64 or more), each with the `position` of the first character that
   * differs from the text of the ids that were read
   */
  decode(text: string): bigint[];
  /** With the options but the salt, for people. */
  toString(): string;
}

/** What a seal is made with. Unknown names are refused; undefined is as good as absent. */
export interface SealOptions {
  /**
   * What the ids are of, such as 'order': up to 255 bytes, no secret; a string stands for its UTF-8. Ids of another tweak
   * are sealed otherwise, and two Unicode normal forms are two tweaks. Default: ''.
   */
  tweak?: string | Uint8Array | undefined;
  /** 63, the default: ids below 2^63, which become numbers that fit a BIGINT. 64: every number. Never changed under a key. */
  bits?: 63 | 64 | undefined;
  /** 1 to 8 of 0-9A-Za-z, put in front of each text: see SealRing. Case matters, whatever the codec. Default: null, for none. */
  keyId?: string | null | undefined;
}

/**
 * A keyed permutation of ids, for numbers and texts that go out instead of ids and tell neither time nor volume. FF1 with
 * AES, of NIST SP 800-38G.
 *
 * A seal is no signature: every text that fits gives some id, so look it up, as always. It hides neither that two ids are
 * equal nor that there is one. Immutable; what AES made of the key is wiped some time after the seal is gone. The Uint8Array
 * is yours: fill(0) wipes it, once the seal is made.
 */
export class Seal {
  /**
   * @param key 16, 24 or 32 random bytes
   * @throws PolyflakeError option_invalid
   */
  constructor(key: Uint8Array, options?: SealOptions);

  /**
   * The seal of a key in a file: 32, 48 or 64 hex digits, and at most one line end; `openssl rand -hex 32` prints one. The
   * file must be a plain one, and not be readable by everybody or writable by others than its owner. What it has is in no
   * message. Blocks: file I/O.
   * @param path text, bytes or a file: URL, as node:fs takes it
   * @throws PolyflakeError option_invalid, text_invalid with the position in the file
   */
  static fromFile<T extends Seal>(
    this: new (key: Uint8Array, options?: SealOptions) => T,
    path: string | Uint8Array | { readonly href: string; readonly protocol: string },
    options?: SealOptions,
  ): T;

  /** As it was given; bytes are a copy. */
  readonly tweak: string | Uint8Array;
  readonly bits: 63 | 64;
  /** What stands in front of each text; null for nothing. */
  readonly keyId: string | null;

  /**
   * The sealed form of an id, a number of as many bits as the seal has.
   * @throws PolyflakeError id_out_of_range
   */
  seal(id: bigint): bigint;
  /**
   * The id of a sealed form. Any other number gives some id, too: look it up.
   * @throws PolyflakeError id_out_of_range
   */
  unseal(sealed: bigint): bigint;
  /**
   * The sealed form as text of this codec at its full width, behind the key id if there is one.
   * @param codec default 'base62': 11 characters
   * @throws PolyflakeError as seal(); option_invalid
   */
  encode(id: bigint, codec?: CodecName): string;
  /**
   * The id of a text that encode() gave. Any other text that fits gives some id, too: look it up.
   * @throws PolyflakeError option_invalid; with the position of the character at fault text_invalid (also of a key id that is
   *   another one), id_out_of_range
   */
  decode(text: string, codec?: CodecName): bigint;
  /**
   * The texts of many ids.
   * @throws PolyflakeError as encode(); the message has the index
   */
  encodeMany(ids: Iterable<bigint>, codec?: CodecName): string[];
  /**
   * The ids of many texts.
   * @throws PolyflakeError as decode(); the message has the index
   */
  decodeMany(texts: Iterable<string>, codec?: CodecName): BigUint64Array;
  /** With the options, for people; never with the key. */
  toString(): string;
}

/**
 * Seals of one tweak that were current one after the other: the first one seals, all of them open. For changing keys: each
 * seal has a key id of its own, one may have none. An id has as many texts that are taken as there are seals: compare opened
 * ids, not texts. Immutable.
 */
export class SealRing {
  /** @throws PolyflakeError option_invalid */
  constructor(seals: Iterable<Seal>);

  /** The first one is current. */
  readonly seals: readonly Seal[];

  /**
   * By the first seal.
   * @throws PolyflakeError as Seal.seal()
   */
  seal(id: bigint): bigint;
  /**
   * The id of a sealed form of the seal with this key id; null for the seal that has none.
   * @throws PolyflakeError option_invalid (no such seal), id_out_of_range
   */
  unseal(sealed: bigint, keyId: string | null): bigint;
  /**
   * By the first seal.
   * @throws PolyflakeError as Seal.encode()
   */
  encode(id: bigint, codec?: CodecName): string;
  /**
   * By the seal whose key id stands in front of the text.
   * @throws PolyflakeError as Seal.decode(); text_invalid for a key id of no seal, at position 0
   */
  decode(text: string, codec?: CodecName): bigint;
  /**
   * The texts of many ids.
   * @throws PolyflakeError as encode(); the message has the index
   */
  encodeMany(ids: Iterable<bigint>, codec?: CodecName): string[];
  /**
   * The ids of many texts.
   * @throws PolyflakeError as decode(); the message has the index
   */
  decodeMany(texts: Iterable<string>, codec?: CodecName): BigUint64Array;
  /** With the options of the seals, for people; never with a key. */
  toString(): string;
}

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
export type EncodeParts = EncodeTime & { sequence?: Integer | undefined } & {
  [nodeField: string]: Integer | Date | undefined;
};

/** The local time of friendly forms, by a zone or by an offset; UTC without either. */
export interface FriendlyOptions {
  /** A name that Intl knows, such as 'Asia/Shanghai'. */
  timeZone?: string | undefined;
  /** Seconds that local time is ahead of UTC: -64800 to 64800 (18 hours). */
  utcOffsetSeconds?: Integer | undefined;
}

/** What a preset makes of an id. */
export interface Explanation {
  preset: string;
  /** Whether the time is one at which the preset's system can have issued ids. */
  plausible: boolean;
  /** Null where the time is plausible. */
  whyNot: 'too_wide' | 'after_now' | 'near_epoch' | null;
  /** Null where the id has bits above the layout. */
  parts: Parts | null;
}

/**
 * Which system an unknown id may be from: what every preset makes of it, those that give a plausible time first.
 *
 * A time is plausible from a day after the preset's epoch to a day after `now`, by default the present. Among these, those
 * come first whose sequence and node fields need the fewest hexadecimal digits together, then those with the later time.
 * It is a ranking to look at: systems that differ by their epoch alone cannot be told apart.
 * @param id 0n to 18446744073709551615n, or its canonical decimal text
 * @throws PolyflakeError id_out_of_range, text_invalid, option_invalid
 */
export function explain(id: bigint | string, options?: { now?: Date | undefined }): Explanation[];

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

  /**
   * An id as text that people read, such as '20220320133617924-5-0': the beginning of its tick as yyyyMMddHHmmssSSS, the
   * node fields, most significant first, and the sequence. In UTC, or the local time that the options say.
   * @param id 0n to 18446744073709551615n, or its canonical decimal text
   * @throws PolyflakeError id_out_of_range (also a zone after the year 275760), text_invalid, option_invalid
   */
  friendly(id: bigint | string, options?: FriendlyOptions): string;

  /**
   * The id that friendly() gave this text with the same options. A time that the zone's clocks have twice, as they are
   * set back, is refused: give utcOffsetSeconds then.
   * @throws PolyflakeError text_invalid, field_out_of_range (what the layout does not have), each with the `position` of
   *   what is at fault; without one option_invalid, and field_out_of_range for a zone after the year 275760
   */
  fromFriendly(text: string, options?: FriendlyOptions): bigint;

  /**
   * An id as a UUID of version 7, which has its ms, its sequence and its node id, and zeros behind them: 36 characters.
   * @param id 0n to 2n ** 63n - 1n, or its canonical decimal text
   * @throws PolyflakeError layout_invalid (ticks other than 1 ms, or times that version 7 has no room for), id_out_of_range,
   *   text_invalid
   */
  toUuid(id: bigint | string): string;

  /**
   * The id that toUuid() gave this text; every other text is refused.
   * @throws PolyflakeError layout_invalid, text_invalid (with the `position` at fault), id_out_of_range (no UUID of version 7, or
   *   one with a tail), field_out_of_range (a time outside the layout)
   */
  fromUuid(text: string): bigint;

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
  layout?: string | Layout | undefined;
  /** The longest one call may wait for the clock, in ms. Default: 10. */
  maxWaitMs?: Integer | undefined;
  /** How far ids may run ahead of the clock without waiting, in ms. Default: 0. */
  maxLeadMs?: Integer | undefined;
  /**
   * How many values the first sequence of a tick is spread over; 1: it always is 0. Default, and most allowed: an
   * eighth of the sequence's capacity, at least 1.
   */
  sequenceSpread?: Integer | undefined;
  /**
   * 'strict', the default: an id is above all whose call returned before its call began. 'per_thread', for extreme
   * rates from many threads: only a thread's own ids rise, those of different threads are in order as far as the tick.
   */
  ordering?: 'strict' | 'per_thread' | undefined;
  /** Default: the system's clock. */
  clock?: ManualClock | undefined;
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
  /** By how many ms a clock that was set back is held up for ids that rise all the same (uuid7, objectid); 0 for others. */
  heldMs: number;
  /** Of a lease. */
  namespaceUuid?: string;
}

/**
 * Issues ids, strictly increasing. Generators of one process with one layout and node id share one state, on all
 * its threads and however often they are made, so "a new generator per request" is harmless. A forked `cluster`
 * worker is another process: it needs another node id.
 */
export class Generator implements IdSource<bigint> {
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

  readonly kind: 'snowflake';

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

  /**
   * The parts of an id of this layout.
   * @throws PolyflakeError as Layout.decode()
   */
  decode(id: bigint | string): Parts;

  /**
   * The smallest id of the tick that holds this instant (a Date, or Unix ms): the lower bound of a range query.
   * @throws PolyflakeError as Layout.firstId()
   */
  firstId(time: Date | Integer): bigint;

  /**
   * The largest id of the tick that holds this instant (a Date, or Unix ms): the upper bound of a range query.
   * @throws PolyflakeError as Layout.lastId()
   */
  lastId(time: Date | Integer): bigint;
}

/** What ids are filled into: of texts the bytes. Nothing where it is not known what ids are. */
export type IdMemory<Value> = [Value] extends [bigint] ? BigUint64Array : [Value] extends [string] ? Uint8Array : never;

/**
 * What all sources of ids have in common, whatever their ids are: for code that is told a kind by its configuration. A Generator,
 * Uuid7, Uuid4 and ObjectIds are sources, and what own kinds open. Errors: as each source says.
 */
export interface IdSource<Value = unknown> {
  /** 'snowflake', 'uuid7', ... */
  readonly kind: string;
  /** The next id. May block this thread for a moment, never for I/O with a store. */
  nextId(): Value;
  /** The next id, or null where nextId() would have to wait. */
  tryNextId(): Value | null;
  /** The next id as text: decimal, 8-4-4-4-12 or 24 hex digits. */
  nextIdString(): string;
  /** The next id. Waits without blocking the event loop. */
  nextIdAsync(): Promise<Value>;
  /** The next `count` ids: exactly those that as many calls of nextId() would give. */
  nextIds(count: number): ArrayLike<Value>;
  /** Fills the memory with the next ids, without gaps, and returns it. */
  fill<Memory extends IdMemory<Value>>(ids: Memory): Memory;
  /** Where the source stands. */
  stats(): object;
  /** Ends the source: calls that issue ids fail with generator_closed from now on. Idempotent. */
  close(): void;
  /** Whether close() was called. */
  readonly closed: boolean;
}

/** What a Uuid7 is opened with. Unknown names are refused; undefined is as good as absent, save for `worker`. */
export interface Uuid7Options {
  /**
   * Without it, ids have no node id, and chance keeps processes apart. With it, as of a Generator, each id carries the ms, the
   * sequence and the node id of a granted window, so that no two are equal whatever their random bits. Stores need
   * Uuid7.open(). POLYFLAKE_WORKER does not matter.
   */
  worker?: NonNullable<GeneratorOptions['worker']>;
  /** Goes with a worker, has ticks of 1 ms. Default: 'polyflake'. */
  layout?: string | Layout | undefined;
  /** The longest one call may wait for the clock, in ms. Default: 10. */
  maxWaitMs?: Integer | undefined;
  /** How far ids may run ahead of the clock without waiting, in ms. Default: 0. */
  maxLeadMs?: Integer | undefined;
  /** Default: the system's clock. */
  clock?: ManualClock | undefined;
  /**
   * For tests, together with a clock: what stands for random bits, words of 8 bytes, big endian. Without a worker the first one is
   * the key that decides where a tick begins; then each id takes one.
   */
  entropy?: Uint8Array | undefined;
}

/** What an id of a Uuid7 says. */
export interface Uuid7Parts {
  time: Date;
  /** Unix ms. */
  timeMs: number;
  /** Since the epoch of the layout, which without a worker is 1970. */
  tick: bigint;
  /** Its place within the tick. */
  sequence: number;
  /** 0n without a worker. */
  node: bigint;
  /** Random bits. */
  tail: bigint;
  /** For JSON.stringify(), which cannot write BigInt: what may pass 2^53 as text, the time as ISO 8601. Not enumerable. */
  toJSON(): Omit<Uuid7Parts, 'tick' | 'node' | 'tail' | 'toJSON'> & { tick: string; node: string; tail: string };
}

/**
 * UUIDs of version 7 (RFC 9562) as text of 36 characters, which rise for the life of the process, on all its threads.
 *
 * Without a worker the clock is held up where it is set back (`stats().heldMs`), so that no call fails for it. With a worker it
 * is a Generator's id, spelled as a UUID with a random tail, and all that a Generator says of clocks and waits holds. No
 * secrets: who sees one id knows when it was made, and may guess at others.
 */
export class Uuid7 implements IdSource<string> {
  /**
   * Never waits, and without a worker does no I/O; with a worker as new Generator().
   * @throws PolyflakeError option_invalid (also a store, which only open can ask, and a layout without a worker),
   *   layout_invalid (also ticks other than 1 ms), registry_unusable (no random bits), clock_before_epoch, time_exhausted; with
   *   a worker as new Generator()
   */
  constructor(options?: Uuid7Options);

  /**
   * Opens without blocking the event loop; options are those of the constructor. With a store, a node id is leased there, as by
   * Generator.open().
   * @throws PolyflakeError as new Uuid7(); with a store as Generator.open()
   */
  static open(options?: Uuid7Options): Promise<Uuid7>;

  readonly kind: 'uuid7';

  /**
   * The next id, above every id whose call returned before this one began: 8-4-4-4-12 lower-case hex digits. Blocks this thread
   * for at most maxWaitMs or 1 ms, whichever is longer; with a worker as Generator.nextId().
   * @throws PolyflakeError clock_before_epoch, clock_behind (a clock that was set back by more than 24 days), time_exhausted,
   *   generator_closed, registry_unusable, option_invalid (given entropy does not suffice); with a worker as Generator.nextId()
   */
  nextId(): string;

  /**
   * The next id, or null where nextId() would have to wait. Never waits.
   * @throws PolyflakeError as nextId()
   */
  tryNextId(): string | null;

  /** As nextId(). */
  nextIdString(): string;

  /**
   * The next id. Waits without blocking the event loop.
   * @throws PolyflakeError as nextId()
   */
  nextIdAsync(): Promise<string>;

  /**
   * The next `count` ids: exactly those that as many calls of nextId() would give. Blocks this thread as long as their number
   * needs.
   * @throws PolyflakeError option_invalid, and as nextId()
   */
  nextIds(count: number): string[];

  /**
   * Fills the array with the next ids, 16 bytes each, big endian, and returns it. Blocks like nextIds(). When it throws, the
   * array's content is unspecified and must not be used.
   * @throws PolyflakeError option_invalid (not a Uint8Array whose length is a multiple of 16), and as nextId()
   */
  fill<Memory extends Uint8Array>(ids: Memory): Memory;

  /** The node id of its worker, 0n without one. */
  readonly worker: bigint;

  /** Of its positions: the worker's, or the one of UUIDs without a worker. */
  readonly layout: Layout;

  /**
   * Moves the window of its worker on ahead of need, as Generator.renew() does. Without a worker there is nothing to do.
   * @throws PolyflakeError as Generator.renew()
   */
  renew(): void;

  /**
   * What an id of this source says. With another layout, of a worker, the parts would be others.
   * @throws PolyflakeError text_invalid (with the `position` at fault), id_out_of_range (no UUID of version 7), field_out_of_range
   *   (a time outside the layout)
   */
  decode(id: string): Uuid7Parts;

  /**
   * The smallest UUID of version 7 of this ms (a Date, or Unix ms), whatever made it: the lower bound of a range query.
   * @throws PolyflakeError field_out_of_range, option_invalid
   */
  firstId(time: Date | Integer): string;

  /**
   * The largest UUID of version 7 of this ms (a Date, or Unix ms): the upper bound of a range query.
   * @throws PolyflakeError field_out_of_range, option_invalid
   */
  lastId(time: Date | Integer): string;

  /** Whether ids can be had: for health checks. Issues nothing, does no I/O, never throws. */
  state(): GeneratorState;

  /** Where this source stands. Counters are those of the shared state. */
  stats(): Stats;

  /** As Generator.close(). */
  close(): void;

  /** close(), for `using`, where the runtime has Symbol.dispose. */
  [Symbol.dispose](): void;

  /** close() for `await using`: resolves when the node id of a lease was given back, or that was given up. */
  [Symbol.asyncDispose](): Promise<void>;

  readonly closed: boolean;
}

/** What a Uuid4 is opened with. Unknown names are refused; undefined is as good as absent. */
export interface Uuid4Options {
  /** For tests, together with entropy. */
  clock?: ManualClock | undefined;
  /** For tests, together with a clock: what stands for random bits, words of 8 bytes, big endian, two an id. */
  entropy?: Uint8Array | undefined;
}

/**
 * UUIDs of version 4 (RFC 9562) as text of 36 characters: 122 random bits, in no order, and certain of nothing but chance: of
 * 10^15 ids two are equal with a probability of one in ten million.
 */
export class Uuid4 implements IdSource<string> {
  /** @throws PolyflakeError option_invalid */
  constructor(options?: Uuid4Options);

  readonly kind: 'uuid4';

  /**
   * An id: 8-4-4-4-12 lower-case hex digits. Never waits.
   * @throws PolyflakeError generator_closed, registry_unusable (the operating system has no random bits), option_invalid (given
   *   entropy does not suffice)
   */
  nextId(): string;

  /** As nextId(): never null. */
  tryNextId(): string;

  /** As nextId(). */
  nextIdString(): string;

  /** As nextId(). */
  nextIdAsync(): Promise<string>;

  /**
   * So many ids.
   * @throws PolyflakeError option_invalid, and as nextId()
   */
  nextIds(count: number): string[];

  /**
   * Fills the array with ids, 16 bytes each, big endian, and returns it.
   * @throws PolyflakeError option_invalid (not a Uint8Array whose length is a multiple of 16), and as nextId()
   */
  fill<Memory extends Uint8Array>(ids: Memory): Memory;

  /** `issued`, and zeros: there is no clock to wait for. */
  stats(): Stats;

  /** Calls that issue ids fail with generator_closed from now on. Idempotent. */
  close(): void;

  /** close(), for `using`, where the runtime has Symbol.dispose. */
  [Symbol.dispose](): void;

  /** close() for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;

  readonly closed: boolean;
}

/** What ObjectIds are opened with. Unknown names are refused; undefined is as good as absent. */
export interface ObjectIdOptions {
  /** The longest one call may wait for the clock, in ms; a second is always waited out. Default: 10. */
  maxWaitMs?: Integer | undefined;
  /** How far ids may run ahead of the clock without waiting, in ms. Default: 0. */
  maxLeadMs?: Integer | undefined;
  /** Default: the system's clock. */
  clock?: ManualClock | undefined;
  /**
   * For tests, together with a clock: what stands for random bits, words of 8 bytes, big endian: the key that decides where a second
   * begins, then the process in its 40 low bits.
   */
  entropy?: Uint8Array | undefined;
}

/** What an ObjectId says. */
export interface ObjectIdParts {
  time: Date;
  /** Unix ms of the second. */
  timeMs: number;
  /** 40 random bits of the process. */
  process: bigint;
  /** 24 bits. */
  counter: number;
  /** For JSON.stringify(), which cannot write BigInt: the process as text, the time as ISO 8601. Not enumerable. */
  toJSON(): Omit<ObjectIdParts, 'process' | 'toJSON'> & { process: string };
}

/**
 * MongoDB's ObjectIds as text of 24 hex digits, which its drivers take as they are. They rise for the life of the process, on
 * all its threads, whatever its clock does.
 *
 * Unlike in MongoDB's specification the counter begins anew in each second, at a place that chance decides, and carries into
 * the next second: a counter that goes round falls from ffffff to 0 within a second, and repeats itself beyond 2^24 ids in one.
 * Servers and drivers take both. No secrets: who sees one id may guess others.
 */
export class ObjectIds implements IdSource<string> {
  /**
   * Never waits, does no I/O.
   * @throws PolyflakeError option_invalid, registry_unusable (no random bits), clock_before_epoch, time_exhausted
   */
  constructor(options?: ObjectIdOptions);

  readonly kind: 'objectid';

  /**
   * The next id, above every id whose call returned before this one began: 24 lower-case hex digits. Blocks this thread for at
   * most maxWaitMs or 1 s, whichever is longer.
   * @throws PolyflakeError clock_before_epoch, clock_behind (a clock that was set back by more than 24 days), time_exhausted,
   *   generator_closed, registry_unusable
   */
  nextId(): string;

  /**
   * The next id, or null where nextId() would have to wait. Never waits.
   * @throws PolyflakeError as nextId()
   */
  tryNextId(): string | null;

  /** As nextId(). */
  nextIdString(): string;

  /**
   * The next id. Waits without blocking the event loop.
   * @throws PolyflakeError as nextId()
   */
  nextIdAsync(): Promise<string>;

  /**
   * The next `count` ids: exactly those that as many calls of nextId() would give. Blocks this thread as long as their number
   * needs.
   * @throws PolyflakeError option_invalid, and as nextId()
   */
  nextIds(count: number): string[];

  /**
   * Fills the array with the next ids, 12 bytes each, big endian, and returns it. Blocks like nextIds(). When it throws, the
   * array's content is unspecified and must not be used.
   * @throws PolyflakeError option_invalid (not a Uint8Array whose length is a multiple of 12), and as nextId()
   */
  fill<Memory extends Uint8Array>(ids: Memory): Memory;

  /**
   * What an ObjectId says, whatever made it.
   * @throws PolyflakeError text_invalid, with the `position` at fault
   */
  decode(id: string): ObjectIdParts;

  /**
   * The smallest ObjectId of the second that holds this instant (a Date, or Unix ms), whatever made it: the lower bound of a
   * range query on `_id`.
   * @throws PolyflakeError field_out_of_range, option_invalid
   */
  firstId(time: Date | Integer): string;

  /**
   * The largest ObjectId of the second that holds this instant (a Date, or Unix ms): the upper bound of a range query.
   * @throws PolyflakeError field_out_of_range, option_invalid
   */
  lastId(time: Date | Integer): string;

  /** Whether ids can be had: for health checks. Issues nothing, does no I/O, never throws. */
  state(): GeneratorState;

  /** Where this source stands. Counters are those of the shared state. */
  stats(): Stats;

  /** Calls that issue ids fail with generator_closed from now on. Idempotent. */
  close(): void;

  /** close(), for `using`, where the runtime has Symbol.dispose. */
  [Symbol.dispose](): void;

  /** close() for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;

  readonly closed: boolean;
}

/** The kinds of this package. */
export type KindName = 'snowflake' | 'uuid7' | 'uuid4' | 'objectid';

/** What sources of own kinds are opened with: a plain object, whatever it has. */
export type KindOptions = Readonly<Record<string, unknown>>;

/**
 * Opens a source of ids by the name of its kind, 'name' or 'name:store': one of this package, as its class does, or an own one,
 * by its factory, which finds the store as the option `store`.
 * @throws PolyflakeError text_invalid (with the `position` at fault), unknown_kind, option_invalid (also an option or a store that
 *   the kind does not have), and as the source
 */
export function open(kind: 'snowflake', options?: GeneratorOptions): Promise<Generator>;
export function open(kind: 'uuid7', options?: Uuid7Options): Promise<Uuid7>;
export function open(kind: 'uuid4', options?: Uuid4Options): Promise<Uuid4>;
export function open(kind: 'objectid', options?: ObjectIdOptions): Promise<ObjectIds>;
export function open<Value = unknown, Kind extends string = string>(
  kind: Kind extends KindName ? never : Kind,
  options?: KindOptions,
): Promise<IdSource<Value>>;

/**
 * The same here and now, for kinds that no store has to be asked for: one with a store as worker is refused, as `new` does,
 * and so is an own kind whose factory returns a promise.
 * @throws PolyflakeError as open(), option_invalid also for a store
 */
export function openSync(kind: 'snowflake', options?: GeneratorOptions): Generator;
export function openSync(kind: 'uuid7', options?: Uuid7Options): Uuid7;
export function openSync(kind: 'uuid4', options?: Uuid4Options): Uuid4;
export function openSync(kind: 'objectid', options?: ObjectIdOptions): ObjectIds;
export function openSync<Value = unknown, Kind extends string = string>(
  kind: Kind extends KindName ? never : Kind,
  options?: KindOptions,
): IdSource<Value>;

/**
 * Makes `name` a kind of this thread, for its life: open() and openSync() call the factory. What it reads of its options, by
 * destructuring say, or deletes from them, it has taken; what is left is an error, and what it opened is closed: a warning
 * where that fails. It may throw what it likes.
 * @param name [a-z][a-z0-9_]{0,31}
 * @throws PolyflakeError text_invalid (no name, with the `position` at fault), option_invalid (taken, or no function)
 */
export function register(
  name: string,
  factory: (options: Record<string, unknown>) => IdSource<unknown> | Promise<IdSource<unknown>>,
): void;

/** The names of all kinds: those of this package, then those that were registered in this thread. */
export function kinds(): string[];

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
export function toText(id: bigint, codec?: CodecName): string;

/**
 * The id that a text stands for; 'decimal' by default. Only the spelling that toText() gives is accepted.
 * @throws PolyflakeError text_invalid, id_out_of_range, option_invalid
 */
export function fromText(text: string, codec?: CodecName): bigint;

/**
 * A replacer for JSON.stringify(): each BigInt becomes its decimal text, and a BigUint64Array, as nextIds() gives, an array of
 * them. In Express: app.set('json replacer', jsonReplacer).
 */
export function jsonReplacer(key: string, value: unknown): unknown;

/**
 * A reviver for JSON.parse(), strict: what has one of these keys, at any depth, is an id in decimal or null, or an array of those.
 * An id becomes a BigInt, the rest stays as it is.
 * @throws PolyflakeError option_invalid (no list of keys); the reviver itself text_invalid (also for a JSON number, which
 *   may have lost digits already), id_out_of_range
 */
export function jsonReviver(keys: Iterable<string>): (key: string, value: unknown) => unknown;

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

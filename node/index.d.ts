/**
 * Polyflake: unique 64-bit ids in order of time.
 *
 * Start with `new Generator()` and `nextId()`, or with the function `nextId()`. `Layout` splits an
 * id into its parts and joins them again. Ids are BigInt or decimal strings: a JavaScript number
 * cannot hold every id.
 *
 * Errors: every failure is a `PolyflakeError`. Comments name its codes in lower case, without
 * 'ERR_POLYFLAKE_'. A value of a wrong type has the code of its subject: layout_invalid,
 * worker_source_invalid, field_out_of_range, id_out_of_range, text_invalid, else option_invalid.
 *
 * Thread safety: an object belongs to the thread that made it. The generators of all threads of a
 * process share their state.
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
  | 'ERR_POLYFLAKE_UNKNOWN_KIND'
  | 'ERR_POLYFLAKE_RANGE_EXHAUSTED'
  | 'ERR_POLYFLAKE_STORE_WENT_BACK'
  | 'ERR_POLYFLAKE_STORE_MISCONFIGURED';

/**
 * The kind of a failure: 'argument' (correct the call), 'clock', 'worker' (the node id or its
 * source), 'state' (of the generator) or 'lease'.
 */
export type PolyflakeErrorKind = 'argument' | 'clock' | 'worker' | 'state' | 'lease';

/**
 * A failure. Codes and kinds are stable; messages are for people and may change. An error of
 * another copy or load of the package is an instance, too.
 */
export class PolyflakeError extends Error {
  private constructor();
  /** The kind of the code; undefined for ERR_POLYFLAKE_OUT_OF_MEMORY and ERR_POLYFLAKE_INTERNAL. */
  readonly kind: PolyflakeErrorKind | undefined;
  /** A row of the core's table, or ERR_POLYFLAKE_OUT_OF_MEMORY or ERR_POLYFLAKE_INTERNAL. */
  readonly code: PolyflakeErrorCode | 'ERR_POLYFLAKE_OUT_OF_MEMORY' | 'ERR_POLYFLAKE_INTERNAL';
  /**
   * Set if the text of an id, the name of a kind or a key file was refused: the index of the wrong
   * character, or the length of the text if it is too short.
   */
  readonly position?: number;
}

/** An integer: a BigInt, or a number that is a safe integer. */
export type Integer = number | bigint;

/** The names of codecs: see `Codec`. */
export type CodecName =
  'decimal' | 'hex' | 'crockford32' | 'base36' | 'base58' | 'base62' | 'zbase32' | 'base58-flickr';

export interface CodecOptions {
  /**
   * The number of characters of each text, without a check symbol. 0 means as few as the id needs;
   * the maximum is the length of 2^64 - 1. Default: the width of the codec.
   */
  width?: Integer | undefined;
  /**
   * Adds a check symbol at the end, which detects every wrong character. Only 'crockford32' has
   * one.
   */
  check?: boolean | undefined;
}

/**
 * Writes ids as short text and reads it strictly: `new Codec('base62').encode(id)`, and
 * `decode(text)` back.
 *
 * Names: 'decimal', 'hex' (16 characters), 'crockford32' (13), 'base36' (13), 'base58' (11),
 * 'base62' (11), and for interchange 'zbase32' and 'base58-flickr'. A codec without a width of its
 * own uses as few characters as the id needs. Texts of one width sort like their ids, except those
 * of the last two codecs. A codec hides nothing: a reader can compute the time of an id from its
 * text. Immutable.
 */
export class Codec {
  /** @throws PolyflakeError option_invalid */
  constructor(name: CodecName, options?: CodecOptions);
  readonly name: CodecName;
  /** The digits, in the order of their values. */
  readonly digits: string;
  /** The number of characters of each text, without a check symbol; 0 for as few as an id needs. */
  readonly width: number;
  readonly check: boolean;
  /**
   * Returns the text of an id, 0n to 2n ** 64n - 1n.
   * @throws PolyflakeError id_out_of_range (not an id, or it needs more characters than the width)
   */
  encode(id: bigint): string;
  /**
   * Returns the id that encode() gave this text. Refuses every other spelling.
   * @throws PolyflakeError text_invalid, id_out_of_range (2^64 or more), each with the `position`
   *   of the wrong character
   */
  decode(text: string): bigint;
  /**
   * Returns the texts of many ids.
   * @throws PolyflakeError as encode(); the message has the index
   */
  encodeMany(ids: Iterable<bigint>): string[];
  /**
   * Returns the ids of many texts.
   * @throws PolyflakeError as decode(); the message has the index
   */
  decodeMany(texts: Iterable<string>): BigUint64Array;
  /** Returns the name and the options, for people. */
  toString(): string;
}

/** All options are part of the format: read a text with the options that wrote it. */
export interface SqidsOptions {
  /**
   * At least 3 different printable ASCII characters; their order counts. Default: a-z, A-Z and 0-9.
   */
  alphabet?: string | undefined;
  /** 0 (the default) to 255. Shorter texts are padded. */
  minLength?: Integer | undefined;
  /**
   * Words that no text contains, regardless of case. Default: `Sqids.defaultBlocklist()`. You may
   * add words at any time: older texts remain readable.
   */
  blocklist?: Iterable<string> | undefined;
}

/**
 * Writes a list of ids, of all 64 bits, as one short text: `new Sqids().encode([1n, 2n, 3n])`, and
 * `decode(text)` back. It hides nothing: anyone who knows the alphabet can read the ids. Immutable.
 */
export class Sqids {
  /** @throws PolyflakeError option_invalid */
  constructor(options?: SqidsOptions);
  /** Returns the words of the specification, as a new array to which you can add words. */
  static defaultBlocklist(): string[];
  readonly alphabet: string;
  readonly minLength: number;
  /**
   * Returns the text of one id or of up to 1024 ids. An empty list has the empty text.
   * @throws PolyflakeError id_out_of_range (not an id), option_invalid (too many ids; every
   *   possible text is blocked; more than one argument)
   */
  encode(ids: bigint | Iterable<bigint>): string;
  /**
   * Returns the ids that encode() gave this text. Refuses every other text.
   * @throws PolyflakeError text_invalid, id_out_of_range (2^64 or more), each with the `position`
   *   of the first character that differs from the canonical text of the ids read
   */
  decode(text: string): bigint[];
  /** Returns the options without the blocklist, for people. */
  toString(): string;
}

/**
 * Writes a list of ids as one short text, for applications that already have Hashids. New
 * applications should use `Sqids`. It hides nothing: the salt is not a key. Immutable.
 */
export class Hashids {
  /**
   * All arguments are part of the format: read a text with the arguments that wrote it.
   * @param salt any text; characters beyond the alphabet's length are ignored
   * @param minLength 0 to 1024: shorter texts are padded
   * @param alphabet at least 16 different printable ASCII characters; default: a-z, A-Z, 1-9 and 0
   * @throws PolyflakeError option_invalid
   */
  constructor(salt?: string, minLength?: Integer, alphabet?: string);
  readonly alphabet: string;
  readonly minLength: number;
  /**
   * Returns the text of one id or of up to 1024 ids. An empty list has the empty text.
   * @throws PolyflakeError id_out_of_range (not an id), option_invalid (too many ids; more than one
   *   argument)
   */
  encode(ids: bigint | Iterable<bigint>): string;
  /**
   * Returns the ids that encode() gave this text. Refuses every other text.
   * @throws PolyflakeError text_invalid, id_out_of_range (2^64 or more), each with the `position`
   *   of the first character that differs from the canonical text of the ids read
   */
  decode(text: string): bigint[];
  /** Returns the options without the salt, for people. */
  toString(): string;
}

/** Options of a seal. Unknown names are refused; undefined counts as absent. */
export interface SealOptions {
  /**
   * The subject of the ids, such as 'order': up to 255 bytes, not secret. A string means its UTF-8.
   * Another tweak gives other sealed forms, and two Unicode normal forms are two tweaks. Default:
   * ''.
   */
  tweak?: string | Uint8Array | undefined;
  /**
   * 63, the default: ids below 2^63, whose sealed forms fit a BIGINT. 64: every number. Do not
   * change it while you keep the key.
   */
  bits?: 63 | 64 | undefined;
  /**
   * 1 to 8 characters of 0-9A-Za-z before each text: see SealRing. Case matters with every codec.
   * Default: null, for no key id.
   */
  keyId?: string | null | undefined;
}

/**
 * A keyed permutation of ids. Publish the sealed number or text instead of the id: it shows neither
 * the time nor the number of ids. Source: FF1 with AES, NIST SP 800-38G.
 *
 * A seal is not a signature: every well-formed text gives some id, so look the id up, as always. A
 * seal does not hide that two ids are equal, or that there is an id. Immutable. The key schedule of
 * AES is wiped some time after the seal is unreachable. The caller owns the Uint8Array and can wipe
 * it with fill(0) once the seal exists.
 */
export class Seal {
  /**
   * @param key 16, 24 or 32 random bytes
   * @throws PolyflakeError option_invalid
   */
  constructor(key: Uint8Array, options?: SealOptions);

  /**
   * Returns the seal of a key in a file: 32, 48 or 64 hex digits and at most one line end; `openssl
   * rand -hex 32` prints one. The file must be a regular file. It must not be readable by everyone
   * or writable by anyone but its owner. No message shows its content. Blocks: file I/O.
   * @param path text, bytes or a file: URL, as node:fs takes it
   * @throws PolyflakeError option_invalid, text_invalid with the position in the file
   */
  static fromFile<T extends Seal>(
    this: new (key: Uint8Array, options?: SealOptions) => T,
    path: string | Uint8Array | { readonly href: string; readonly protocol: string },
    options?: SealOptions,
  ): T;

  /** The tweak as it was given; bytes are a copy. */
  readonly tweak: string | Uint8Array;
  readonly bits: 63 | 64;
  /** The text before each sealed text; null for none. */
  readonly keyId: string | null;

  /**
   * Returns the sealed form of an id, a number of as many bits as the seal has.
   * @throws PolyflakeError id_out_of_range
   */
  seal(id: bigint): bigint;
  /**
   * Returns the id of a sealed form. Any other number gives some id, too: look it up.
   * @throws PolyflakeError id_out_of_range
   */
  unseal(sealed: bigint): bigint;
  /**
   * Returns the sealed form as text of this codec at its full width, after the key id if there is
   * one.
   * @param codec default 'base62': 11 characters
   * @throws PolyflakeError as seal(); option_invalid
   */
  encode(id: bigint, codec?: CodecName): string;
  /**
   * Returns the id of a text that encode() gave. Any other well-formed text gives some id, too:
   * look it up.
   * @throws PolyflakeError option_invalid; text_invalid (also if the key id is a different one) and
   *   id_out_of_range, each with the position of the wrong character
   */
  decode(text: string, codec?: CodecName): bigint;
  /**
   * Returns the texts of many ids.
   * @throws PolyflakeError as encode(); the message has the index
   */
  encodeMany(ids: Iterable<bigint>, codec?: CodecName): string[];
  /**
   * Returns the ids of many texts.
   * @throws PolyflakeError as decode(); the message has the index
   */
  decodeMany(texts: Iterable<string>, codec?: CodecName): BigUint64Array;
  /** Returns the options, never the key, for people. */
  toString(): string;
}

/**
 * Seals of one tweak, for a change of keys: the first one seals, and all of them unseal. Each seal
 * has its own key id; one seal may have none. Each id has one accepted text per seal, so compare
 * unsealed ids, not texts. Immutable.
 */
export class SealRing {
  /** @throws PolyflakeError option_invalid */
  constructor(seals: Iterable<Seal>);

  /** All seals; the first one is current. */
  readonly seals: readonly Seal[];

  /**
   * Returns the sealed form that the first seal gives.
   * @throws PolyflakeError as Seal.seal()
   */
  seal(id: bigint): bigint;
  /**
   * Returns the id of a form that the seal with this key id sealed; null names the seal without a
   * key id.
   * @throws PolyflakeError option_invalid (no such seal), id_out_of_range
   */
  unseal(sealed: bigint, keyId: string | null): bigint;
  /**
   * Returns the text that the first seal gives.
   * @throws PolyflakeError as Seal.encode()
   */
  encode(id: bigint, codec?: CodecName): string;
  /**
   * Returns the id of a text, read by the seal whose key id begins the text.
   * @throws PolyflakeError as Seal.decode(); text_invalid at position 0 if no seal has the key id
   */
  decode(text: string, codec?: CodecName): bigint;
  /**
   * Returns the texts of many ids.
   * @throws PolyflakeError as encode(); the message has the index
   */
  encodeMany(ids: Iterable<bigint>, codec?: CodecName): string[];
  /**
   * Returns the ids of many texts.
   * @throws PolyflakeError as decode(); the message has the index
   */
  decodeMany(texts: Iterable<string>, codec?: CodecName): BigUint64Array;
  /** Returns the options of the seals, never a key, for people. */
  toString(): string;
}

/**
 * A clock for exact tests, which moves only when it is told to. A generator that must wait moves
 * the clock instead.
 */
export class ManualClock {
  /**
   * @param time a Date, or Unix milliseconds
   * @throws PolyflakeError option_invalid
   */
  constructor(time: Date | Integer);
  /**
   * Moves the clock to this time, forwards or backwards: a Date, or Unix milliseconds.
   * @throws PolyflakeError option_invalid
   */
  set(time: Date | Integer): void;
  /**
   * Moves the clock by this many milliseconds; negative is backwards.
   * @throws PolyflakeError option_invalid
   */
  advance(ms: Integer): void;
  /** The time in Unix milliseconds. */
  readonly timeMs: number;
}

/**
 * The parts of an id. JSON.stringify() accepts them and writes text for values that a JSON number
 * cannot hold.
 */
export interface Parts {
  /**
   * The beginning of the tick; an invalid Date if it is beyond the range of Date (the year 275760).
   */
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
  /**
   * Returns the parts for JSON, with `tick` and `node` as decimal text. Not enumerable: copies made
   * by spreading do not have it.
   */
  toJSON(): Omit<Parts, 'tick' | 'node' | 'toJSON'> & { tick: string; node: string };
}

/** The time of an id, in one of three forms. */
export type EncodeTime =
  | { tick: Integer; timeMs?: undefined; time?: undefined }
  | { timeMs: Integer; tick?: undefined; time?: undefined }
  | { time: Date; tick?: undefined; timeMs?: undefined };

/** The argument of Layout.encode(): the time, the sequence and any node field by its name. */
export type EncodeParts = EncodeTime & { sequence?: Integer | undefined } & {
  [nodeField: string]: Integer | Date | undefined;
};

/** The local time of friendly texts, by a zone or by an offset; UTC without either. */
export interface FriendlyOptions {
  /** The name of a zone that Intl knows, such as 'Asia/Shanghai'. */
  timeZone?: string | undefined;
  /** The seconds by which local time is ahead of UTC: -64800 to 64800 (18 hours). */
  utcOffsetSeconds?: Integer | undefined;
}

/** An id as one preset reads it. */
export interface Explanation {
  preset: string;
  /** True if the system of the preset can have issued ids at this time. */
  plausible: boolean;
  /** Null if the time is plausible. */
  whyNot: 'too_wide' | 'after_now' | 'near_epoch' | null;
  /** Null if the id has bits above the layout. */
  parts: Parts | null;
}

/**
 * Returns how every preset reads an id of unknown origin; presets that give a plausible time come
 * first.
 *
 * A time is plausible from a day after the epoch of the preset to a day after `now`, which defaults
 * to the present. Among the plausible ones, those whose sequence and node fields need fewer bits
 * (divided by 4, rounded down) come first, then the latest time. The order is a hint for people: it
 * cannot tell apart systems that differ only by their epoch.
 * @param id 0n to 18446744073709551615n, or its canonical decimal text
 * @throws PolyflakeError id_out_of_range, text_invalid, option_invalid
 */
export function explain(id: bigint | string, options?: { now?: Date | undefined }): Explanation[];

/** The fields of an id with their widths, the tick and the epoch. Immutable. */
export class Layout {
  /**
   * @param textOrPreset name of a preset, or a layout text such as 'timestamp:41 worker:10
   *   sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z'
   * @throws PolyflakeError layout_invalid, layout_too_wide, unknown_preset
   */
  constructor(textOrPreset: string);

  /** All fields, most significant first; widths in bits. */
  readonly fields: ReadonlyArray<{ readonly name: string; readonly width: number }>;
  /** The length of a tick in ms. */
  readonly tickMs: number;
  /** The time of tick 0, in Unix ms. */
  readonly epochMs: number;

  /**
   * Returns the id with these parts. The sequence and node fields default to 0. Nothing is masked.
   * @throws PolyflakeError option_invalid (not exactly one time), field_out_of_range, unknown_field
   */
  encode(parts: EncodeParts): bigint;

  /**
   * Returns the parts of an id.
   * @param id 0n to 18446744073709551615n, or its canonical decimal text
   * @throws PolyflakeError id_out_of_range, text_invalid
   */
  decode(id: bigint | string): Parts;

  /**
   * Returns the smallest id of the tick that holds this instant (a Date, or Unix ms): the lower
   * bound of a range query if the timestamp is the first field of the layout.
   * @throws PolyflakeError field_out_of_range, option_invalid
   */
  firstId(time: Date | Integer): bigint;

  /**
   * Returns the largest id of the tick that holds this instant (a Date, or Unix ms): the upper
   * bound of a range query if the timestamp is the first field of the layout.
   * @throws PolyflakeError field_out_of_range, option_invalid
   */
  lastId(time: Date | Integer): bigint;

  /**
   * Returns an id as text for people, such as '20220320133617924-5-0': the beginning of its tick as
   * yyyyMMddHHmmssSSS, the node fields, most significant first, and the sequence. The time is UTC,
   * or the local time of the options.
   * @param id 0n to 18446744073709551615n, or its canonical decimal text
   * @throws PolyflakeError id_out_of_range (also a zone after the year 275760), text_invalid,
   *   option_invalid
   */
  friendly(id: bigint | string, options?: FriendlyOptions): string;

  /**
   * Returns the id that friendly() gave this text with the same options. Refuses a local time that
   * occurs twice because the clocks of the zone are set back: give utcOffsetSeconds for it.
   * @throws PolyflakeError text_invalid and field_out_of_range (not a value of the layout), each
   *   with the `position` of the fault; without a position option_invalid, and field_out_of_range
   *   for a zone after the year 275760
   */
  fromFriendly(text: string, options?: FriendlyOptions): bigint;

  /**
   * Returns an id as a UUID of version 7, 36 characters: the ms, the sequence and the node id,
   * followed by zeros.
   * @param id 0n to 2n ** 63n - 1n, or its canonical decimal text
   * @throws PolyflakeError layout_invalid (ticks other than 1 ms, or times that do not fit version
   *   7), id_out_of_range, text_invalid
   */
  toUuid(id: bigint | string): string;

  /**
   * Returns the id that toUuid() gave this text. Refuses every other text.
   * @throws PolyflakeError layout_invalid, text_invalid (with the `position` of the fault),
   *   id_out_of_range (not a UUID of version 7, or one with a tail), field_out_of_range (a time
   *   outside the layout)
   */
  fromUuid(text: string): bigint;

  /** Returns the canonical text, which gives an equal layout when parsed. */
  toString(): string;
}

/**
 * A source of node ids: 'host' (one that no other process of this host has), 'host:7' (node id 7),
 * 'ordinal' (the number at the end of the host name), or the address of a coordination store.
 *
 * A text known only at run time needs a cast, and is checked then: `worker: process.env.NODE_SOURCE
 * as WorkerSource`. An undefined one is refused. POLYFLAKE_WORKER needs no code: leave `worker`
 * out.
 */
export type WorkerSource = 'host' | `host:${number}` | 'ordinal' | StoreAddress;

/** The address of a store that hosts share, such as 'redis://host/0?namespace=orders'. */
export type StoreAddress =
  `${'redis' | 'rediss' | 'redis+sentinel' | 'zookeeper' | 'etcd' | 'etcds' | 'postgresql' | 'mysql' | 'memory'}://${string}`;

/**
 * Options of a generator. Unknown names are refused; undefined counts as absent, except for
 * `worker`.
 */
export interface GeneratorOptions {
  /**
   * The source of the node id: an integer (the node id) or an integer per node field, which the
   * caller guarantees to be unique; a source; or a store object. Stores need Generator.open().
   * Default: POLYFLAKE_WORKER of the environment, else 'host'. 'host' is safe on one host only, so
   * the default is refused on a platform that runs several copies of a program, such as Kubernetes:
   * give 'host' explicitly if it is right there. undefined, null and '' are refused, as they would
   * silently select a node id.
   */
  worker?: Integer | WorkerSource | Store | { readonly [nodeField: string]: Integer };
  /** Default: 'polyflake'. */
  layout?: string | Layout | undefined;
  /** The longest wait of one call for the clock, in ms. Default: 10. */
  maxWaitMs?: Integer | undefined;
  /** The ms by which ids may run ahead of the clock without waiting. Default: 0. */
  maxLeadMs?: Integer | undefined;
  /**
   * The number of values over which the first sequence of a tick is spread; with 1 it is always 0.
   * Default and maximum: an eighth of the capacity of the sequence, at least 1.
   */
  sequenceSpread?: Integer | undefined;
  /**
   * 'strict', the default: an id is above each id whose call returned before its call began.
   * 'per_thread', for extreme rates from many threads: ids rise within each thread; ids of
   * different threads are in order only down to the tick.
   */
  ordering?: 'strict' | 'per_thread' | undefined;
  /** Default: the system's clock. */
  clock?: ManualClock | undefined;
}

/** Says if ids are available, as far as is known without issuing one. */
export interface GeneratorState {
  /**
   * 'starting': the node id may not be used yet and the first id waits; 'open'; 'waiting': for the
   * clock; 'lost': the node id is lost, and the next call takes one again or fails; 'closed'.
   */
  name: 'starting' | 'open' | 'waiting' | 'lost' | 'closed';
  /** The code with which the next call would fail; null if nothing stops it. */
  code: PolyflakeErrorCode | null;
}

/** Counters and the current position of a generator. */
export interface Stats {
  /** The ids issued. */
  issued: number;
  /** The calls that had to wait, and the total of their waits. */
  waits: number;
  waitedMs: number;
  /** The ticks whose sequence was used up before they were over. */
  sequenceExhaustions: number;
  /** The steps of the clock backwards that were seen, and the largest. */
  clockStepsBack: number;
  largestStepBackMs: number;
  /** The ms by which the last id is ahead of the clock; 0 if it is not. */
  leadMs: number;
  /** The Unix ms at which the current grant ends. */
  untilMs: number;
  /** The years until the last tick of the layout, or the last number of a counter at this rate. */
  yearsLeft: number;
  /**
   * With a lease: how often its store confirmed a longer window, and how often the store did not
   * answer; 0 for other workers.
   */
  renewals: number;
  storeFailures: number;
  /**
   * The ms by which the source stays ahead of a clock that was set back, so that ids still rise
   * (uuid7, objectid); 0 for others.
   */
  heldMs: number;
  /**
   * The numbers that a Segment holds, which a crash would lose. This and the next are 0 for others.
   */
  held: number;
  /** The numbers of the next fetch. */
  step: number;
  /** The ranges that the store gave, and how long it took for the last of them, in ms. */
  fetches: number;
  lastFetchMs: number;
  /** The failovers of the store after which numbers were left out. */
  jumps: number;
  /** The numbers up to the last one of the counter, as of the last fetch; exact up to 2^53. */
  left: number;
  /** Set with a lease or a counter. */
  namespaceUuid?: string;
}

/** An AbortSignal, of any realm; named by its parts, as not every program has its type. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface AbortOptions {
  /** Ends the call early: it rejects with the reason of the signal. */
  signal?: AbortSignalLike | undefined;
}

/**
 * Issues strictly increasing ids. All generators of one process with one layout and node id share
 * one state, on all threads, so "a new generator per request" is harmless. A forked `cluster`
 * worker is another process: it needs another node id.
 */
export class Generator implements IdSource<bigint> {
  /**
   * Never waits. The first id waits if the node id may not be used yet: one tick for a static
   * number; up to 2 s for a `host` node id in a new registry folder or of a process that was just
   * killed. Blocks: a `host` source reads and writes files, some milliseconds; Generator.open()
   * does so on another thread.
   * @throws PolyflakeError option_invalid, worker_source_invalid, field_out_of_range,
   *   unknown_field, layout_invalid, layout_too_wide, unknown_preset, clock_before_epoch,
   *   time_exhausted, worker_in_use, no_worker_free, registry_unusable, forked_generator;
   *   option_invalid also for a store, which only open can ask
   */
  constructor(options?: GeneratorOptions);

  /**
   * Opens a generator without blocking the event loop, with the options of the constructor. Take
   * the first id with nextIdAsync(), which does not block either.
   *
   * A worker may be the address of a store, such as 'redis://host/0?namespace=orders', or a store
   * object of 'polyflake/stores/...'. The generator then leases a node id there, which takes a few
   * round trips. The lease renews itself in the background and never keeps the process alive. It
   * belongs to the thread that opened it: when a worker thread ends, its lease ends with its
   * window, and other threads keep their own leases. When the event loop is empty, the node id is
   * given back. After process.exit() or a crash its window ends by itself, some seconds later.
   *
   * Rejects with the reason of `signal` as soon as that is aborted. It then keeps nothing: a node
   * id that a store has granted meanwhile is given back in the background.
   * @throws PolyflakeError as new Generator(); with a store namespace_not_initialised,
   *   wrong_namespace, layout_mismatch, store_unavailable, clock_skew, no_worker_free
   */
  static open(options?: GeneratorOptions & AbortOptions): Promise<Generator>;

  readonly kind: 'snowflake';

  /**
   * Returns the next id, below 2^63. Blocks: this thread for the longer of maxWaitMs and one tick
   * at most; the first call also until the node id may be used. Once in 2 s a call does the file
   * I/O of a `host` source. With a lease it never does I/O; if nothing can be claimed within
   * 10 ms, it throws, as the event loop must turn to renew the lease.
   * @throws PolyflakeError clock_behind, clock_before_epoch, time_exhausted, generator_closed,
   *   forked_generator, registry_unusable; worker_in_use, no_worker_free when it takes a node id
   *   again; with a lease store_unavailable, lease_lost, clock_skew, layout_mismatch,
   *   namespace_not_initialised, wrong_namespace
   */
  nextId(): bigint;

  /**
   * Returns the next id, or null if nextId() would have to wait. Never waits. Does the I/O of
   * nextId().
   * @throws PolyflakeError as nextId()
   */
  tryNextId(): bigint | null;

  /**
   * Returns the next id as canonical decimal text: for JSON. Blocks: as nextId().
   * @throws PolyflakeError as nextId()
   */
  nextIdString(): string;

  /**
   * Returns the next id. Waits without blocking the event loop, except for the short file I/O of a
   * `host` source, once in 2 s. With a lease it waits until the first window begins, and up to
   * renewWaitMs for a late one. Fake timers of test tools do not affect it. Rejects with the reason
   * of `signal` as soon as that is aborted: an aborted signal takes no id, and one that is aborted
   * during the wait loses an unused id.
   * @throws PolyflakeError as nextId(); generator_closed also if the generator is closed meanwhile
   */
  nextIdAsync(options?: AbortOptions): Promise<bigint>;

  /**
   * Returns the next `count` ids: exactly those that `count` calls of nextId() would give. Blocks:
   * this thread for as long as the ids need.
   * @throws PolyflakeError option_invalid, and as nextId()
   */
  nextIds(count: number): BigUint64Array;

  /**
   * Fills the array with the next ids and returns it. Blocks: as nextIds(). If it throws, the
   * content of the array is unspecified and must not be used.
   * @throws PolyflakeError option_invalid (not a BigUint64Array), and as nextId()
   */
  fill<A extends BigUint64Array>(ids: A): A;

  /**
   * Does the file I/O of a `host` source ahead of need, so that no call for an id does it for about
   * 2 s. Does nothing for a static number. A lease is renewed in the background, soon after.
   * Blocks: file I/O.
   * @throws PolyflakeError as nextId()
   */
  renew(): void;

  /**
   * Returns whether ids are available: for health checks. Issues nothing, does no I/O, never
   * throws.
   */
  state(): GeneratorState;

  /**
   * Ends this generator: later calls that issue ids fail with generator_closed. Idempotent. The
   * last generator of a lease gives its node id back, in the background and for at most half a
   * second.
   */
  close(): void;

  /** close(), for `using`, if the runtime has Symbol.dispose. */
  [Symbol.dispose](): void;

  /**
   * close() for `await using`: resolves when the node id of a lease was given back, or the attempt
   * ended.
   */
  [Symbol.asyncDispose](): Promise<void>;

  /** True after close(). */
  readonly closed: boolean;

  /** The node id: the node fields read as one number. */
  readonly worker: bigint;

  readonly layout: Layout;

  /** Returns the counters of the shared state and the current position. */
  stats(): Stats;

  /**
   * Returns the parts of an id of this layout.
   * @throws PolyflakeError as Layout.decode()
   */
  decode(id: bigint | string): Parts;

  /**
   * Returns the smallest id of the tick that holds this instant (a Date, or Unix ms): the lower
   * bound of a range query if the timestamp is the first field of the layout.
   * @throws PolyflakeError as Layout.firstId()
   */
  firstId(time: Date | Integer): bigint;

  /**
   * Returns the largest id of the tick that holds this instant (a Date, or Unix ms): the upper
   * bound of a range query if the timestamp is the first field of the layout.
   * @throws PolyflakeError as Layout.lastId()
   */
  lastId(time: Date | Integer): bigint;
}

/**
 * The array that fill() takes: of text ids it holds the bytes. `never` if the type of the ids is
 * unknown.
 */
export type IdMemory<Value> = [Value] extends [bigint] ? BigUint64Array : [Value] extends [string] ? Uint8Array : never;

/**
 * The methods that all sources of ids have in common, for code that gets a kind from its
 * configuration. Generator, Uuid7, Uuid4, ObjectIds, Segment, DateIds, Tickets and the objects of
 * registered kinds are sources. Errors: as each source says.
 */
export interface IdSource<Value = unknown> {
  /** The name of the kind: 'snowflake', 'uuid7', ... */
  readonly kind: string;
  /** Returns the next id. Blocks: this thread for a moment, never for I/O with a store. */
  nextId(): Value;
  /** Returns the next id, or null if nextId() would have to wait. */
  tryNextId(): Value | null;
  /** Returns the next id as text: decimal, 8-4-4-4-12 or 24 hex digits. */
  nextIdString(): string;
  /** Returns the next id. Waits without blocking the event loop. */
  nextIdAsync(): Promise<Value>;
  /** Returns the next `count` ids: exactly those that `count` calls of nextId() would give. */
  nextIds(count: number): ArrayLike<Value>;
  /** Fills the memory with the next ids, without gaps, and returns it. */
  fill<Memory extends IdMemory<Value>>(ids: Memory): Memory;
  /** Returns the counters and the current position of the source. */
  stats(): object;
  /** Ends the source: later calls that issue ids fail with generator_closed. Idempotent. */
  close(): void;
  /** True after close(). */
  readonly closed: boolean;
}

/**
 * Options of a Uuid7. Unknown names are refused; undefined counts as absent, except for `worker`.
 */
export interface Uuid7Options {
  /**
   * Without a worker, ids have no node id, and only random bits keep those of two processes apart.
   * With a worker, as of a Generator, each id has the ms, the sequence and the node id of a granted
   * window, so no two ids are equal, regardless of their random bits. Stores need Uuid7.open().
   * POLYFLAKE_WORKER is ignored.
   */
  worker?: NonNullable<GeneratorOptions['worker']>;
  /** Requires: a worker, and ticks of 1 ms. Default: 'polyflake'. */
  layout?: string | Layout | undefined;
  /** The longest wait of one call for the clock, in ms. Default: 10. */
  maxWaitMs?: Integer | undefined;
  /** The ms by which ids may run ahead of the clock without waiting. Default: 0. */
  maxLeadMs?: Integer | undefined;
  /** Default: the system's clock. */
  clock?: ManualClock | undefined;
  /**
   * For tests, together with a clock: replaces the random bits, in words of 8 bytes, big endian.
   * Without a worker the first word is the key that decides the first position of each tick; each
   * id then takes one word.
   */
  entropy?: Uint8Array | undefined;
}

/** The parts of an id of a Uuid7. */
export interface Uuid7Parts {
  time: Date;
  /** The time in Unix ms. */
  timeMs: number;
  /** Ticks since the epoch of the layout; without a worker the epoch is 1970. */
  tick: bigint;
  /** The position of the id within the tick. */
  sequence: number;
  /** The node id; 0n without a worker. */
  node: bigint;
  /** Random bits. */
  tail: bigint;
  /**
   * Returns the parts for JSON.stringify(), which cannot write BigInt: values that may exceed 2^53
   * as text, the time as ISO 8601. Not enumerable.
   */
  toJSON(): Omit<Uuid7Parts, 'tick' | 'node' | 'tail' | 'toJSON'> & { tick: string; node: string; tail: string };
}

/**
 * UUIDs of version 7 (RFC 9562) as text of 36 characters. They rise for the life of the process, on
 * all its threads.
 *
 * Without a worker, the source stays ahead of a clock that is set back (`stats().heldMs`), so no
 * call fails for it. With a worker, a UUID is an id of a Generator with a random tail, and the
 * rules of a Generator for clocks and waits apply. Ids are not secrets: a reader of one id knows
 * when it was made and may guess others.
 */
export class Uuid7 implements IdSource<string> {
  /**
   * Never waits. Does no I/O without a worker; with a worker as new Generator().
   * @throws PolyflakeError option_invalid (also a store, which only open can ask, and a layout
   *   without a worker), layout_invalid (also ticks other than 1 ms), registry_unusable (no random
   *   bits), clock_before_epoch, time_exhausted; with a worker as new Generator()
   */
  constructor(options?: Uuid7Options);

  /**
   * Opens a source without blocking the event loop, with the options of the constructor. With a
   * store it leases a node id there, and it obeys `signal`, both as Generator.open() does.
   * @throws PolyflakeError as new Uuid7(); with a store as Generator.open()
   */
  static open(options?: Uuid7Options & AbortOptions): Promise<Uuid7>;

  readonly kind: 'uuid7';

  /**
   * Returns the next id, 8-4-4-4-12 lower-case hex digits, above each id whose call returned before
   * this one began. Blocks: this thread for the longer of maxWaitMs and 1 ms at most; with a
   * worker as Generator.nextId().
   * @throws PolyflakeError clock_before_epoch, clock_behind (the clock was set back by more than 24
   *   days), time_exhausted, generator_closed, registry_unusable, option_invalid (the given entropy
   *   is used up); with a worker as Generator.nextId()
   */
  nextId(): string;

  /**
   * Returns the next id, or null if nextId() would have to wait. Never waits.
   * @throws PolyflakeError as nextId()
   */
  tryNextId(): string | null;

  /** Returns the next id, as nextId(). */
  nextIdString(): string;

  /**
   * Returns the next id. Waits without blocking the event loop, and obeys `signal` as
   * Generator.nextIdAsync() does.
   * @throws PolyflakeError as nextId()
   */
  nextIdAsync(options?: AbortOptions): Promise<string>;

  /**
   * Returns the next `count` ids: exactly those that `count` calls of nextId() would give. Blocks:
   * this thread for as long as the ids need.
   * @throws PolyflakeError option_invalid, and as nextId()
   */
  nextIds(count: number): string[];

  /**
   * Fills the array with the next ids, 16 bytes each, big endian, and returns it. Blocks: as
   * nextIds(). If it throws, the content of the array is unspecified and must not be used.
   * @throws PolyflakeError option_invalid (not a Uint8Array whose length is a multiple of 16), and
   *   as nextId()
   */
  fill<Memory extends Uint8Array>(ids: Memory): Memory;

  /** The node id of the worker; 0n without one. */
  readonly worker: bigint;

  /** The layout of the worker, or the layout of UUIDs without a worker. */
  readonly layout: Layout;

  /**
   * Extends the window of the worker ahead of need, as Generator.renew() does. Does nothing without
   * a worker.
   * @throws PolyflakeError as Generator.renew()
   */
  renew(): void;

  /**
   * Returns the parts of an id of this source. A source with another layout gives other parts.
   * @throws PolyflakeError text_invalid (with the `position` of the fault), id_out_of_range (not a
   *   UUID of version 7), field_out_of_range (a time outside the layout)
   */
  decode(id: string): Uuid7Parts;

  /**
   * Returns the smallest UUID of version 7 of this ms (a Date, or Unix ms), of any origin: the
   * lower bound of a range query.
   * @throws PolyflakeError field_out_of_range, option_invalid
   */
  firstId(time: Date | Integer): string;

  /**
   * Returns the largest UUID of version 7 of this ms (a Date, or Unix ms): the upper bound of a
   * range query.
   * @throws PolyflakeError field_out_of_range, option_invalid
   */
  lastId(time: Date | Integer): string;

  /**
   * Returns whether ids are available: for health checks. Issues nothing, does no I/O, never
   * throws.
   */
  state(): GeneratorState;

  /** Returns the counters of the shared state and the current position. */
  stats(): Stats;

  /** Ends this source, as Generator.close(). */
  close(): void;

  /** close(), for `using`, if the runtime has Symbol.dispose. */
  [Symbol.dispose](): void;

  /**
   * close() for `await using`: resolves when the node id of a lease was given back, or the attempt
   * ended.
   */
  [Symbol.asyncDispose](): Promise<void>;

  readonly closed: boolean;
}

/** Options of a Uuid4. Unknown names are refused; undefined counts as absent. */
export interface Uuid4Options {
  /** For tests, together with entropy. */
  clock?: ManualClock | undefined;
  /**
   * For tests, together with a clock: replaces the random bits, in words of 8 bytes, big endian,
   * two words per id.
   */
  entropy?: Uint8Array | undefined;
}

/**
 * UUIDs of version 4 (RFC 9562) as text of 36 characters: 122 random bits, in no order. Only chance
 * keeps them unique: among 10^15 ids, two are equal with a probability of one in ten million.
 */
export class Uuid4 implements IdSource<string> {
  /** @throws PolyflakeError option_invalid */
  constructor(options?: Uuid4Options);

  readonly kind: 'uuid4';

  /**
   * Returns an id: 8-4-4-4-12 lower-case hex digits. Never waits.
   * @throws PolyflakeError generator_closed, registry_unusable (the operating system has no random
   *   bits), option_invalid (the given entropy is used up)
   */
  nextId(): string;

  /** Returns the next id, as nextId(); never null. */
  tryNextId(): string;

  /** Returns the next id, as nextId(). */
  nextIdString(): string;

  /** Resolves to the next id, as nextId(). */
  nextIdAsync(options?: AbortOptions): Promise<string>;

  /**
   * Returns `count` ids.
   * @throws PolyflakeError option_invalid, and as nextId()
   */
  nextIds(count: number): string[];

  /**
   * Fills the array with ids, 16 bytes each, big endian, and returns it.
   * @throws PolyflakeError option_invalid (not a Uint8Array whose length is a multiple of 16), and
   *   as nextId()
   */
  fill<Memory extends Uint8Array>(ids: Memory): Memory;

  /** Returns `issued`, and zeros: there is no clock to wait for. */
  stats(): Stats;

  /** Ends this source: later calls that issue ids fail with generator_closed. Idempotent. */
  close(): void;

  /** close(), for `using`, if the runtime has Symbol.dispose. */
  [Symbol.dispose](): void;

  /** close() for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;

  readonly closed: boolean;
}

/** Options of ObjectIds. Unknown names are refused; undefined counts as absent. */
export interface ObjectIdOptions {
  /**
   * The longest wait of one call for the clock, in ms; a call may always wait out one second.
   * Default: 10.
   */
  maxWaitMs?: Integer | undefined;
  /** The ms by which ids may run ahead of the clock without waiting. Default: 0. */
  maxLeadMs?: Integer | undefined;
  /** Default: the system's clock. */
  clock?: ManualClock | undefined;
  /**
   * For tests, together with a clock: replaces the random bits, in words of 8 bytes, big endian.
   * The first word is the key that decides the first counter of each second; the 40 low bits of the
   * second are the process.
   */
  entropy?: Uint8Array | undefined;
}

/** The parts of an ObjectId. */
export interface ObjectIdParts {
  time: Date;
  /** The second in Unix ms. */
  timeMs: number;
  /** The 40 random bits of the process. */
  process: bigint;
  /** The counter, 24 bits. */
  counter: number;
  /**
   * Returns the parts for JSON.stringify(), which cannot write BigInt: the process as text, the
   * time as ISO 8601. Not enumerable.
   */
  toJSON(): Omit<ObjectIdParts, 'process' | 'toJSON'> & { process: string };
}

/**
 * MongoDB's ObjectIds as text of 24 hex digits, which its drivers accept as they are. They rise for
 * the life of the process, on all its threads, regardless of its clock.
 *
 * The counter differs from MongoDB's specification: it restarts in each second at a random value
 * and carries into the next second. The specified counter wraps around: it falls from ffffff to 0
 * within a second, and repeats ids after 2^24 ids in one second. Servers and drivers accept both.
 * Ids are not secrets: a reader of one id may guess others.
 */
export class ObjectIds implements IdSource<string> {
  /**
   * Never waits, does no I/O.
   * @throws PolyflakeError option_invalid, registry_unusable (no random bits), clock_before_epoch,
   *   time_exhausted
   */
  constructor(options?: ObjectIdOptions);

  readonly kind: 'objectid';

  /**
   * Returns the next id, 24 lower-case hex digits, above each id whose call returned before this
   * one began. Blocks: this thread for the longer of maxWaitMs and 1 s at most.
   * @throws PolyflakeError clock_before_epoch, clock_behind (the clock was set back by more than 24
   *   days), time_exhausted, generator_closed, registry_unusable
   */
  nextId(): string;

  /**
   * Returns the next id, or null if nextId() would have to wait. Never waits.
   * @throws PolyflakeError as nextId()
   */
  tryNextId(): string | null;

  /** Returns the next id, as nextId(). */
  nextIdString(): string;

  /**
   * Returns the next id. Waits without blocking the event loop, and obeys `signal` as
   * Generator.nextIdAsync() does.
   * @throws PolyflakeError as nextId()
   */
  nextIdAsync(options?: AbortOptions): Promise<string>;

  /**
   * Returns the next `count` ids: exactly those that `count` calls of nextId() would give. Blocks:
   * this thread for as long as the ids need.
   * @throws PolyflakeError option_invalid, and as nextId()
   */
  nextIds(count: number): string[];

  /**
   * Fills the array with the next ids, 12 bytes each, big endian, and returns it. Blocks: as
   * nextIds(). If it throws, the content of the array is unspecified and must not be used.
   * @throws PolyflakeError option_invalid (not a Uint8Array whose length is a multiple of 12), and
   *   as nextId()
   */
  fill<Memory extends Uint8Array>(ids: Memory): Memory;

  /**
   * Returns the parts of an ObjectId of any origin.
   * @throws PolyflakeError text_invalid, with the `position` of the fault
   */
  decode(id: string): ObjectIdParts;

  /**
   * Returns the smallest ObjectId of the second that holds this instant (a Date, or Unix ms), of
   * any origin: the lower bound of a range query on `_id`.
   * @throws PolyflakeError field_out_of_range, option_invalid
   */
  firstId(time: Date | Integer): string;

  /**
   * Returns the largest ObjectId of the second that holds this instant (a Date, or Unix ms): the
   * upper bound of a range query.
   * @throws PolyflakeError field_out_of_range, option_invalid
   */
  lastId(time: Date | Integer): string;

  /**
   * Returns whether ids are available: for health checks. Issues nothing, does no I/O, never
   * throws.
   */
  state(): GeneratorState;

  /** Returns the counters of the shared state and the current position. */
  stats(): Stats;

  /** Ends this source: later calls that issue ids fail with generator_closed. Idempotent. */
  close(): void;

  /** close(), for `using`, if the runtime has Symbol.dispose. */
  [Symbol.dispose](): void;

  /** close() for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;

  readonly closed: boolean;
}

/** Options of a Segment. Unknown names are refused; undefined counts as absent. */
export interface SegmentOptions {
  /** The address of a store, or a store object of 'polyflake/stores/...'. */
  store: StoreAddress | Store;
  /** The counter, which an operator made once with initCounter() of 'polyflake/stores'. */
  name: string;
  /**
   * The numbers of one fetch. Default: adapts to the rate of use, between minStep and maxStep. With
   * 1 normal running leaves no gaps, and numbers follow the calls of all hosts; then nothing
   * is held ahead of need, so take numbers with nextIdAsync(), one round trip each.
   */
  step?: Integer | undefined;
  /** The ms for which the store may be away at a steady rate. Default: 30000. */
  holdMs?: Integer | undefined;
  /** The bounds of the step, 1 or more. Defaults: 100 and 1000000. */
  minStep?: Integer | undefined;
  maxStep?: Integer | undefined;
  /** The longest wait of one call for the store, in ms. Default: 2000. */
  timeoutMs?: Integer | undefined;
}

/**
 * The numbers of a counter in a store: unique for all hosts that use it, dense, and rising within
 * each thread. Hosts take ranges in turn, which this class fetches ahead of need, in the
 * background.
 *
 * Calls that do not return a promise give numbers that are held, and never wait: a loop that takes
 * more than that without letting the event loop turn runs out. A process that is killed loses the
 * numbers it holds (`stats().held`); close() gives them back, and so does the end of the event
 * loop. Sources of a thread with the same store, name and options share their numbers. A source
 * never keeps the process alive.
 */
export class Segment implements IdSource<bigint> {
  /** Segment.open() makes one: it takes round trips to the store. */
  private constructor();

  /**
   * Opens a source. Resolves once numbers are held, or with a step of 1 once the counter was read.
   * Rejects with the reason of `signal` as soon as that is aborted.
   * @throws PolyflakeError option_invalid, namespace_not_initialised (also: no such counter),
   *   wrong_namespace, layout_mismatch (a counter of another kind), store_unavailable,
   *   worker_source_invalid (the client of the store is not installed), and as nextId()
   */
  static open(options: SegmentOptions & AbortOptions): Promise<Segment>;

  readonly kind: 'segment';

  /**
   * Returns the next number, 1n to 2n ** 63n - 2n, above all that this thread took before from the
   * same counter with the same options. Never waits, does no I/O.
   * @throws PolyflakeError store_unavailable at once if no number is held: then more are fetched in
   *   the background; range_exhausted, store_went_back, store_misconfigured, clock_skew,
   *   clock_behind, generator_closed
   */
  nextId(): bigint;

  /**
   * Returns the next number, or null if none is held; then more are fetched in the background.
   * @throws PolyflakeError as nextId(), except for store_unavailable
   */
  tryNextId(): bigint | null;

  /**
   * Returns the next number as decimal text: for JSON.
   * @throws PolyflakeError as nextId()
   */
  nextIdString(): string;

  /**
   * Returns the next number; waits for the store, at most timeoutMs, without blocking the event
   * loop. Rejects with the reason of `signal` as soon as that is aborted. No number is lost if it
   * rejects.
   * @throws PolyflakeError as nextId(); store_unavailable once timeoutMs is over
   */
  nextIdAsync(options?: AbortOptions): Promise<bigint>;

  /**
   * Returns `count` numbers in rising order if so many are held (`stats().held`), else takes none.
   * Never waits. nextIdsAsync() gives any count.
   * @throws PolyflakeError option_invalid, and as nextId(); store_unavailable if too few are held
   */
  nextIds(count: number): BigUint64Array;

  /**
   * Returns `count` numbers in rising order; waits for the store, at most timeoutMs for each fetch,
   * and obeys `signal`, as nextIdAsync() does. Numbers of other calls may come between them. If it
   * rejects, numbers that were taken for it are lost.
   * @throws PolyflakeError option_invalid, and as nextIdAsync()
   */
  nextIdsAsync(count: number, options?: AbortOptions): Promise<BigUint64Array>;

  /**
   * Fills the array with the next numbers, as nextIds(), and returns it. If it throws, the array is
   * unchanged and no number is lost.
   * @throws PolyflakeError option_invalid (not a BigUint64Array), and as nextIds()
   */
  fill<A extends BigUint64Array>(ids: A): A;

  /**
   * Returns whether numbers are available: for health checks. Issues nothing, does no I/O, never
   * throws.
   */
  state(): GeneratorState;

  /** Returns the counters of the shared state. */
  stats(): Stats;

  /**
   * Ends this source: later calls that issue fail with generator_closed. Idempotent. The last
   * source of a counter gives back the numbers that are held, in the background and for at most
   * half a second.
   */
  close(): void;

  /** close(), for `using`, if the runtime has Symbol.dispose. */
  [Symbol.dispose](): void;

  /**
   * close() for `await using`: resolves when the numbers that are held were given back, or the
   * attempt ended.
   */
  [Symbol.asyncDispose](): Promise<void>;

  readonly closed: boolean;
}

/** A period of dates, as the format of its label: a day, a month or a year. */
export type DatePeriod = 'yyyyMMdd' | 'yyyyMM' | 'yyyy';

/** Options of DateNumbers. Unknown names are refused; undefined counts as absent. */
export interface DateNumbersOptions {
  /** Default: 'yyyyMMdd'. */
  period?: DatePeriod | undefined;
  /** The digits of the count within a period, 1 to 10. Default: 6. */
  digits?: Integer | undefined;
  /** The beginning of texts: at most 16 of A-Z, a-z, 0-9, '_' and '-'. Default: ''. */
  prefix?: string | undefined;
}

/** The parts of a number of a date. */
export interface DateParts {
  /** The label of the period, such as 20230414, 202304 or 2023; of 1970 to 9999. */
  label: number;
  /** 1 to 10 ** digits - 1. */
  count: number;
}

/**
 * The numbers of dates, and their texts. A number is the label of a period, then the count within
 * it: 20230414000001n is the first one of 2023-04-14 with 6 digits, and 'ORD20230414000001' is its
 * text with the prefix 'ORD'. Up to 7 digits, numbers are below 2^53. Immutable.
 */
export class DateNumbers {
  /** @throws PolyflakeError option_invalid */
  constructor(options?: DateNumbersOptions);
  readonly period: DatePeriod;
  readonly digits: number;
  readonly prefix: string;
  /**
   * Returns the number of a label and a count.
   * @throws PolyflakeError field_out_of_range (the label is not of this period, or the count is not
   *   1 to 10 ** digits - 1: it never carries into the date)
   */
  number(label: Integer, count: Integer): bigint;
  /**
   * Returns the label and the count of a number.
   * @throws PolyflakeError field_out_of_range
   */
  parts(number: bigint): DateParts;
  /**
   * Returns the number as it is printed, with the prefix.
   * @throws PolyflakeError field_out_of_range
   */
  text(number: bigint): string;
  /**
   * Returns the number of a text. Accepts only the spelling that text() gives.
   * @throws PolyflakeError text_invalid, with the `position` of the fault
   */
  parse(text: string): bigint;
  /** Returns the options, for people. */
  toString(): string;
}

/** Options of DateIds. Unknown names are refused; undefined counts as absent. */
export interface DateOptions extends DateNumbersOptions {
  /** The address of a store, or a store object of 'polyflake/stores/...'. */
  store: StoreAddress | Store;
  /**
   * The counter, which an operator made once with initCounter() of 'polyflake/stores', with the
   * option kind: 'date' and this period, digits and zone.
   */
  name: string;
  /**
   * The zone in which periods begin: an offset, such as '+08:00', or a name that Intl knows, such
   * as 'Europe/Berlin'. Default: '+00:00'.
   */
  zone?: string | undefined;
  /**
   * The numbers of one fetch. With 1, the default, normal running leaves no gaps, and numbers
   * follow the calls of all hosts; then nothing is held ahead of need, so take numbers with
   * nextIdAsync(). The rest of a larger step is dropped at the end of its period.
   */
  step?: Integer | undefined;
  /** The longest wait of one call for the store, in ms. Default: 2000. */
  timeoutMs?: Integer | undefined;
}

/**
 * Numbers of a counter in a store that begin with the date, and start over each day, month or year:
 * for order numbers that people read. They are unique for all hosts that use the counter, rise, and
 * never carry into the date. The period is that of the clock of the store.
 *
 * A failover of the store that may have lost writes costs about a tenth of the numbers of a period:
 * choose `digits` so that a tenth is the busiest day. Calls that do not return a promise give
 * numbers that are held, and never wait. Sources of a thread share their numbers if all their
 * options but prefix and signal are equal. A source never keeps the process alive.
 */
export class DateIds implements IdSource<bigint> {
  /** DateIds.open() makes one: it takes round trips to the store. */
  private constructor();

  /**
   * Opens a source, as Segment.open() does.
   * @throws PolyflakeError option_invalid (also: a store without a clock),
   *   namespace_not_initialised (also: no such counter), wrong_namespace, layout_mismatch (a counter
   *   of another kind, period, digits or zone), store_unavailable, worker_source_invalid (the client
   *   of the store is not installed), and as nextId()
   */
  static open(options: DateOptions & AbortOptions): Promise<DateIds>;

  readonly kind: 'date';

  /** The numbers and their texts. */
  readonly numbers: DateNumbers;

  /**
   * Returns the next number, the label of the period and then the count, such as 20230414000001n.
   * Never waits, does no I/O.
   * @throws PolyflakeError store_unavailable at once if no number is held: then more are fetched in
   *   the background; range_exhausted (until the next period), clock_behind (the clock of the store
   *   was set back into an earlier period), time_exhausted (no period has the time of the store),
   *   store_went_back, store_misconfigured, clock_skew, generator_closed
   */
  nextId(): bigint;

  /**
   * Returns the next number, or null if none is held; then more are fetched in the background.
   * @throws PolyflakeError as nextId(), except for store_unavailable
   */
  tryNextId(): bigint | null;

  /**
   * Returns the next number as it is printed, with the prefix. numbers.text() prints one that
   * nextIdAsync() gave.
   * @throws PolyflakeError as nextId()
   */
  nextIdString(): string;

  /**
   * Returns the next number; waits for the store, at most timeoutMs, without blocking the event
   * loop. Rejects with the reason of `signal` as soon as that is aborted. No number is lost if it
   * rejects.
   * @throws PolyflakeError as nextId(); store_unavailable once timeoutMs is over
   */
  nextIdAsync(options?: AbortOptions): Promise<bigint>;

  /**
   * Returns `count` numbers in rising order, perhaps of two periods, if so many are held
   * (`stats().held`), else takes none. Never waits.
   * @throws PolyflakeError option_invalid, and as nextId(); store_unavailable if too few are held
   */
  nextIds(count: number): BigUint64Array;

  /**
   * Returns `count` numbers in rising order, perhaps of two periods; waits as
   * Segment.nextIdsAsync() does.
   * @throws PolyflakeError option_invalid, and as nextIdAsync()
   */
  nextIdsAsync(count: number, options?: AbortOptions): Promise<BigUint64Array>;

  /**
   * Fills the array with the next numbers, as nextIds(), and returns it. If it throws, the array is
   * unchanged and no number is lost, unless the period ended in the middle of the call.
   * @throws PolyflakeError option_invalid (not a BigUint64Array), and as nextIds()
   */
  fill<A extends BigUint64Array>(ids: A): A;

  /**
   * Returns whether numbers are available: for health checks. Issues nothing, does no I/O, never
   * throws.
   */
  state(): GeneratorState;

  /** Returns the counters of the shared state; `left` is of the present period. */
  stats(): Stats;

  /**
   * Ends this source: later calls that issue fail with generator_closed. Idempotent. The last
   * source of a counter gives back the numbers that are held, in the background and for at most
   * half a second.
   */
  close(): void;

  /** close(), for `using`, if the runtime has Symbol.dispose. */
  [Symbol.dispose](): void;

  /**
   * close() for `await using`: resolves when the numbers that are held were given back, or the
   * attempt ended.
   */
  [Symbol.asyncDispose](): Promise<void>;

  readonly closed: boolean;
}

/**
 * A ticket server: its address, a pool of `mysql2` or `mysql2/promise`, one of whose connections is
 * kept, or a function that returns a new connection of them.
 */
export type TicketServer =
  `mysql://${string}` | { getConnection(...callback: never[]): unknown } | (() => object | Promise<object>);

/** Options of Tickets. Unknown names are refused; undefined counts as absent. */
export interface TicketOptions {
  /**
   * The servers, in the same order in every program: server k of m gives the numbers that are k
   * modulo m. A single server needs no list.
   */
  store: TicketServer | readonly TicketServer[];
  /** The table, or 'database.table'. Default: 'Tickets64'. */
  table?: string | undefined;
  /** The longest wait of one call, in ms. Default: 2000. */
  timeoutMs?: Integer | undefined;
}

/**
 * The numbers of ticket servers: MySQL or MariaDB tables that already hand out numbers, as at
 * Flickr. Each number is one statement on a connection of this source alone, and each answer is
 * verified. Numbers are not in order. For new systems Segment is the better choice.
 *
 * Sources of a thread with the same store and table share one connection per server, which one call
 * uses at a time; others take another server or wait for their turn. A source keeps the process
 * alive only while a call is in progress.
 */
export class Tickets implements IdSource<bigint> {
  /** Tickets.open() makes one. */
  private constructor();

  /**
   * Opens a source. Does no I/O: the first call for a number connects.
   * @throws PolyflakeError option_invalid, worker_source_invalid (an address, or mysql2 is not
   *   installed)
   */
  static open(options: TicketOptions & AbortOptions): Promise<Tickets>;

  readonly kind: 'ticket';

  /**
   * Always refused: every number needs a round trip. Use nextIdAsync().
   * @throws PolyflakeError store_unavailable, generator_closed
   */
  nextId(): bigint;

  /**
   * Returns null: every number needs a round trip, which this call never makes.
   * @throws PolyflakeError generator_closed
   */
  tryNextId(): null;

  /**
   * Always refused, as nextId().
   * @throws PolyflakeError store_unavailable, generator_closed
   */
  nextIdString(): string;

  /**
   * Returns a number of the server that was used least recently. If a server fails, the same call
   * asks another one, and the server is left out for 1, 2, 4 ... 30 s. A server with a wrong answer
   * is never asked again. Rejects with the reason of `signal` as soon as that is aborted; the
   * number is left out then.
   * @throws PolyflakeError generator_closed, store_unavailable (no server gave a number within
   *   timeoutMs), store_misconfigured (a server gave a number of another server), store_went_back
   *   (a server gave a number that is not above its former ones)
   */
  nextIdAsync(options?: AbortOptions): Promise<bigint>;

  /**
   * Refused, as nextId(), unless the count is 0.
   * @throws PolyflakeError option_invalid, store_unavailable, generator_closed
   */
  nextIds(count: number): BigUint64Array;

  /**
   * Returns the numbers of `count` calls of nextIdAsync(). If it rejects, numbers that were taken
   * for it are left out.
   * @throws PolyflakeError option_invalid, and as nextIdAsync()
   */
  nextIdsAsync(count: number, options?: AbortOptions): Promise<BigUint64Array>;

  /**
   * Refused, as nextId(), unless the array is empty.
   * @throws PolyflakeError option_invalid (not a BigUint64Array), store_unavailable,
   *   generator_closed
   */
  fill<Memory extends IdMemory<bigint>>(ids: Memory): Memory;

  /** Returns whether a server is up, as far as this process knows: for health checks. */
  state(): GeneratorState;

  /** Returns the counters: `issued` and `storeFailures`; the others do not apply. */
  stats(): Stats;

  /**
   * Ends this source: later calls that issue fail with generator_closed. Idempotent. Calls in
   * progress get their numbers. The last source of these servers closes its connections.
   */
  close(): void;

  /** close(), for `using`, if the runtime has Symbol.dispose. */
  [Symbol.dispose](): void;

  /** close(), for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;

  readonly closed: boolean;
}

/** The names of the kinds of this package. */
export type KindName = 'snowflake' | 'uuid7' | 'uuid4' | 'objectid' | 'segment' | 'date' | 'ticket';

/** Options of a registered kind: a plain object with any keys. */
export type KindOptions = Readonly<Record<string, unknown>>;

/**
 * Opens a source of ids by the name of its kind, 'name' or 'name:store'. A kind of this package
 * opens as its class does; of 'segment' and 'date' the store may follow the name:
 * 'segment:redis://...', and of 'ticket' a single server. A registered kind opens by its factory,
 * which finds the store as the option `store`.
 * @throws PolyflakeError text_invalid (with the `position` of the fault), unknown_kind,
 *   option_invalid (also an option or a store that the kind does not have), and as the source
 */
export function open(kind: 'snowflake', options?: GeneratorOptions & AbortOptions): Promise<Generator>;
export function open(kind: 'uuid7', options?: Uuid7Options & AbortOptions): Promise<Uuid7>;
export function open(kind: 'uuid4', options?: Uuid4Options): Promise<Uuid4>;
export function open(kind: 'objectid', options?: ObjectIdOptions): Promise<ObjectIds>;
export function open(kind: 'segment', options: SegmentOptions & AbortOptions): Promise<Segment>;
export function open(
  kind: `segment:${StoreAddress}`,
  options: Omit<SegmentOptions, 'store'> & AbortOptions & { store?: undefined },
): Promise<Segment>;
export function open(kind: 'date', options: DateOptions & AbortOptions): Promise<DateIds>;
export function open(
  kind: `date:${StoreAddress}`,
  options: Omit<DateOptions, 'store'> & AbortOptions & { store?: undefined },
): Promise<DateIds>;
export function open(kind: 'ticket', options: TicketOptions & AbortOptions): Promise<Tickets>;
export function open(
  kind: `ticket:mysql://${string}`,
  options?: Omit<TicketOptions, 'store'> & AbortOptions & { store?: undefined },
): Promise<Tickets>;
export function open<Value = unknown, Kind extends string = string>(
  kind: Kind extends KindName | `${'segment' | 'date' | 'ticket'}:${string}` ? never : Kind,
  options?: KindOptions,
): Promise<IdSource<Value>>;

/**
 * Opens a source as open() does, without a promise, for kinds that need no store. Refuses
 * 'segment', 'date' and 'ticket', a store as worker, as `new` does, and a registered kind whose
 * factory returns a promise.
 * @throws PolyflakeError as open(), option_invalid also for a store
 */
export function openSync(kind: 'snowflake', options?: GeneratorOptions): Generator;
export function openSync(kind: 'uuid7', options?: Uuid7Options): Uuid7;
export function openSync(kind: 'uuid4', options?: Uuid4Options): Uuid4;
export function openSync(kind: 'objectid', options?: ObjectIdOptions): ObjectIds;
export function openSync<Value = unknown, Kind extends string = string>(
  kind: Kind extends KindName | `${'segment' | 'date' | 'ticket'}:${string}` ? never : Kind,
  options?: KindOptions,
): IdSource<Value>;

/**
 * Makes `name` a kind of this thread, for the life of the thread: open() and openSync() call the
 * factory. Each option that the factory reads, by destructuring for example, or deletes counts as
 * taken. An option left over is an error: the opened source is closed then, with a warning if
 * closing fails. The factory may throw any value.
 * @param name [a-z][a-z0-9_]{0,31}
 * @throws PolyflakeError text_invalid (not a name, with the `position` of the fault),
 *   option_invalid (already taken, or not a function)
 */
export function register(
  name: string,
  factory: (options: Record<string, unknown>) => IdSource<unknown> | Promise<IdSource<unknown>>,
): void;

/** Returns the names of all kinds: those of this package, then those registered in this thread. */
export function kinds(): string[];

/**
 * Returns the next id of the default generator of this thread: the one given to setDefault(), else
 * one with default options, opened at the first call. Blocks: as Generator.nextId(); the first call
 * also as the constructor.
 * @throws PolyflakeError as Generator.nextId() and, at the first call, new Generator()
 */
export function nextId(): bigint;

/**
 * Returns the next id of the default generator as canonical decimal text: for JSON.
 * @throws PolyflakeError as nextId()
 */
export function nextIdString(): string;

/**
 * Makes this the default generator of this thread. Call it before the first id. A later call is
 * refused, and so is a second generator.
 * @throws PolyflakeError option_invalid
 */
export function setDefault(generator: Generator): void;

/**
 * Returns the default generator of this thread, for its state() and stats(): the one given to
 * setDefault(), or the one that the first id opened; null before. Opens none.
 */
export function defaultGenerator(): Generator | null;

/**
 * Returns the parts of an id; see Layout.decode(). Without a layout the id is one of this thread's
 * default generator, or of the preset 'polyflake' before there is one; opens none.
 * @throws PolyflakeError as Layout.decode() and new Layout()
 */
export function decode(id: bigint | string, layout?: string | Layout): Parts;

/**
 * Returns an id as text; 'decimal' by default.
 * @throws PolyflakeError id_out_of_range, option_invalid
 */
export function toText(id: bigint, codec?: CodecName): string;

/**
 * Returns the id of a text; 'decimal' by default. Accepts only the spelling that toText() gives.
 * @throws PolyflakeError text_invalid, id_out_of_range, option_invalid
 */
export function fromText(text: string, codec?: CodecName): bigint;

/**
 * Returns the id of a decimal text that a client sent, such as a path, a parameter or a body: below
 * 2^63, as every generated id. fromText() also reads larger ones, which a signed column of a
 * database does not hold.
 * @throws PolyflakeError text_invalid, id_out_of_range
 */
export function idFromText(text: string): bigint;

/**
 * A replacer for JSON.stringify(): each BigInt becomes its decimal text, and a BigUint64Array, as
 * nextIds() gives, an array of such texts. In Express: app.set('json replacer', jsonReplacer).
 */
export function jsonReplacer(key: string, value: unknown): unknown;

/**
 * Returns a strict reviver for JSON.parse(): a value with one of these keys, at any depth, must be
 * an id in decimal as idFromText() reads it, null, or an array of those. An id becomes a BigInt;
 * other values stay as they are.
 * @throws PolyflakeError option_invalid (not a list of keys); the reviver itself text_invalid (also
 *   for a JSON number, which may have lost digits already), id_out_of_range
 */
export function jsonReviver(keys: Iterable<string>): (key: string, value: unknown) => unknown;

/** The names of the presets. */
export const presets: ReadonlyArray<string>;

/** The version of the core. */
export const version: string;

declare global {
  interface SymbolConstructor {
    /**
     * Part of newer standard libraries; declared here so that older ones accept
     * Generator[Symbol.dispose].
     */
    readonly dispose: unique symbol;
    readonly asyncDispose: unique symbol;
  }
}

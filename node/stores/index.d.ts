/**
 * Stores in which hosts share node ids, and counters.
 *
 * Usually an address is enough: `await Generator.open({ worker: 'redis://host/0?namespace=orders'
 * })`. If you need your own client (TLS, Sentinel, credentials), write `worker: new
 * RedisStore(client, { namespace: 'orders' })`, from 'polyflake/stores/redis', '.../zookeeper',
 * '.../etcd' or '.../sql'. An operator creates each namespace once: `await
 * initNamespace('redis://host/0?namespace=orders')`. docs/leases.md lists the guarantees of each
 * store.
 */

import type { DatePeriod, Integer, Layout } from '../index.js';

/** The options of all stores. Unknown names are refused. */
export interface StoreOptions {
  /** 1 to 64 of a-z, 0-9, '.', '_' and '-', a letter or digit first. */
  namespace: string;
  /** The uuid that the namespace must have, 32 hex digits. Another one gives wrong_namespace. */
  uuid?: string | undefined;
  /** Creates the namespace if it is missing. Default: false. */
  autoInit?: boolean | undefined;
  /** The ms by which node ids are granted ahead, in a namespace that is created. Default: 10000. */
  windowMs?: Integer | undefined;
  /**
   * The ms by which the clocks of hosts may differ, in a namespace that is created. Default: 500.
   */
  toleranceMs?: Integer | undefined;
  /** The longest time in ms to get a node id while opening. Default: 30000. */
  acquireTimeoutMs?: Integer | undefined;
  /** The longest wait of nextIdAsync() for a late window, in ms. Default: 1000. */
  renewWaitMs?: Integer | undefined;
  /** Writes host and pid into the records, for people. Default: true. */
  label?: boolean | undefined;
}

/**
 * A store object, for any number of generators. Its text shows no credentials. The generators of a
 * thread share one lease if they are opened with the same object and layout, or with the same
 * address and layout.
 */
export abstract class Store {
  protected constructor();
  private readonly store: never;
  /** Returns the store without credentials, and the namespace. */
  toString(): string;
}

/** A node id in use. */
export interface LeaseInfo {
  node: bigint;
  /** The end of the window in Unix ms. */
  untilMs: number;
  /** The host and pid of the holder, or ''. Untrusted. */
  label: string;
}

/**
 * Creates the namespace, unless one of this layout exists. Resolves to its uuid.
 * @param store a store object, or the address of a store
 * @param options fresh: guarantees that no namespace of this name ever existed, so the first window
 *   waits for nothing. replicas (Redis only): 'named' (the default) counts the present copies, by
 *   their addresses; 'fenced' counts any copies, and guarantees that a demoted primary is never
 *   served again
 * @throws PolyflakeError layout_mismatch, store_unavailable, worker_source_invalid, option_invalid
 */
export function initNamespace(
  store: Store | string,
  options?: {
    layout?: string | Layout | undefined;
    fresh?: boolean | undefined;
    replicas?: 'named' | 'fenced' | undefined;
  },
): Promise<string>;

/**
 * Returns the node ids in use and their holders, in order of the node ids.
 * @throws PolyflakeError namespace_not_initialised, layout_mismatch, store_unavailable,
 *   worker_source_invalid, option_invalid
 */
export function leases(store: Store | string, options?: { layout?: string | Layout | undefined }): Promise<LeaseInfo[]>;

/**
 * Sets the time before which no window begins, and a new term: no earlier holder can write again.
 * Use it after a store was restored, before clients are let in, or to move in from another system.
 * @param options timeMs: Unix ms. id: an existing id; the floor is the tick after it. lower: allows
 *   a floor earlier than the recorded one, at least W + 2S from now, for use after a host with a
 *   wrong clock. copies (Redis only): the servers whose majority counts from now on, like
 *   ['10.0.0.1:6379', ...]; resolves once all of them have it. The caller guarantees that no other
 *   server, and no older dump, is ever served as a primary again. With copies alone the floor stays
 * @throws PolyflakeError namespace_not_initialised, layout_mismatch, store_unavailable,
 *   worker_source_invalid, option_invalid, id_out_of_range; field_out_of_range for a time outside
 *   the layout
 */
export function raiseFloor(
  store: Store | string,
  options:
    | {
        timeMs: Integer;
        id?: undefined;
        lower?: boolean | undefined;
        copies?: string[] | undefined;
        layout?: string | Layout | undefined;
      }
    | {
        id: bigint | string;
        timeMs?: undefined;
        lower?: boolean | undefined;
        copies?: string[] | undefined;
        layout?: string | Layout | undefined;
      }
    | { copies: string[]; timeMs?: undefined; id?: undefined; lower?: undefined; layout?: string | Layout | undefined },
): Promise<void>;

/**
 * The shape of a counter and its first number. Unknown names are refused; undefined counts as
 * absent.
 */
export interface CounterOptions {
  /**
   * The first number is after + 1. Give the last number of the table that the counter feeds:
   * without a default, a script cannot make the counter begin at 1 again by mistake, after a store
   * was flushed.
   */
  after: Integer;
  /** The kind of source that takes its numbers. Default: 'segment'. */
  kind?: 'segment' | 'date' | undefined;
  /**
   * The reaction to a store that may have lost writes. 'jump' (the default): goes on above all
   * that was lost. 'stop': gives no number until raiseCounter(). 'trust': goes on, as the operator
   * guarantees that the store loses none.
   */
  failover?: 'jump' | 'stop' | 'trust' | undefined;
  /** With burst, only sizes the jump after a failover: numbers a second. Default: 1000000. */
  rate?: Integer | undefined;
  /** Default: 10000000. */
  burst?: Integer | undefined;
  /** The last number. Default: 2n ** 63n - 2n. */
  top?: Integer | undefined;
  /**
   * The period of a date, which has no rate, burst and top; `after` is of the present one. Default:
   * 'yyyyMMdd'.
   */
  period?: DatePeriod | undefined;
  /** The digits of the count of a date within a period, 1 to 10. Default: 6. */
  digits?: Integer | undefined;
  /**
   * The zone in which the periods of a date begin: an offset such as '+08:00', or a name that Intl
   * knows, such as 'Europe/Berlin'. Default: '+00:00'.
   */
  zone?: string | undefined;
}

/** A counter of a store. */
export interface CounterState {
  name: string;
  kind: 'segment' | 'date';
  /** The next number; of a date its count within the period. */
  next: bigint;
  /** The numbers that can be taken before the record is written again. */
  room: bigint;
  /** The last number. */
  top: bigint;
  failover: 'jump' | 'stop' | 'trust';
  /** The ms since the room was topped up, by the store's clock; null if that is not needed. */
  topUpAgeMs: number | null;
  /** The incarnation of the store that the record belongs to. */
  incarnation: string;
  /**
   * True if the store has another incarnation now, or the record was put back or edited by hand:
   * the next process that takes numbers jumps, refuses or goes on, as `failover` says.
   */
  incarnationChanged: boolean;
  /**
   * The number at which the counter would go on after a failover now; null if it would not jump,
   * because of its store or its options, or because its period ends first.
   */
  jumpTo: bigint | null;
  /** null for a segment, like the next three. */
  period: DatePeriod | null;
  digits: number | null;
  zone: string | null;
  /** The recorded period, such as 20230414. */
  periodLabel: number | null;
}

/**
 * Makes the counter, or each of several, unless one of this kind exists: then nothing is written.
 * Needs the namespace, which initNamespace() makes. Nothing is made if an argument is refused.
 * @param name 1 to 64 of a-z, 0-9, '.', '_' and '-', a letter or digit first; a list of such names;
 *   or a Map or an object of names and of what is `after` for each
 * @throws PolyflakeError option_invalid, namespace_not_initialised, layout_mismatch (a counter of
 *   another kind), store_unavailable, store_misconfigured, worker_source_invalid
 */
export function initCounter(
  store: Store | string,
  name: string | readonly string[],
  options: CounterOptions,
): Promise<void>;
export function initCounter(
  store: Store | string,
  name: ReadonlyMap<string, Integer> | Readonly<Record<string, Integer>>,
  options?: Omit<CounterOptions, 'after'>,
): Promise<void>;

/**
 * Sets the counter: its next number is after + 1, also if that is lower. The caller guarantees that
 * no number above `after` was or will be given out. Use it after a store was restored, before
 * clients are let in, and for a counter that refuses with store_went_back: sources that refused it
 * go on.
 * @param options period: that of `after`, for a date, like 20230414; refused once it is over.
 *   Default: the present one
 * @throws PolyflakeError as initCounter()
 */
export function raiseCounter(
  store: Store | string,
  name: string,
  options: { after: Integer; period?: Integer | undefined },
): Promise<void>;

/**
 * Resolves to the counters of the namespace, in order of their names. Writes nothing.
 * @throws PolyflakeError namespace_not_initialised, store_unavailable, worker_source_invalid,
 *   option_invalid
 */
export function counters(store: Store | string): Promise<CounterState[]>;

/**
 * Stores: where hosts share node ids.
 *
 * Usually an address is enough: `await Generator.open({ worker: 'redis://host/0?namespace=orders' })`. With a client that
 * is set up your way (TLS, Sentinel, credentials) the same is `worker: new RedisStore(client, { namespace: 'orders' })`,
 * from 'polyflake/stores/redis', '.../zookeeper', '.../etcd' or '.../sql'. A namespace is made once, by an operator:
 * `await initNamespace('redis://host/0?namespace=orders')`. What is promised for which store: docs/leases.md.
 */

import type { Integer, Layout } from '../index.js';

/** What all stores take. Unknown names are refused. */
export interface StoreOptions {
  /** 1 to 64 of a-z, 0-9, '.', '_' and '-', a letter or digit first. */
  namespace: string;
  /** Which uuid the namespace must have, 32 hex digits; another one is wrong_namespace. */
  uuid?: string | undefined;
  /** Makes the namespace if it is missing. Default: false. */
  autoInit?: boolean | undefined;
  /** How far ahead node ids are granted, in a namespace that is made. Default: 10000. */
  windowMs?: Integer | undefined;
  /** By how much the clocks of hosts may differ, in a namespace that is made. Default: 500. */
  toleranceMs?: Integer | undefined;
  /** How long opening may take to get a node id. Default: 30000. */
  acquireTimeoutMs?: Integer | undefined;
  /** How long nextIdAsync() waits for a window that is late. Default: 1000. */
  renewWaitMs?: Integer | undefined;
  /** Whether host and pid stand in the records, for people. Default: true. */
  label?: boolean | undefined;
}

/**
 * A store object, good for any number of generators. It prints without credentials. Generators of a thread that are opened
 * with the same object and layout share one lease; so do those that are opened with the same address.
 */
export abstract class Store {
  protected constructor();
  private readonly store: never;
  /** The store without credentials, and the namespace. */
  toString(): string;
}

/** A node id that is held. */
export interface LeaseInfo {
  node: bigint;
  /** Unix ms. */
  untilMs: number;
  /** Of the holder: host and pid, or ''. Untrusted. */
  label: string;
}

/**
 * Makes the namespace; nothing where there is one already, of this layout. Resolves to its uuid.
 * @param store a store object, or the address of a store
 * @param options fresh: none of its name ever was, so that its first window waits for nothing. replicas, of Redis: 'named'
 *   (the default) counts the copies that are there now, by their addresses; 'fenced' counts any, and vouches that a
 *   demoted primary is never served again
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
 * Who holds node ids now, in their order.
 * @throws PolyflakeError namespace_not_initialised, layout_mismatch, store_unavailable, worker_source_invalid,
 *   option_invalid
 */
export function leases(store: Store | string, options?: { layout?: string | Layout | undefined }): Promise<LeaseInfo[]>;

/**
 * Sets the time before which no window begins, and a new term: no holder of before writes again. Use it after a store was
 * restored, before clients are let in; or to move in from another system.
 * @param options timeMs: Unix ms; id: an existing id, whose tick is the last one before; lower: an earlier floor than the
 *   recorded one is written, too, at least W + 2S from now: the way back after a host with a wild clock;
 *   copies, of Redis: the servers whose majority counts from now on, like ['10.0.0.1:6379', ...]; resolves once all of them
 *   have it. The caller vouches that no other server, and no older dump, is ever served as a primary again. With copies
 *   alone the floor stays
 * @throws PolyflakeError namespace_not_initialised, layout_mismatch, store_unavailable, worker_source_invalid,
 *   option_invalid, id_out_of_range; field_out_of_range where that is no time of the layout
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

import { Store, StoreOptions } from './index.js';

export { initNamespace, leases, raiseFloor } from './index.js';
export type { LeaseInfo, StoreOptions } from './index.js';

/** A client of node-redis (package `redis`) or of `ioredis`: of one server or of a Cluster; behind Sentinel, of `ioredis`. */
export interface RedisClient {
  duplicate(...options: never[]): unknown;
}

/** Leases in Redis 7 or later. */
export class RedisStore extends Store {
  /**
   * @param client is asked for nothing but duplicates, which are the store's own: it may be connected or not, stays as it
   *   is, and is never closed. Of a Cluster it must be connected.
   * @throws PolyflakeError option_invalid
   */
  constructor(client: RedisClient, options: StoreOptions);
}

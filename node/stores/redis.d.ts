import { Store, StoreOptions } from './index.js';

export { counters, initCounter, initNamespace, leases, raiseCounter, raiseFloor } from './index.js';
export type { CounterOptions, CounterState, LeaseInfo, StoreOptions } from './index.js';

/**
 * A client of node-redis (package `redis`) or of `ioredis`, for one server or a Cluster. Behind
 * Sentinel it must be of `ioredis`.
 */
export interface RedisClient {
  duplicate(...options: never[]): unknown;
}

/** Leases in Redis 7 or later. */
export class RedisStore extends Store {
  /**
   * @param client the store only duplicates it, and owns the duplicates. The client may be
   *   connected or not, does not change, and is never closed. A client of a Cluster must be
   *   connected.
   * @throws PolyflakeError option_invalid
   */
  constructor(client: RedisClient, options: StoreOptions);
}

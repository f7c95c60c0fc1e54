import { Store, StoreOptions } from './index.js';

export { counters, initCounter, initNamespace, leases, raiseCounter, raiseFloor } from './index.js';
export type { CounterOptions, CounterState, LeaseInfo, StoreOptions } from './index.js';

/** A client of the package `node-zookeeper-client`. */
export interface ZooKeeperClient {
  transaction(): unknown;
}

/** Leases in ZooKeeper 3.5 or later. */
export class ZooKeeperStore extends Store {
  /**
   * @param client the store opens its own sessions with the servers, options and credentials of
   *   this client. The client may be connected or not, does not change, and is never closed.
   * @throws PolyflakeError option_invalid
   */
  constructor(client: ZooKeeperClient, options: StoreOptions);
}

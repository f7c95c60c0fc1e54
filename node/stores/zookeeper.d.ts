import { Store, StoreOptions } from './index.js';

export { initNamespace, leases, raiseFloor } from './index.js';
export type { LeaseInfo, StoreOptions } from './index.js';

/** A client of the package `node-zookeeper-client`. */
export interface ZooKeeperClient {
  transaction(): unknown;
}

/** Leases in ZooKeeper 3.5 or later. */
export class ZooKeeperStore extends Store {
  /**
   * @param client whose servers, options and credentials are used for sessions of the store's own: it may be connected or
   *   not, stays as it is, and is never closed.
   * @throws PolyflakeError option_invalid
   */
  constructor(client: ZooKeeperClient, options: StoreOptions);
}

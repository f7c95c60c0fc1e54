import { Store, StoreOptions } from './index.js';

export { counters, initCounter, initNamespace, leases, raiseCounter, raiseFloor } from './index.js';
export type { CounterOptions, CounterState, LeaseInfo, StoreOptions } from './index.js';

/** The address of the JSON gateway of etcd, and the way to reach it. */
export interface EtcdClient {
  /**
   * One or more of 'http://host:port' and 'https://host:port'. If one fails, the next one is tried.
   */
  endpoints: string | readonly string[];
  username?: string | undefined;
  password?: string | undefined;
  /** Headers of each request, such as a token. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the global fetch: for your own certificates and proxies. */
  fetch?: ((url: string, init: EtcdRequest) => Promise<EtcdResponse>) | undefined;
}

/** The request that `fetch` gets. */
export interface EtcdRequest {
  method: 'POST';
  headers: Record<string, string>;
  body: string;
  redirect: 'error';
  signal: any;
}

/** The least that the response of `fetch` must have. */
export interface EtcdResponse {
  readonly ok: boolean;
  readonly status: number;
  text(): Promise<string>;
}

/** Leases in etcd 3.4 or later. */
export class EtcdStore extends Store {
  /** @throws PolyflakeError option_invalid */
  constructor(client: EtcdClient | string | readonly string[], options: StoreOptions);
}

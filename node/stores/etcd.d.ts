import { Store, StoreOptions } from './index.js';

export { initNamespace, leases, raiseFloor } from './index.js';
export type { LeaseInfo, StoreOptions } from './index.js';

/** How etcd's JSON gateway is reached. */
export interface EtcdClient {
  /** 'http://host:port' or 'https://host:port', one or more; the next one is tried where one fails. */
  endpoints: string | readonly string[];
  username?: string | undefined;
  password?: string | undefined;
  /** Sent with each request, such as a token. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Instead of the global fetch: for certificates and proxies of your own. */
  fetch?: ((url: string, init: EtcdRequest) => Promise<EtcdResponse>) | undefined;
}

/** What is asked of `fetch`. */
export interface EtcdRequest {
  method: 'POST';
  headers: Record<string, string>;
  body: string;
  redirect: 'error';
  signal: any;
}

/** What `fetch` must resolve to, at least. */
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

import { Store, StoreOptions } from './index.js';

export { counters, initCounter, initNamespace, leases, raiseCounter, raiseFloor } from './index.js';
export type { CounterOptions, CounterState, LeaseInfo, StoreOptions } from './index.js';

/**
 * A Pool or a Client of the package `pg`, connected or not. The store makes its own connections
 * with the same settings.
 */
export interface PostgresqlClient {
  query(...query: never[]): unknown;
  connect(...callback: never[]): unknown;
}

/** A pool of the package `mysql2` or of `mysql2/promise`. A lease holds one of its connections. */
export interface MysqlPool {
  getConnection(...callback: never[]): unknown;
}

/**
 * Makes a connection for the store alone: a connected Client of `pg`, or a connection of `mysql2`
 * or `mysql2/promise`. The store closes it.
 */
export type ConnectSql = () => object | Promise<object>;

/** Options of a SqlStore. */
export interface SqlStoreOptions extends StoreOptions {
  /**
   * The schema of the tables: 1 to 63 letters, digits, '_' and '-'. Default: 'public'; in MySQL the
   * database of the connection.
   */
  schema?: string | undefined;
}

/** Leases in PostgreSQL 12 or later, MySQL 8 or MariaDB 10.11 or later. */
export class SqlStore extends Store {
  /** @throws PolyflakeError option_invalid */
  constructor(client: PostgresqlClient | MysqlPool, options: SqlStoreOptions);
  /** @throws PolyflakeError option_invalid */
  constructor(connect: ConnectSql, options: SqlStoreOptions & { kind: 'postgresql' | 'mysql' });
}

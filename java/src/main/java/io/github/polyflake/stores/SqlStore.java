package io.github.polyflake.stores;

import javax.sql.DataSource;

/**
 * Leases in PostgreSQL, MySQL or MariaDB. The first namespace makes the tables
 * {@code polyflake_namespaces} and {@code polyflake_nodes}.
 */
public final class SqlStore extends Store {
  /**
   * Makes a store over your {@code DataSource}. While sources are open, the lease and each counter
   * keep one of its connections for themselves; a pool needs one more. Open sources when the
   * program starts: if a thread opens one inside of a transaction, it holds one connection and
   * waits for another, and enough such threads use up the pool. The lease returns the connection of
   * PostgreSQL as it was. It ends a connection of MySQL, which has settings of the lease, and one
   * that failed.
   *
   * @param source the source of connections; the first one is asked for the kind of its database
   * @param options the namespace and its options
   * @throws io.github.polyflake.BadArgumentException {@code option_invalid}
   */
  public SqlStore(DataSource source, Options options) {
    this(new SqlLink(source, options));
  }

  SqlStore(SqlLink link) {
    super(link);
  }
}

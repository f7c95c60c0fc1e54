package io.github.polyflake.stores;

import javax.sql.DataSource;

/**
 * Leases in PostgreSQL, MySQL or MariaDB. The first namespace makes the tables
 * {@code polyflake_namespaces} and {@code polyflake_nodes}.
 */
public final class SqlStore extends Store {
  /**
   * Makes a store over your {@code DataSource}. While generators are open, the lease keeps one of
   * its connections for itself. Then it aborts that connection, so that the pool does not lend it
   * with the lease's settings.
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

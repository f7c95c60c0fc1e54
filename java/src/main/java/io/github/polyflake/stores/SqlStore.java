package io.github.polyflake.stores;

import javax.sql.DataSource;

/**
 * Leases in PostgreSQL, MySQL or MariaDB. Tables are made with the first namespace: {@code polyflake_namespaces} and
 * {@code polyflake_nodes}.
 */
public final class SqlStore extends Store {
  /**
   * A store over a {@code DataSource} of yours. While generators are open, one of its connections is kept and used by
   * nobody else; it is then ended, not given back with what was set on it.
   *
   * @param source of connections; what they lead to is asked of the first one
   * @param options the namespace and what is wanted of it
   * @throws io.github.polyflake.BadArgumentException {@code option_invalid}
   */
  public SqlStore(DataSource source, Options options) {
    this(new SqlLink(source, options));
  }

  SqlStore(SqlLink link) {
    super(link);
  }
}

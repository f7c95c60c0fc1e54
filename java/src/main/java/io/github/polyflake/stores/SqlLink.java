package io.github.polyflake.stores;

import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.Opening;
import io.github.polyflake.internal.Refusal;
import io.github.polyflake.internal.StoreConnection;
import io.github.polyflake.internal.StoreLink;
import io.github.polyflake.internal.WarningLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;

/** Leases in a database, over JDBC: statements go in order over one connection of their own. */
final class SqlLink implements StoreLink {
  /** The source of connections. */
  interface Source {
    Connection open(long timeoutMs) throws SQLException;
  }

  private static final String SINGLE = "the pool of HikariCP that a lease is opened over has a maximum of one"
      + " connection, which the lease keeps: the application gets none while a generator is open. Set"
      + " maximumPoolSize to 2 or more";

  private final Source source;
  private final Store.Options options;
  private volatile NativeStoreAddress address; // of a DataSource: known once it was asked
  private final HikariPool pool; // null if there is none
  private final String shown;
  /** True if the code of a failure is the number of MySQL, which says more than the SQLSTATE. */
  private final boolean isNumbered;

  SqlLink(DataSource source, Store.Options options) {
    Objects.requireNonNull(source, "source");
    this.source = timeoutMs -> source.getConnection();
    this.options = options;
    pool = HikariPool.of(source);
    isNumbered = false;
    shown = options.addressOf("postgresql", "sql").shown(); // of any kind, to check the options
  }

  private SqlLink(NativeStoreAddress address, Source source, HikariPool pool, boolean isNumbered) {
    this.source = source;
    this.options = null;
    this.pool = pool;
    this.isNumbered = isNumbered;
    this.address = address;
    shown = address.shown();
  }

  static SqlLink of(NativeStoreAddress address) {
    return of(address, JdbcDriver.of(address));
  }

  static SqlLink of(NativeStoreAddress address, JdbcDriver driver) {
    return new SqlLink(address, driver.source(address), null, false);
  }

  static SqlLink ofTicketServer(NativeStoreAddress address) {
    return new SqlLink(address, JdbcDriver.of(address).source(address), null, true);
  }

  /** source: a DataSource, as {@link #isSource} says. */
  static SqlLink ofTicketServer(Object source, NativeStoreAddress address) {
    DataSource its = (DataSource) source;
    return new SqlLink(address, timeoutMs -> its.getConnection(), HikariPool.of(its), true);
  }

  static boolean isSource(Object server) {
    return server instanceof DataSource;
  }

  @Override
  public NativeStoreAddress address() throws SQLException {
    NativeStoreAddress known = address;
    if (known == null) {
      if (pool != null && pool.maximumSize() == 1) {
        WarningLog.say(SINGLE);
      }
      try (Connection connection = source.open(0)) {
        known = options.addressOf(kindOf(connection.getMetaData().getDatabaseProductName()), "sql");
      }
      address = known;
    }
    return known;
  }

  private static String kindOf(String product) {
    switch (product) {
      case "PostgreSQL":
        return "postgresql";
      case "MySQL":
      case "MariaDB":
        return "mysql";
      default:
        throw Refusal.of("option_invalid", "leases need PostgreSQL, MySQL or MariaDB; the DataSource leads to another");
    }
  }

  @Override
  public String shown() {
    return shown;
  }

  @Override
  public String codeOf(Throwable failure) {
    for (Throwable one = failure; one != null; one = one.getCause()) {
      if (isNumbered && one instanceof SQLException && ((SQLException) one).getErrorCode() > 0) {
        return Integer.toString(((SQLException) one).getErrorCode());
      }
      if (one instanceof SQLException && ((SQLException) one).getSQLState() != null) {
        return ((SQLException) one).getSQLState();
      }
    }
    return "";
  }

  @Override
  public StoreConnection connect(String[] setup, long timeoutMs) throws Exception {
    SqlSession session = new SqlSession(source.open(timeoutMs), pool);
    try {
      Opening.note(session::close);
      session.prepare(setup, timeoutMs);
    } catch (SQLException | RuntimeException e) {
      session.close();
      throw e;
    }
    return session;
  }
}

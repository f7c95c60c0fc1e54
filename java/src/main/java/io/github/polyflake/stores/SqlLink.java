package io.github.polyflake.stores;

import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.Opening;
import io.github.polyflake.internal.Refusal;
import io.github.polyflake.internal.StoreConnection;
import io.github.polyflake.internal.StoreLink;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/** Leases in a database, over JDBC: statements go in order over one connection of their own. */
final class SqlLink implements StoreLink {
  /** The source of connections. */
  interface Source {
    Connection open(long timeoutMs) throws SQLException;
  }

  private final Source source;
  private final Store.Options options;
  private volatile NativeStoreAddress address; // of a DataSource: known once it was asked
  private final String shown;

  SqlLink(DataSource source, Store.Options options) {
    Objects.requireNonNull(source, "source");
    this.source = timeoutMs -> source.getConnection();
    this.options = options;
    shown = options.addressOf("postgresql", "sql").shown(); // of any kind, to check the options
  }

  private SqlLink(NativeStoreAddress address, Source source) {
    this.source = source;
    this.options = null;
    this.address = address;
    shown = address.shown();
  }

  static SqlLink of(NativeStoreAddress address) {
    return of(address, JdbcDriver.of(address));
  }

  static SqlLink of(NativeStoreAddress address, JdbcDriver driver) {
    return new SqlLink(address, driver.source(address));
  }

  @Override
  public NativeStoreAddress address() throws SQLException {
    NativeStoreAddress known = address;
    if (known == null) {
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
      if (one instanceof SQLException && ((SQLException) one).getSQLState() != null) {
        return ((SQLException) one).getSQLState();
      }
    }
    return "";
  }

  @Override
  public StoreConnection connect(String[] setup, long timeoutMs) throws Exception {
    Session session = new Session(source.open(timeoutMs));
    try {
      Opening.note(session::close);
      session.prepare(setup, timeoutMs);
    } catch (SQLException | RuntimeException e) {
      session.close();
      throw e;
    }
    return session;
  }

  private static final class Session implements StoreConnection {
    private final Connection connection;

    Session(Connection connection) {
      this.connection = connection;
    }

    void prepare(String[] setup, long timeoutMs) throws SQLException {
      connection.setAutoCommit(true);
      connection.setReadOnly(false);
      try {
        connection.setNetworkTimeout(Runnable::run, (int) Math.min(timeoutMs, Integer.MAX_VALUE));
      } catch (SQLFeatureNotSupportedException e) {
        // Then the runner alone ends what takes too long.
      }
      for (String statement : setup) {
        execute(new String[] {statement});
      }
    }

    @Override
    public String[][] run(String name, String[][] parts, long timeoutMs) throws SQLException {
      if (name.equals("transaction")) {
        return transact(parts[0][0]);
      }
      String[][] rows = {};
      for (String[] part : parts) {
        rows = execute(part);
      }
      return rows;
    }

    /** The driver sends what one statement holds before it reads a reply. */
    private String[][] transact(String text) throws SQLException {
      String[][] rows = {};
      try (Statement statement = connection.createStatement()) {
        statement.setEscapeProcessing(false);
        boolean any = statement.execute("BEGIN; " + text + "; COMMIT");
        while (any || statement.getUpdateCount() != -1) {
          rows = any ? rowsOf(statement, true) : rows;
          any = statement.getMoreResults();
        }
        if (statement.getWarnings() != null) {
          throw statement.getWarnings();
        }
      }
      return rows;
    }

    private String[][] execute(String[] part) throws SQLException {
      if (part.length == 1) {
        try (Statement statement = connection.createStatement()) {
          statement.setEscapeProcessing(false);
          return rowsOf(statement, statement.execute(part[0]));
        }
      }
      try (PreparedStatement statement = connection.prepareStatement(part[0])) {
        for (int i = 1; i < part.length; i++) {
          statement.setString(i, part[i]);
        }
        return rowsOf(statement, statement.execute());
      }
    }

    private static String[][] rowsOf(Statement statement, boolean any) throws SQLException {
      List<String[]> rows = new ArrayList<>();
      if (any) {
        try (ResultSet found = statement.getResultSet()) {
          int width = found.getMetaData().getColumnCount();
          while (found.next()) {
            String[] row = new String[width];
            for (int i = 0; i < width; i++) {
              row[i] = found.getString(i + 1);
            }
            rows.add(row);
          }
        }
      }
      return rows.toArray(new String[0][]);
    }

    /** Aborts the connection: a pool must not lend one that has our settings. */
    @Override
    public void close() {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException | RuntimeException e) {
        // It was broken already.
      }
      try {
        connection.close();
      } catch (SQLException e) {
        // The same.
      }
    }
  }
}

package io.github.polyflake.stores;

import io.github.polyflake.internal.StoreConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** One connection to a database, of the application's pool or of its own. */
final class SqlSession implements StoreConnection {
  private final Connection lent;
  private final HikariPool pool;
  /** The driver's, so that a pool of HikariCP logs no failure that the lease itself deals with. */
  private final Connection connection;
  /** Restores what the pool expects of a connection; null while that is not known to be enough. */
  private volatile Restoring restoring = () -> {};

  private final AtomicBoolean closed = new AtomicBoolean();

  /** Restores one setting. */
  private interface Restoring {
    void restore() throws SQLException;
  }

  /** Makes a session over a connection; the pool is null if it is not of HikariCP. */
  SqlSession(Connection lent, HikariPool pool) throws SQLException {
    this.lent = lent;
    this.pool = pool;
    try {
      connection = pool == null ? lent : lent.unwrap(Connection.class);
    } catch (SQLException e) {
      lent.close();
      throw e;
    }
  }

  void prepare(String[] setup, long timeoutMs) throws SQLException {
    restoring = null;
    refuseClosed();
    Restoring restored = prepared(timeoutMs);
    for (String statement : setup) {
      execute(new String[] {statement});
    }
    restoring = setup.length == 0 ? restored : null;
  }

  private Restoring prepared(long timeoutMs) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    boolean readOnly = connection.isReadOnly();
    connection.setAutoCommit(true);
    connection.setReadOnly(false);
    Restoring timeout = () -> {};
    try {
      int usualMs = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, (int) Math.min(timeoutMs, Integer.MAX_VALUE));
      timeout = () -> connection.setNetworkTimeout(Runnable::run, usualMs);
    } catch (SQLFeatureNotSupportedException e) {
      // Then the runner alone ends what takes too long.
    }
    Restoring last = timeout;
    return () -> {
      connection.setReadOnly(readOnly);
      connection.setAutoCommit(autoCommit);
      last.restore();
    };
  }

  @Override
  public String[][] run(String name, String[][] parts, long timeoutMs) throws SQLException {
    Restoring known = restoring;
    restoring = null; // until the command has ended well
    refuseClosed();
    String[][] rows = carried(name, parts);
    restoring = known;
    return rows;
  }

  /** A connection that was closed before close() would end it may be the application's again. */
  private void refuseClosed() throws SQLException {
    if (closed.get()) {
      throw new SQLException("closed");
    }
  }

  private String[][] carried(String name, String[][] parts) throws SQLException {
    if (name.equals("transaction")) {
      return transact(parts[0][0]);
    }
    if (name.equals("insert")) {
      return insert(parts);
    }
    String[][] rows = {};
    for (String[] part : parts) {
      rows = execute(part);
    }
    return rows;
  }

  /** Returns the insert id of the last statement, which its own reply had; null if it has none. */
  private String[][] insert(String[][] parts) throws SQLException {
    String[][] ids = {{null}};
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      for (String[] part : parts) {
        statement.execute(part[0], Statement.RETURN_GENERATED_KEYS);
      }
      try (ResultSet keys = statement.getGeneratedKeys()) {
        if (keys.next()) {
          ids[0][0] = keys.getString(1);
        }
      }
    }
    return ids;
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

  /**
   * Returns the connection as it was. Ends it instead in the middle of a command, after a failure,
   * and if it has settings of the session: a pool must not lend it with those.
   */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return; // a pool must not get it back twice
    }
    Restoring known = restoring;
    try {
      if (known != null) {
        known.restore();
        lent.close();
        return;
      }
    } catch (SQLException | RuntimeException e) {
      // It is broken, so it is ended.
    }
    boolean evicted = pool != null && pool.evict(lent);
    try {
      connection.abort(Runnable::run);
    } catch (SQLException | RuntimeException e) {
      // It was broken already.
    }
    if (!evicted) {
      try {
        lent.close();
      } catch (SQLException | RuntimeException e) {
        // The same.
      }
    }
  }
}

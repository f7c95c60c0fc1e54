package io.github.polyflake.stores;

import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import javax.sql.DataSource;

/** A pool of HikariCP, whose methods are found by name: this package links no pool. */
final class HikariPool {
  private static final String NAME = "com.zaxxer.hikari.HikariDataSource";

  private final DataSource source;
  private final Class<?> type;

  private HikariPool(DataSource source, Class<?> type) {
    this.source = source;
    this.type = type;
  }

  /** Returns the pool that the source is; null if the source is something else. */
  static HikariPool of(DataSource source) {
    for (Class<?> type = source.getClass(); type != null; type = type.getSuperclass()) {
      if (type.getName().equals(NAME)) {
        return new HikariPool(source, type);
      }
    }
    return null;
  }

  /** Returns the largest number of connections; 0 if this version does not tell. */
  int maximumSize() {
    try {
      return (int) type.getMethod("getMaximumPoolSize").invoke(source);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return 0;
    }
  }

  /**
   * Takes a connection that was lent out of the pool for ever, without a line in its log. Returns
   * false if this version cannot.
   */
  boolean evict(Connection lent) {
    try {
      type.getMethod("evictConnection", Connection.class).invoke(source, lent);
      return true;
    } catch (InvocationTargetException e) {
      return true; // the pool was closed meanwhile, and its connections with it
    } catch (ReflectiveOperationException | RuntimeException e) {
      return false;
    }
  }
}

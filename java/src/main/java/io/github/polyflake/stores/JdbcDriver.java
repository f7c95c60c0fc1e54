package io.github.polyflake.stores;

import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.Refusal;
import java.io.UnsupportedEncodingException;
import java.net.URLEncoder;
import java.sql.Driver;
import java.util.Properties;

/** The drivers for addresses. Used by themselves: DriverManager's answers quote the address. */
enum JdbcDriver {
  POSTGRESQL("org.postgresql.Driver", "postgresql") {
    @Override
    void limit(Properties properties, long timeoutMs) {
      String seconds = Long.toString(Math.max(1, (timeoutMs + 999) / 1000));
      properties.setProperty("connectTimeout", seconds);
      properties.setProperty("loginTimeout", seconds);
    }
  },
  MYSQL("com.mysql.cj.jdbc.Driver", "mysql"), MARIADB("org.mariadb.jdbc.Driver", "mariadb");

  private final String className;
  private final String scheme;

  JdbcDriver(String className, String scheme) {
    this.className = className;
    this.scheme = scheme;
  }

  void limit(Properties properties, long timeoutMs) {
    properties.setProperty("connectTimeout", Long.toString(timeoutMs));
    properties.setProperty("socketTimeout", Long.toString(timeoutMs));
  }

  static SqlLink.Source of(NativeStoreAddress address) {
    if (address.kind().equals("postgresql")) {
      return POSTGRESQL.source(address, "org.postgresql:postgresql");
    }
    JdbcDriver driver = ClientClasses.arePresent(MYSQL.className) ? MYSQL : MARIADB;
    return driver.source(address, "com.mysql:mysql-connector-j or org.mariadb.jdbc:mariadb-java-client");
  }

  private SqlLink.Source source(NativeStoreAddress address, String artifacts) {
    Driver driver = driver(artifacts);
    Authority url = new Authority(address.client());
    String jdbc = "jdbc:" + scheme + "://" + String.join(",", url.hosts) + "/" + encoded(url.path)
        + (url.parameters.isEmpty() ? "" : "?" + url.parameters);
    return timeoutMs -> {
      Properties properties = new Properties();
      limit(properties, timeoutMs);
      if (url.user != null) {
        properties.setProperty("user", url.user);
      }
      if (url.password != null) {
        properties.setProperty("password", url.password);
      }
      return driver.connect(jdbc, properties);
    };
  }

  private Driver driver(String artifacts) {
    try {
      return (Driver) Class.forName(className).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException | LinkageError e) {
      throw Refusal.of("worker_source_invalid", "leases in a database need a driver on the class path: " + artifacts);
    }
  }

  private static String encoded(String text) {
    try {
      return URLEncoder.encode(text, "UTF-8").replace("+", "%20");
    } catch (UnsupportedEncodingException e) {
      throw new AssertionError(e);
    }
  }
}

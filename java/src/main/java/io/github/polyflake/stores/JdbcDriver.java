package io.github.polyflake.stores;

import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.NotedSocketFactory;
import io.github.polyflake.internal.Refusal;
import java.io.UnsupportedEncodingException;
import java.net.URLEncoder;
import java.sql.Driver;
import java.util.Properties;

/** The drivers for addresses, used without DriverManager, whose messages quote the address. */
enum JdbcDriver {
  POSTGRESQL("org.postgresql.Driver", "postgresql") {
    @Override
    void limit(Properties properties, long timeoutMs) {
      String seconds = Long.toString(Math.max(1, (timeoutMs + 999) / 1000));
      properties.setProperty("connectTimeout", seconds);
      properties.setProperty("socketTimeout", seconds);
      properties.setProperty("loginTimeout", "0"); // any other value leaves a thread behind
    }
  },
  MYSQL("com.mysql.cj.jdbc.Driver", "mysql") {
    @Override
    void note(Properties properties, Driver driver) {
      // It takes factories of its own kind alone. Its limit for a packet, 64 KiB, ends what a
      // server drips.
    }
  },
  MARIADB("org.mariadb.jdbc.Driver", "mariadb");

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

  /** Makes the driver open sockets that can be closed meanwhile, if it sees their factory. */
  void note(Properties properties, Driver driver) {
    if (ClientClasses.show(NotedSocketFactory.class, driver.getClass())) {
      properties.setProperty("socketFactory", NotedSocketFactory.class.getName());
    }
  }

  static JdbcDriver of(NativeStoreAddress address) {
    if (address.kind().equals("postgresql")) {
      return POSTGRESQL;
    }
    return ClientClasses.arePresent(MYSQL.className) ? MYSQL : MARIADB;
  }

  SqlLink.Source source(NativeStoreAddress address) {
    Driver driver = driver();
    Authority url = new Authority(address.client());
    String jdbc = "jdbc:" + scheme + "://" + String.join(",", url.hosts) + "/" + encoded(url.path)
        + (url.parameters.isEmpty() ? "" : "?" + url.parameters);
    return timeoutMs -> {
      Properties properties = new Properties();
      limit(properties, timeoutMs);
      if (!url.parameters.contains("socketFactory=")) {
        note(properties, driver);
      }
      if (url.user != null) {
        properties.setProperty("user", url.user);
      }
      if (url.password != null) {
        properties.setProperty("password", url.password);
      }
      return driver.connect(jdbc, properties);
    };
  }

  private Driver driver() {
    try {
      return (Driver) Class.forName(className).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException | LinkageError e) {
      String artifacts = this == POSTGRESQL ? "org.postgresql:postgresql"
          : "com.mysql:mysql-connector-j or org.mariadb.jdbc:mariadb-java-client";
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

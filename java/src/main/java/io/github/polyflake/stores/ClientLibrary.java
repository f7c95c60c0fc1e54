package io.github.polyflake.stores;

import io.github.polyflake.internal.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Supplier;

/** The client libraries of stores, and the versions of them that leases work with. */
enum ClientLibrary {
  JEDIS("Jedis", "redis.clients", "jedis", "redis.clients.jedis.Jedis"), LETTUCE("Lettuce", "io.lettuce",
      "lettuce-core", "io.lettuce.core.RedisClient"), CURATOR("Curator", "org.apache.curator", "curator-framework",
          "org.apache.curator.framework.CuratorFramework"), JETCD("jetcd", "io.etcd", "jetcd-core",
              "io.etcd.jetcd.Client"), POSTGRESQL("PostgreSQL's driver", "org.postgresql", "postgresql",
                  "org.postgresql.Driver"), MYSQL("MySQL Connector/J", "com.mysql", "mysql-connector-j",
                      "com.mysql.cj.jdbc.Driver"), MARIADB("MariaDB Connector/J", "org.mariadb.jdbc",
                          "mariadb-java-client", "org.mariadb.jdbc.Driver");

  private final String title;
  private final String group;
  private final String artifact;
  private final String type;

  ClientLibrary(String title, String group, String artifact, String type) {
    this.title = title;
    this.group = group;
    this.artifact = artifact;
    this.type = type;
  }

  /** Returns the Maven coordinates without a version. */
  String coordinates() {
    return group + ":" + artifact;
  }

  /** Returns the lowest and the newest version that leases are tested with, as people read it. */
  String supported() {
    return property("clients.properties", artifact);
  }

  /** Returns the version that is present; empty if its jar does not tell. */
  String version() {
    String ofMaven = property("/META-INF/maven/" + group + "/" + artifact + "/pom.properties", "version");
    if (!ofMaven.isEmpty()) {
      return ofMaven;
    }
    try {
      Package ofClient = Class.forName(type, false, ClientLibrary.class.getClassLoader()).getPackage();
      return ofClient == null ? "" : Objects.toString(ofClient.getImplementationVersion(), "");
    } catch (ClassNotFoundException | LinkageError e) {
      return "";
    }
  }

  private static String property(String resource, String name) {
    Properties properties = new Properties();
    try (InputStream in = ClientLibrary.class.getResourceAsStream(resource)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      return "";
    }
    return properties.getProperty(name, "");
  }

  /**
   * Says why this library cannot be used. A class or a method that is missing means another version
   * of the library, or one without its dependencies.
   */
  String complaint(LinkageError failure) {
    String version = version();
    return "leases cannot use " + title + (version.isEmpty() ? "" : " " + version) + " as it is here: "
        + Refusal.wordsOf(failure) + ". Supported: " + coordinates() + " " + supported() + ", with its dependencies";
  }

  /** Returns what {@code maker} makes. Errors: option_invalid if this library cannot be used. */
  <T> T with(Supplier<T> maker) {
    try {
      return maker.get();
    } catch (LinkageError e) {
      throw Refusal.of("option_invalid", complaint(e), e);
    }
  }
}

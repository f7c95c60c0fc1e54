package io.github.polyflake.stores;

import java.lang.reflect.InvocationTargetException;

/**
 * Whether a client of a store is there. As a module this package requires none: parts of ZooKeeper cannot be modules
 * beside each other. It reads where a client is, a module or the class path, once that is used.
 */
final class ClientClasses {
  static final boolean JEDIS = arePresent("redis.clients.jedis.Connection");
  static final boolean LETTUCE = arePresent("io.lettuce.core.RedisClient", "io.netty.channel.ChannelDuplexHandler",
      "io.netty.buffer.ByteBuf");
  static final boolean CURATOR = arePresent("org.apache.curator.framework.CuratorFramework",
      "org.apache.curator.CuratorZookeeperClient", "org.apache.zookeeper.ZooKeeper");
  static final boolean JETCD = arePresent("io.etcd.jetcd.Client", "io.etcd.jetcd.ByteSequence",
      "io.etcd.jetcd.api.TxnResponse");
  static final boolean JDBC = arePresent("javax.sql.DataSource");

  private ClientClasses() {}

  /** From now on the modules of all that are there are read. */
  static void read() {}

  static boolean arePresent(String... names) {
    try {
      for (String name : names) {
        read(Class.forName(name, false, ClientClasses.class.getClassLoader()));
      }
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** Returns whether a client can make objects of a class of ours by its name, which it may from now on if it is a module. */
  static boolean show(Class<?> ours, Class<?> client) {
    try {
      if (Class.forName(ours.getName(), false, client.getClassLoader()) != ours) {
        return false;
      }
      Object from = Class.class.getMethod("getModule").invoke(client);
      Object own = Class.class.getMethod("getModule").invoke(ours);
      String place = ours.getPackage().getName();
      own.getClass().getMethod("addExports", String.class, own.getClass()).invoke(own, place, from);
      return true;
    } catch (NoSuchMethodException e) {
      return true; // Java 8
    } catch (ClassNotFoundException | LinkageError e) {
      return false; // its loader does not know ours
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new AssertionError(e);
    }
  }

  /** By name, since Java 8 has no modules. */
  private static void read(Class<?> type) {
    try {
      Object from = Class.class.getMethod("getModule").invoke(type);
      Object own = Class.class.getMethod("getModule").invoke(ClientClasses.class);
      own.getClass().getMethod("addReads", own.getClass()).invoke(own, from);
    } catch (NoSuchMethodException e) {
      // Java 8
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new AssertionError(e);
    }
  }
}

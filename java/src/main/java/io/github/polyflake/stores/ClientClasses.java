package io.github.polyflake.stores;

import java.lang.reflect.InvocationTargetException;

/**
 * Tells which clients of stores are present. As a module, this package requires no client: parts of
 * ZooKeeper cannot be modules beside each other. The package reads the module of a client, or the
 * class path, once that is used.
 */
final class ClientClasses {
  private ClientClasses() {}

  /** Returns true if these classes can be loaded; then this package reads their modules. */
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

  /**
   * Returns true if a client can make objects of our class by its name. If the client is a module,
   * this call permits it.
   */
  static boolean show(Class<?> ours, Class<?> client) {
    try {
      if (Class.forName(ours.getName(), false, client.getClassLoader()) != ours) {
        return false;
      }
      Object from = Class.class.getMethod("getModule").invoke(client);
      Object own = Class.class.getMethod("getModule").invoke(ours);
      String name = ours.getPackage().getName();
      own.getClass().getMethod("addExports", String.class, own.getClass()).invoke(own, name, from);
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

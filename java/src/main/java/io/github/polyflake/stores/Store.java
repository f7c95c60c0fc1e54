package io.github.polyflake.stores;

import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.StoreAccess;
import io.github.polyflake.internal.StoreLink;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A store through which hosts share node ids and counters. Usually its address is enough:
 * {@code Generator.builder().worker("redis://host/0?namespace=orders")}. Make a store if you set up
 * the client yourself (TLS, pool, Sentinel, credentials). You also close that client yourself.
 *
 * <pre>{@code
 * Store store = new RedisStore(jedis, Store.options("orders"));
 * Namespaces.init(store, "polyflake"); // once, by an operator
 * Generator generator = Generator.builder().worker(store).build();
 * }</pre>
 *
 * <p><b>Thread safety.</b> Any thread. Generators of one store and layout share one node id;
 * sources of one store, counter and options share the numbers that are held.
 */
public abstract class Store {
  static {
    StoreAccess.open(store -> store.link);
    StoreAccess.openTickets(new TicketLinks());
  }

  private final StoreLink link;

  Store(StoreLink link) {
    this.link = link;
  }

  /**
   * Returns the options for a namespace; all but its name have their defaults.
   *
   * @param namespace 1 to 64 characters from a-z, 0-9, {@code .}, {@code _} and {@code -}
   * @return options that can be changed
   */
  public static Options options(String namespace) {
    return new Options(Objects.requireNonNull(namespace, "namespace"));
  }

  /**
   * Returns the class and the store, without credentials.
   *
   * @return a text for people
   */
  @Override
  public String toString() {
    return getClass().getSimpleName() + "(" + link.shown() + ")";
  }

  /**
   * The options for a namespace in a store. The constructor of the store checks the values.
   * <b>Thread safety.</b> None.
   */
  public static final class Options {
    private final Map<String, String> values = new LinkedHashMap<>(); // by parameter of an address

    private Options(String namespace) {
      values.put("namespace", namespace);
    }

    /**
     * Pins the namespace: one of the same name with another UUID is {@code wrong_namespace}.
     *
     * @param uuid the result of {@link Namespaces#init(Store, String)}
     * @return this
     */
    public Options uuid(String uuid) {
      return set("uuid", Objects.requireNonNull(uuid, "uuid"));
    }

    /**
     * Makes the namespace if it is missing. By default it is not made: the store may be the wrong
     * one, or an empty one.
     *
     * @param autoInit true to make it; false, the default, to report an error
     * @return this
     */
    public Options autoInit(boolean autoInit) {
      return set("auto_init", autoInit ? "1" : "0");
    }

    /**
     * Sets how far ahead node ids are granted, if this makes the namespace. Default: 10 s.
     *
     * @param window at least three ticks of the layout
     * @return this
     */
    public Options window(Duration window) {
      return set("window_ms", window);
    }

    /**
     * Sets the largest difference between clocks, if this makes the namespace. Default: 500 ms.
     *
     * @param tolerance below the window
     * @return this
     */
    public Options tolerance(Duration tolerance) {
      return set("tolerance_ms", tolerance);
    }

    /**
     * Sets how long opening may take to get a node id. Default: 30 s.
     *
     * @param acquireTimeout in whole milliseconds, rounded down
     * @return this
     */
    public Options acquireTimeout(Duration acquireTimeout) {
      return set("acquire_timeout_ms", acquireTimeout);
    }

    /**
     * Sets how long a call for an id waits for a late window. Default: 1 s.
     *
     * @param renewWait in whole milliseconds, rounded down
     * @return this
     */
    public Options renewWait(Duration renewWait) {
      return set("renew_wait_ms", renewWait);
    }

    /**
     * Sets the schema of the tables, for a {@link SqlStore} only. Default: {@code public} in
     * PostgreSQL, the database of the connection in MySQL.
     *
     * @param schema 1 to 63 letters, digits, {@code _} and {@code -}; stores other than
     *     {@link SqlStore} refuse it
     * @return this
     */
    public Options schema(String schema) {
      return set("schema", Objects.requireNonNull(schema, "schema"));
    }

    /**
     * Sets whether the records contain host and pid, for people. By default they do.
     *
     * @param label true for host and pid, false for no label
     * @return this
     */
    public Options label(boolean label) {
      return set("label", label ? "1" : "0");
    }

    private Options set(String name, Duration duration) {
      // Tests the seconds first: a negative fraction of a millisecond must not become 0. The core
      // refuses a duration that is too long.
      boolean fits = duration.getSeconds() < Integer.MAX_VALUE && duration.getSeconds() >= 0;
      return set(name, fits ? Long.toString(duration.toMillis()) : duration.getSeconds() + "000");
    }

    private Options set(String name, String value) {
      values.put(name, value);
      return this;
    }

    /** Returns the address with these options. Errors: option_invalid. */
    NativeStoreAddress addressOf(String kind, String shown) {
      NativeLibrary.require();
      NativeStoreAddress address = new NativeStoreAddress(kind, shown + "?namespace=" + values.get("namespace"));
      values.forEach(address::set);
      return address;
    }
  }
}

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
 * Where hosts share node ids. Usually an address is enough,
 * {@code Generator.builder().worker("redis://host/0?namespace=orders")}; a store is for a client that is set up your way
 * (TLS, pool, Sentinel, credentials), and stays yours to close.
 *
 * <pre>{@code
 * Store store = new RedisStore(jedis, Store.options("orders"));
 * Namespaces.init(store, "polyflake"); // once, by an operator
 * Generator generator = Generator.builder().worker(store).build();
 * }</pre>
 *
 * <p><b>Thread safety.</b> Any thread. Generators of one store and layout share one node id.
 */
public abstract class Store {
  static {
    StoreAccess.open(store -> store.link);
  }

  private final StoreLink link;

  Store(StoreLink link) {
    this.link = link;
  }

  /**
   * The store of an address, over a client that is made for it.
   *
   * <p>{@code redis://}, {@code rediss://} and {@code redis+sentinel://} need Jedis or Lettuce, {@code zookeeper://}
   * Curator, {@code etcd://} and {@code etcds://} jetcd, {@code postgresql://} and {@code mysql://} a JDBC driver.
   *
   * @param url for example {@code "redis://host/0?namespace=orders"}; options are parameters: {@code namespace},
   *     {@code uuid}, {@code auto_init}, {@code window_ms}, {@code tolerance_ms}, {@code acquire_timeout_ms},
   *     {@code renew_wait_ms}, {@code label}, {@code schema}
   * @return a store; nothing is connected yet
   * @throws io.github.polyflake.BadArgumentException {@code worker_source_invalid}, also where the client is not on the
   *     class path, {@code option_invalid}
   */
  public static Store of(String url) {
    Objects.requireNonNull(url, "url");
    NativeLibrary.require();
    return Urls.storeOf(NativeStoreAddress.parse(url));
  }

  /**
   * Begins the options of a store.
   *
   * @param namespace 1 to 64 of a-z, 0-9, {@code .}, {@code _} and {@code -}
   * @return options, all others at their defaults
   */
  public static Options options(String namespace) {
    return new Options(Objects.requireNonNull(namespace, "namespace"));
  }

  /**
   * The store without credentials.
   *
   * @return text for people
   */
  @Override
  public String toString() {
    return getClass().getSimpleName() + "(" + link.shown() + ")";
  }

  /** What is wanted of a namespace. Values are checked when a store is made with them. Not thread safe. */
  public static final class Options {
    private final Map<String, String> values = new LinkedHashMap<>(); // by the names of addresses

    private Options(String namespace) {
      values.put("namespace", namespace);
    }

    /**
     * Pins the namespace: another one of its name is {@code wrong_namespace}.
     *
     * @param uuid as {@link Namespaces#init(Store, String)} returned it
     * @return this
     */
    public Options uuid(String uuid) {
      return set("uuid", Objects.requireNonNull(uuid, "uuid"));
    }

    /**
     * Whether the namespace is made where it is missing; not if not called: the store may be the wrong one, or an empty
     * one.
     *
     * @param autoInit whether
     * @return this
     */
    public Options autoInit(boolean autoInit) {
      return set("auto_init", autoInit ? "1" : "0");
    }

    /**
     * How far ahead node ids are granted, in a namespace that is made; 10 s if not called.
     *
     * @param window at least three ticks of the layout
     * @return this
     */
    public Options window(Duration window) {
      return set("window_ms", window);
    }

    /**
     * By how much clocks may differ, in a namespace that is made; 500 ms if not called.
     *
     * @param tolerance below the window
     * @return this
     */
    public Options tolerance(Duration tolerance) {
      return set("tolerance_ms", tolerance);
    }

    /**
     * How long opening may take to get a node id; 30 s if not called.
     *
     * @param acquireTimeout in whole milliseconds, rounded down
     * @return this
     */
    public Options acquireTimeout(Duration acquireTimeout) {
      return set("acquire_timeout_ms", acquireTimeout);
    }

    /**
     * How long a call for an id waits for a window that is late; 1 s if not called.
     *
     * @param renewWait in whole milliseconds, rounded down
     * @return this
     */
    public Options renewWait(Duration renewWait) {
      return set("renew_wait_ms", renewWait);
    }

    /**
     * Names the schema of the tables, for a {@link SqlStore} only; if not called {@code public} in PostgreSQL, and in MySQL
     * the database of the connection.
     *
     * @param schema 1 to 63 letters, digits, {@code _} and {@code -}; other stores than {@link SqlStore} refuse it
     * @return this
     */
    public Options schema(String schema) {
      return set("schema", Objects.requireNonNull(schema, "schema"));
    }

    /**
     * Whether host and pid stand in the records, for people; they do if not called.
     *
     * @param label whether
     * @return this
     */
    public Options label(boolean label) {
      return set("label", label ? "1" : "0");
    }

    private Options set(String name, Duration duration) {
      // Seconds first: a negative fraction of a millisecond must not become 0. The core refuses what is too long.
      boolean fits = duration.getSeconds() < Integer.MAX_VALUE && duration.getSeconds() >= 0;
      return set(name, fits ? Long.toString(duration.toMillis()) : duration.getSeconds() + "000");
    }

    private Options set(String name, String value) {
      values.put(name, value);
      return this;
    }

    /** Errors: option_invalid. */
    NativeStoreAddress addressOf(String kind, String shown) {
      NativeLibrary.require();
      NativeStoreAddress address = new NativeStoreAddress(kind, shown + "?namespace=" + values.get("namespace"));
      values.forEach(address::set);
      return address;
    }
  }
}

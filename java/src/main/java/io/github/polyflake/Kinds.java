package io.github.polyflake;

import io.github.polyflake.internal.WarningLog;
import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeLibrary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The kinds of ids. Each kind has a builder of its sources; {@link #open(String)} takes the name of
 * a kind, for programs that get it from their configuration.
 *
 * <pre>{@code
 * try (TimedUuidSource ids = Kinds.uuid7().build()) {
 *   UUID id = ids.nextId();
 * }
 * IdSource orders = Kinds.open("uuid7").option("worker", "host").build();
 * }</pre>
 *
 * <p>Each builder says what its kind guarantees and what it leaves to chance.
 */
public final class Kinds {
  static final String SNOWFLAKE = "snowflake";
  static final String UUID7 = "uuid7";
  static final String UUID4 = "uuid4";
  static final String OBJECTID = "objectid";
  static final String SEGMENT = "segment";
  static final String DATE = "date";
  static final String TICKET = "ticket";

  /** Open the kinds of this library with options by name. */
  private static final Map<String, Function<KindSettings, IdSource>> BUILT_IN = new HashMap<>();

  static {
    BUILT_IN.put(SNOWFLAKE, given -> new Generator(given.worker().ordering().all()));
    BUILT_IN.put(UUID7, given -> new Uuid7Source(given.worker().entropy().all()));
    BUILT_IN.put(UUID4, given -> new Uuid4Source(given.entropy().all()));
    BUILT_IN.put(OBJECTID, given -> new ObjectIds(given.entropy().all()));
    BUILT_IN.put(SEGMENT, given -> given.ofSegment().open());
    BUILT_IN.put(DATE, given -> given.ofDate().open());
    BUILT_IN.put(TICKET, given -> given.ofTicket().open());
  }

  /** The most providers that may fail in one search, since a broken class loader fails forever. */
  private static final int MOST_FAILURES = 1000;

  /** Factories by name, in the order of registration. The map is replaced, never changed. */
  private static volatile Map<String, Function<KindOptions, IdSource>> registered = Collections.emptyMap();

  private Kinds() {}

  /**
   * Returns a builder for 64-bit numbers that are never equal, as {@link Generator#builder()} does.
   *
   * @return a new builder
   */
  public static Generator.Builder snowflake() {
    return Generator.builder();
  }

  /**
   * Returns a builder for UUIDs of version 7, which rise.
   *
   * @return a new builder
   */
  public static Uuid7Builder uuid7() {
    return new Uuid7Builder();
  }

  /**
   * Returns a builder for UUIDs of version 4, which are random.
   *
   * @return a new builder
   */
  public static Uuid4Builder uuid4() {
    return new Uuid4Builder();
  }

  /**
   * Returns a builder for MongoDB's 12-byte ids, which rise.
   *
   * @return a new builder
   */
  public static ObjectIdBuilder objectid() {
    return new ObjectIdBuilder();
  }

  /**
   * Returns a builder for the numbers of a counter in a store, which are dense and rise.
   *
   * @return a new builder
   */
  public static SegmentBuilder segment() {
    return new SegmentBuilder();
  }

  /**
   * Returns a builder for numbers that begin with the date, such as those of orders that people
   * read: {@code "ORD20230414000001"}.
   *
   * @return a new builder
   */
  public static DateIdBuilder date() {
    return new DateIdBuilder();
  }

  /**
   * Returns a builder for the numbers of ticket servers, databases that already hand out numbers.
   *
   * @return a new builder
   */
  public static TicketBuilder ticket() {
    return new TicketBuilder();
  }

  /**
   * Returns a builder of a source whose kind is given by name.
   *
   * @param kind {@code "name"} or {@code "name:store"}, with a name of {@link #names()}; the
   *     store is the option {@code "store"}
   * @return a new builder
   */
  public static KindBuilder open(String kind) {
    return new KindBuilder(kind);
  }

  /**
   * Registers a kind of your own until the program ends. A library adds a kind with a
   * {@link KindProvider} instead.
   *
   * @param name {@code [a-z][a-z0-9_]{0,31}}
   * @param factory opens a source; it takes the options that it knows, any left over is an error;
   *     it may throw any exception
   * @throws BadArgumentException {@code text_invalid} (not a valid name), {@code option_invalid}
   *     (the name is taken)
   */
  public static void register(String name, Function<? super KindOptions, ? extends IdSource> factory) {
    Objects.requireNonNull(factory, "factory");
    checkNew(name, own(leftOut -> {})); // runs code of providers, so before the lock
    synchronized (Kinds.class) {
      checkNew(name, registered);
      Map<String, Function<KindOptions, IdSource>> more = new LinkedHashMap<>(registered);
      more.put(name, factory::apply);
      registered = more;
    }
  }

  /**
   * Returns the names of all kinds: first those of this library, then registered ones, then those
   * of each {@link KindProvider} that the context class loader of this thread finds. If a provider
   * is left out, logs the reason.
   *
   * @return the names; unmodifiable
   */
  public static List<String> names() {
    NativeLibrary.require();
    List<String> names = new ArrayList<>(Arrays.asList(Facade.builtInKinds()));
    names.addAll(own(leftOut -> WarningLog.say("a provider of a kind is left out: " + leftOut.getMessage())).keySet());
    return Collections.unmodifiableList(names);
  }

  /** Opens a kind of this library. */
  static IdSource openBuiltIn(String kind, KindOptions options) {
    return BUILT_IN.get(kind).apply(new KindSettings(kind, options));
  }

  static Map<String, Function<KindOptions, IdSource>> registered() {
    return registered;
  }

  /**
   * Returns all kinds that are not of this library. Searches every time, since class loaders differ
   * and opening is rare. A provider is left out if it fails, or if its name is invalid or taken;
   * the other kinds stay usable. {@code leftOut} receives the reason.
   */
  static Map<String, Function<KindOptions, IdSource>> own(Consumer<ServiceConfigurationError> leftOut) {
    Map<String, Function<KindOptions, IdSource>> own = new LinkedHashMap<>(registered);
    Iterator<KindProvider> providers = ServiceLoader.load(KindProvider.class).iterator();
    for (int failures = 0; failures < MOST_FAILURES;) {
      try {
        if (!providers.hasNext()) {
          break;
        }
        add(providers.next(), own);
      } catch (ServiceConfigurationError e) {
        failures++;
        leftOut.accept(e);
      }
    }
    return own;
  }

  private static void add(KindProvider provider, Map<String, Function<KindOptions, IdSource>> own) {
    try {
      String name = Objects.requireNonNull(provider.kind(), "kind");
      checkNew(name, own);
      own.put(name, provider::open);
    } catch (RuntimeException | LinkageError e) {
      throw new ServiceConfigurationError(provider.getClass().getName() + ": " + e.getMessage(), e);
    }
  }

  private static void checkNew(String name, Map<String, ?> own) {
    NativeLibrary.require();
    Facade.checkNewKind(name, own.keySet().toArray(new String[0]));
  }
}

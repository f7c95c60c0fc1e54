package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeLibrary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
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
 * The kinds of ids, each with a builder of its sources; or by name, for programs that are told it by their configuration.
 *
 * <pre>{@code
 * try (TimedUuidSource ids = Kinds.uuid7().build()) {
 *   UUID id = ids.nextId();
 * }
 * IdSource orders = Kinds.open("uuid7").option("worker", "host").build();
 * }</pre>
 *
 * <p>What is certain and what is left to chance differs from kind to kind: the builders say it.
 */
public final class Kinds {
  static final String SNOWFLAKE = "snowflake";
  static final String UUID7 = "uuid7";
  static final String UUID4 = "uuid4";
  static final String OBJECTID = "objectid";

  private static final int MOST_FAILURES = 1000; // of providers; a class loader that is broken fails for ever

  /** By name, in the order of registering; replaced, never changed. */
  private static volatile Map<String, Function<KindOptions, IdSource>> registered = Collections.emptyMap();

  private Kinds() {}

  /**
   * 64-bit numbers that are never equal: {@link Generator#builder()}.
   *
   * @return a new builder
   */
  public static Generator.Builder snowflake() {
    return Generator.builder();
  }

  /**
   * UUIDs of version 7, which rise.
   *
   * @return a new builder
   */
  public static Uuid7Builder uuid7() {
    return new Uuid7Builder();
  }

  /**
   * UUIDs of version 4, which are random.
   *
   * @return a new builder
   */
  public static Uuid4Builder uuid4() {
    return new Uuid4Builder();
  }

  /**
   * MongoDB's 12-byte ids, which rise.
   *
   * @return a new builder
   */
  public static ObjectIdBuilder objectid() {
    return new ObjectIdBuilder();
  }

  /**
   * Begins the settings of a source whose kind is given by name.
   *
   * @param kind {@code "name"} or {@code "name:store"}, one of {@link #names()}; an own kind finds the store as the option
   *     {@code "store"}
   * @return a new builder
   */
  public static KindBuilder open(String kind) {
    return new KindBuilder(kind);
  }

  /**
   * Makes a kind of this program, for its life. A library brings one along as a {@link KindProvider}.
   *
   * @param name {@code [a-z][a-z0-9_]{0,31}}
   * @param factory opens a source; it takes from the options what it knows, what is left is refused, and it may throw what it
   *     likes
   * @throws BadArgumentException {@code text_invalid} (no name), {@code option_invalid} (it is taken)
   */
  public static void register(String name, Function<? super KindOptions, ? extends IdSource> factory) {
    Objects.requireNonNull(factory, "factory");
    checkNew(name, own(leftOut -> {})); // runs code of others, so before the lock
    synchronized (Kinds.class) {
      checkNew(name, registered);
      Map<String, Function<KindOptions, IdSource>> more = new LinkedHashMap<>(registered);
      more.put(name, factory::apply);
      registered = more;
    }
  }

  /**
   * The names of all kinds: those of this library, then those that were registered, then those of each {@link KindProvider}
   * that the class loader of this thread finds; of those that are left out it logs why.
   *
   * @return names; unmodifiable
   */
  public static List<String> names() {
    NativeLibrary.require();
    List<String> names = new ArrayList<>(Arrays.asList(Facade.builtInKinds()));
    names.addAll(own(leftOut -> WarningLog.say("a provider of a kind is left out: " + leftOut.getMessage())).keySet());
    return Collections.unmodifiableList(names);
  }

  static Map<String, Function<KindOptions, IdSource>> registered() {
    return registered;
  }

  /**
   * All kinds that are not of this library. Looked for each time, since class loaders differ and opening is rare. A provider
   * that fails, or whose name is none or taken, is left out, and keeps nobody from other kinds.
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

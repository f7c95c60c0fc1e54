package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeLibrary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The settings of a source whose kind is given by name: {@link Kinds#open(String)}. Values are checked by
 * {@link #build()}. Not thread safe; may be used for several sources.
 */
public final class KindBuilder {
  private final String text;
  private final Map<String, Object> options = new LinkedHashMap<>();

  KindBuilder(String text) {
    this.text = Objects.requireNonNull(text, "kind");
  }

  /**
   * Sets an option; the last value of a name counts.
   *
   * @param name of a kind of this library: the name of a method of its builder, such as {@code "maxWait"}
   * @param value of a type that this method takes
   * @return this
   */
  public KindBuilder option(String name, Object value) {
    options.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, name));
    return this;
  }

  /**
   * Opens a source.
   *
   * <p><b>Blocking.</b> As {@code build()} of the builder of its kind.
   *
   * @return a source: {@link LongSource}, {@link UuidSource}, {@link TextSource} or what an own kind has
   * @throws BadArgumentException {@code text_invalid}, {@code unknown_kind} (providers that are left out are its suppressed
   *     exceptions), {@code option_invalid} (no such option, or of another type)
   * @throws PolyflakeException as {@link Generator.Builder#build()}, {@link Uuid7Builder#build()},
   *     {@link Uuid4Builder#build()}, {@link ObjectIdBuilder#build()}; of an own kind what it says
   */
  public IdSource build() {
    NativeLibrary.require();
    Map<String, Function<KindOptions, IdSource>> own = Kinds.registered();
    List<Throwable> leftOut = new ArrayList<>();
    String[] kind;
    try {
      kind = parsed(own, leftOut);
    } catch (PolyflakeException e) {
      if (!e.code().equals("unknown_kind")) {
        throw e;
      }
      own = Kinds.own(leftOut::add); // no sooner: it runs code of others
      kind = parsed(own, leftOut);
    }
    KindOptions given = new KindOptions(kind[0]);
    options.forEach(given::put);
    if (kind.length > 1) {
      given.put("store", kind[1]);
    }
    Function<KindOptions, IdSource> factory = own.get(kind[0]);
    return factory == null ? KindSettings.open(kind[0], given) : openOwn(factory, given);
  }

  private String[] parsed(Map<String, ?> own, List<Throwable> leftOut) {
    try {
      return Facade.parseKind(text, own.keySet().toArray(new String[0]));
    } catch (PolyflakeException e) {
      leftOut.forEach(e::addSuppressed);
      throw e;
    }
  }

  private static IdSource openOwn(Function<KindOptions, IdSource> factory, KindOptions options) {
    IdSource source = factory.apply(options);
    if (source == null) {
      throw PolyflakeException.refuse("option_invalid", "the factory of a kind gave null, which is no source");
    }
    try {
      options.refuseTheRest();
      return source;
    } catch (BadArgumentException e) {
      try {
        source.close();
      } catch (Throwable ofClosing) {
        e.addSuppressed(ofClosing);
      }
      throw e;
    }
  }
}

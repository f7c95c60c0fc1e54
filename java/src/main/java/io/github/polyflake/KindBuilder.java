package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeKindText;
import io.github.polyflake.internal.NativeLibrary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The settings of a source whose kind is given by name; see {@link Kinds#open(String)}.
 * {@link #build()} checks the values. One builder may open several sources.
 *
 * <p><b>Thread safety.</b> For one thread at a time.
 */
public final class KindBuilder {
  private final String text;
  private final Map<String, Object> options = new LinkedHashMap<>();

  KindBuilder(String text) {
    this.text = Objects.requireNonNull(text, "kind");
  }

  /**
   * Sets an option; if it is set twice, the last value counts.
   *
   * @param name the name of the option; for a kind of this library the name of a method of its
   *     builder, such as {@code "maxWait"}
   * @param value the value, of a type that this method of the builder takes
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
   * @return a {@link LongSource}, {@link UuidSource} or {@link TextSource}, or the source that a
   *     kind of your own returns; the caller closes it
   * @throws BadArgumentException {@code text_invalid}, {@code unknown_kind} (its suppressed
   *     exceptions tell why providers were left out), {@code option_invalid} (an unknown option, or
   *     a value of another type)
   * @throws PolyflakeException as the builder of its kind says; for a kind of your own as its
   *     factory does
   */
  public IdSource build() {
    NativeLibrary.require();
    Map<String, Function<KindOptions, IdSource>> own = Kinds.registered();
    List<Throwable> leftOut = new ArrayList<>();
    NativeKindText kind;
    try {
      kind = parsed(own, leftOut);
    } catch (PolyflakeException e) {
      if (!e.code().equals("unknown_kind")) {
        throw e;
      }
      own = Kinds.own(leftOut::add); // not earlier, since it runs code of providers
      kind = parsed(own, leftOut);
    }
    KindOptions given = new KindOptions(kind.getName());
    options.forEach(given::put);
    if (kind.getHasStore()) {
      given.put("store", kind.getStore());
    }
    Function<KindOptions, IdSource> factory = own.get(kind.getName());
    return factory == null ? Kinds.openBuiltIn(kind.getName(), given) : openOwn(factory, given);
  }

  private NativeKindText parsed(Map<String, ?> own, List<Throwable> leftOut) {
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

package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeLibrary;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Shortcuts that use one generator for the whole program, and conversions of ids to and from text.
 *
 * <pre>{@code
 * long id = Polyflake.nextId();
 * }</pre>
 */
public final class Polyflake {
  private static volatile Generator generator;
  private static volatile Layout preset;
  private static boolean isFrozen;

  private Polyflake() {}

  /**
   * Returns the next id of the default generator. That is the one passed to
   * {@link #setDefault(Generator)}, else one with default settings, which the first call opens. Its
   * node id comes from the environment variable {@code POLYFLAKE_WORKER}, else from this machine's
   * registry.
   *
   * <p><b>Blocking.</b> As {@link Generator#nextId()}; the first call also as
   * {@link Generator.Builder#build()}.
   *
   * @return an id, never negative
   * @throws PolyflakeException as {@link Generator#nextId()} and, at the first call,
   *     {@link Generator.Builder#build()}
   */
  public static long nextId() {
    Generator used = opened();
    try {
      return used.nextId();
    } catch (StateException e) {
      if (used == generator) {
        throw e;
      }
      return nextId(); // used was one of PolyflakeTesting, which has ended since
    }
  }

  /**
   * Returns the next id of the default generator as text, for JSON and other data that JavaScript
   * reads: its numbers are exact only up to 2<sup>53</sup>.
   *
   * @return 1 to 19 ASCII digits
   * @throws PolyflakeException as {@link #nextId()}
   */
  public static String nextIdString() {
    return Long.toString(nextId());
  }

  /**
   * Makes these shortcuts use your generator. Call it when the program starts, before the first id.
   * A second call with the same generator has no effect.
   *
   * @param generator a generator; you remain responsible for closing it
   * @throws BadArgumentException {@code option_invalid} if the default generator was used already,
   *     or another generator was set
   */
  public static synchronized void setDefault(Generator generator) {
    Objects.requireNonNull(generator, "generator");
    if (Polyflake.generator != null && Polyflake.generator != generator) {
      throw PolyflakeException.refuse("option_invalid",
          "the default generator is in use or was set before; set it once, before the first id");
    }
    Polyflake.generator = generator;
  }

  /**
   * Returns the default generator, for its {@link Generator#state()} and {@link Generator#stats()}:
   * the one passed to {@link #setDefault(Generator)}, or the one that the first id opened. Opens
   * none, and never blocks.
   *
   * @return the default generator; empty before there is one
   */
  public static Optional<Generator> defaultGenerator() {
    return Optional.ofNullable(generator);
  }

  private static Generator opened() {
    Generator opened = generator;
    return opened != null ? opened : open();
  }

  // Not a holder class: its initializer would make a temporary failure permanent.
  private static synchronized Generator open() {
    if (generator == null) {
      generator = Generator.builder().build();
    }
    return generator;
  }

  /**
   * Puts this generator in place of the default one, for {@link PolyflakeTesting}; returns that for
   * {@link #thaw(Generator)}.
   */
  static synchronized Generator freeze(Generator replacement) {
    if (isFrozen) {
      throw PolyflakeException.refuse("option_invalid",
          "the default generator is frozen already: close that one before");
    }
    Generator before = generator;
    isFrozen = true;
    generator = replacement;
    return before;
  }

  /** Puts the default generator back that was there before. */
  static synchronized void thaw(Generator before) {
    isFrozen = false;
    generator = before;
  }

  /**
   * Returns the fields of an id of the {@link #defaultGenerator() default generator}, or of the
   * layout {@code "polyflake"} before there is one. Opens none.
   *
   * @param id any 64 bits, read as unsigned
   * @return its fields
   * @throws BadArgumentException {@code id_out_of_range}
   */
  public static Parts decode(long id) {
    Generator opened = generator; // read once: another thread may set it meanwhile
    if (opened != null) {
      return opened.decode(id);
    }
    Layout layout = preset;
    if (layout == null) {
      preset = layout = Layout.of("polyflake");
    }
    return layout.decode(id);
  }

  /**
   * Returns the fields of an id. For many ids, keep a {@link Layout}.
   *
   * @param id any 64 bits, read as unsigned
   * @param textOrPreset the layout, as for {@link Layout#of(String)}
   * @return its fields
   * @throws BadArgumentException {@code id_out_of_range}, {@code layout_invalid},
   *     {@code layout_too_wide}, {@code unknown_preset}
   */
  public static Parts decode(long id, String textOrPreset) {
    return decode(id, Layout.of(textOrPreset));
  }

  /**
   * Returns the fields of an id.
   *
   * @param id any 64 bits, read as unsigned
   * @param layout its layout
   * @return its fields
   * @throws BadArgumentException {@code id_out_of_range}
   */
  public static Parts decode(long id, Layout layout) {
    return layout.decode(id);
  }

  /**
   * Returns the systems that may have issued an unknown id, as of now: see
   * {@link #explain(long, Instant)}.
   *
   * @param id any 64 bits, read as unsigned
   * @return the reading of the id by every preset, plausible times first; unmodifiable
   */
  public static List<Explanation> explain(long id) {
    return explain(id, Instant.now());
  }

  /**
   * Returns the systems that may have issued an unknown id.
   *
   * <p>A time is plausible from one day after the preset's epoch to one day after {@code now}.
   * Readings with a plausible time are ordered by the hexadecimal digits that their sequence and
   * node fields need together, fewest first, then by time, latest first. The order is a hint for
   * people: systems that differ only by their epoch cannot be told apart.
   *
   * @param id any 64 bits, read as unsigned
   * @param now the present time
   * @return the reading of the id by every preset, plausible times first; unmodifiable
   * @throws BadArgumentException {@code option_invalid} if {@code now} is beyond a {@code long} of
   *     milliseconds
   */
  public static List<Explanation> explain(long id, Instant now) {
    NativeLibrary.require();
    try {
      return Explanation.of(id, now.toEpochMilli());
    } catch (ArithmeticException e) {
      throw PolyflakeException.refuse("option_invalid", "the year of the present is beyond every layout");
    }
  }

  /**
   * Returns an id in decimal.
   *
   * @param id any 64 bits, read as unsigned
   * @return 1 to 20 ASCII digits
   */
  public static String toText(long id) {
    return toText(id, "decimal");
  }

  /**
   * Returns an id as text.
   *
   * @param id any 64 bits, read as unsigned
   * @param codec {@code "decimal"} or another, such as {@code "hex"} (16 lower-case digits);
   *     docs/bit-layout.md lists all of them
   * @return ASCII text
   * @throws BadArgumentException {@code option_invalid} for an unknown codec
   */
  public static String toText(long id, String codec) {
    NativeLibrary.require();
    return Facade.toText(id, codec);
  }

  /**
   * Returns the id of a decimal text.
   *
   * @param text 1 to 20 ASCII digits without sign, blank or leading zero
   * @return the id; negative from 2<sup>63</sup> on
   * @throws BadArgumentException {@code text_invalid}, {@code id_out_of_range} from 2<sup>64</sup>
   *     on
   */
  public static long fromText(String text) {
    return fromText(text, "decimal");
  }

  /**
   * Returns the id of a text. Accepts only the form that {@link #toText(long, String)} returns.
   *
   * @param text ASCII text
   * @param codec the name of the codec
   * @return the id; negative from 2<sup>63</sup> on
   * @throws BadArgumentException {@code text_invalid}, {@code id_out_of_range},
   *     {@code option_invalid}
   */
  public static long fromText(String text, String codec) {
    NativeLibrary.require();
    return Facade.fromText(text, codec);
  }

  /**
   * Returns the id of a decimal text that a client sent, such as a path, a parameter or a body:
   * {@link #fromText(String)} also reads ids that no generator makes, which are negative here.
   *
   * @param text 1 to 19 ASCII digits without sign, blank or leading zero
   * @return an id that a generator could have made, never negative
   * @throws BadArgumentException {@code text_invalid}, {@code id_out_of_range} from 2<sup>63</sup>
   *     on
   */
  public static long idFromText(String text) {
    NativeLibrary.require();
    return Facade.idFromText(text);
  }

  /**
   * Returns the names of the presets, for {@link Layout#of(String)}.
   *
   * @return names; unmodifiable
   */
  public static List<String> presets() {
    NativeLibrary.require();
    return Collections.unmodifiableList(Arrays.asList(Facade.presetNames()));
  }

  /**
   * Returns the version of the native library, which is that of this package.
   *
   * @return for example {@code "0.1.0"}
   */
  public static String version() {
    NativeLibrary.require();
    return Facade.version();
  }
}

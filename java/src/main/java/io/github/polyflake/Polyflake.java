package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeLibrary;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Shortcuts that use one generator for the whole program, and ids as text.
 *
 * <pre>{@code
 * long id = Polyflake.nextId();
 * }</pre>
 */
public final class Polyflake {
  private static volatile Generator generator;
  private static volatile Layout defaultLayout;

  private Polyflake() {}

  /**
   * The next id of the default generator: the one that {@link #setDefault(Generator)} was given, else one with default
   * settings, opened by the first call. Its node id comes from the environment variable {@code POLYFLAKE_WORKER}, else
   * from this machine's registry.
   *
   * <p><b>Blocking.</b> As {@link Generator#nextId()}; the first call also as {@link Generator.Builder#build()}.
   *
   * @return an id, never negative
   * @throws PolyflakeException as {@link Generator#nextId()} and, at the first call, {@link Generator.Builder#build()}
   */
  public static long nextId() {
    return defaultGenerator().nextId();
  }

  /**
   * The next id of the default generator as text, for JSON and everything else that JavaScript reads: its numbers end
   * at 2<sup>53</sup>.
   *
   * @return 1 to 19 ASCII digits
   * @throws PolyflakeException as {@link #nextId()}
   */
  public static String nextIdString() {
    return defaultGenerator().nextIdString();
  }

  /**
   * Makes these shortcuts use a generator of yours. Call it where the program starts, before the first id. Again with
   * the same generator: no effect.
   *
   * @param generator a generator, which stays yours to close
   * @throws BadArgumentException {@code option_invalid} if the default generator has been used, or is another one of
   *     yours
   */
  public static synchronized void setDefault(Generator generator) {
    Objects.requireNonNull(generator, "generator");
    if (Polyflake.generator != null && Polyflake.generator != generator) {
      throw PolyflakeException.refuse("option_invalid",
          "the default generator is in use or was set before; set it once, before the first id");
    }
    Polyflake.generator = generator;
  }

  private static Generator defaultGenerator() {
    Generator opened = generator;
    return opened != null ? opened : open();
  }

  // Not a holder class: its initializer would turn a failure that passes into one that stays.
  private static synchronized Generator open() {
    if (generator == null) {
      generator = Generator.builder().build();
    }
    return generator;
  }

  /**
   * Takes an id of the layout {@code "polyflake"} apart.
   *
   * @param id any 64 bits, read as unsigned
   * @return its fields
   * @throws BadArgumentException {@code id_out_of_range}
   */
  public static Parts decode(long id) {
    Layout layout = defaultLayout;
    if (layout == null) {
      defaultLayout = layout = Layout.of("polyflake");
    }
    return layout.decode(id);
  }

  /**
   * Takes an id apart. For many ids keep the {@link Layout}.
   *
   * @param id any 64 bits, read as unsigned
   * @param textOrPreset as for {@link Layout#of(String)}
   * @return its fields
   * @throws BadArgumentException {@code id_out_of_range}, {@code layout_invalid}, {@code layout_too_wide},
   *     {@code unknown_preset}
   */
  public static Parts decode(long id, String textOrPreset) {
    return decode(id, Layout.of(textOrPreset));
  }

  /**
   * Takes an id apart.
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
   * Which system an unknown id may be from, at the present: {@link #explain(long, Instant)}.
   *
   * @param id any 64 bits, read as unsigned
   * @return what every preset makes of the id, those that give a plausible time first; unmodifiable
   */
  public static List<Explanation> explain(long id) {
    return explain(id, Instant.now());
  }

  /**
   * Which system an unknown id may be from.
   *
   * <p>A time is plausible from a day after the preset's epoch to a day after the present. Among these, those come first
   * whose sequence and node fields need the fewest hexadecimal digits together, then those with the later time. It is a
   * ranking to look at: systems that differ by their epoch alone cannot be told apart.
   *
   * @param id any 64 bits, read as unsigned
   * @param now the present
   * @return what every preset makes of the id, those that give a plausible time first; unmodifiable
   * @throws BadArgumentException {@code option_invalid} for a present beyond the milliseconds of a {@code long}
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
   * An id in decimal.
   *
   * @param id any 64 bits, read as unsigned
   * @return 1 to 20 ASCII digits
   */
  public static String toText(long id) {
    return toText(id, "decimal");
  }

  /**
   * An id as text.
   *
   * @param id any 64 bits, read as unsigned
   * @param codec {@code "decimal"}, or another such as {@code "hex"}, 16 lower-case digits; docs/bit-layout.md has all of
   *     them
   * @return ASCII text
   * @throws BadArgumentException {@code option_invalid} for another codec
   */
  public static String toText(long id, String codec) {
    NativeLibrary.require();
    return Facade.toText(id, codec);
  }

  /**
   * Reads an id in decimal.
   *
   * @param text 1 to 20 ASCII digits without sign, blank or leading zero
   * @return the id; negative from 2<sup>63</sup> on
   * @throws BadArgumentException {@code text_invalid}, {@code id_out_of_range} from 2<sup>64</sup> on
   */
  public static long fromText(String text) {
    return fromText(text, "decimal");
  }

  /**
   * Reads an id from text, strictly in the form that {@link #toText(long, String)} gives.
   *
   * @param text ASCII text
   * @param codec its name
   * @return the id; negative from 2<sup>63</sup> on
   * @throws BadArgumentException {@code text_invalid}, {@code id_out_of_range}, {@code option_invalid}
   */
  public static long fromText(String text, String codec) {
    NativeLibrary.require();
    return Facade.fromText(text, codec);
  }

  /**
   * Names that {@link Layout#of(String)} takes.
   *
   * @return the presets; unmodifiable
   */
  public static List<String> presets() {
    NativeLibrary.require();
    return Collections.unmodifiableList(Arrays.asList(Facade.presetNames()));
  }

  /**
   * The version of the native library, which is that of this package.
   *
   * @return for example {@code "0.1.0"}
   */
  public static String version() {
    NativeLibrary.require();
    return Facade.version();
  }
}

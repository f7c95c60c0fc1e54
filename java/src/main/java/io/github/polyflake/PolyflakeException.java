package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeLibrary;
import java.nio.charset.StandardCharsets;

/**
 * A refusal, with a code that is the same in every language of Polyflake.
 *
 * <p>It is an {@link IllegalArgumentException} because most refusals are about an argument, and because this is the
 * one type to catch for all of them; {@link #kind()} tells those about the clock or the node id apart. Only the use
 * of a closed generator is a {@link GeneratorClosedException} instead.
 */
public final class PolyflakeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final String kind;

  private PolyflakeException(String code, String kind, String message) {
    super(message);
    this.code = code;
    this.kind = kind;
  }

  /**
   * What was refused, for programs.
   *
   * @return for example {@code "clock_behind"}; never changes between versions
   */
  public String code() {
    return code;
  }

  /**
   * What the code is about.
   *
   * @return {@code "argument"}, {@code "clock"}, {@code "worker"}, {@code "state"} or {@code "lease"}
   */
  public String kind() {
    return kind;
  }

  /** Called by name from the native library with what went wrong there; the message is UTF-8. */
  static Throwable of(String code, String kind, byte[] utf8) {
    String message = new String(utf8, StandardCharsets.UTF_8);
    switch (code) {
      case "generator_closed":
        return new GeneratorClosedException(message);
      case "out_of_memory":
        return new OutOfMemoryError(message);
      default:
        return new PolyflakeException(code, kind, message);
    }
  }

  /** Refuses what cannot be handed to the native library; the code must be one of its table. */
  static PolyflakeException refuse(String code, String message) {
    NativeLibrary.require();
    Facade.raise(code, message);
    throw new AssertionError("not refused: " + code);
  }
}

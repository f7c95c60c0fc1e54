package io.github.polyflake.internal;

import io.github.polyflake.PolyflakeException;

/** Refusals of packages that cannot make a PolyflakeException themselves. */
public final class Refusal {
  private Refusal() {}

  /**
   * Throws a PolyflakeException with this code. The result is only for {@code throw} before the
   * call. Requires: an ASCII message.
   */
  public static RuntimeException of(String code, String message) {
    NativeLibrary.require();
    Facade.raise(code, message);
    throw new AssertionError(code);
  }

  /** The same with a cause, which must not name credentials. */
  public static RuntimeException of(String code, String message, LinkageError cause) {
    try {
      throw of(code, message);
    } catch (PolyflakeException e) {
      e.initCause(cause);
      throw e;
    }
  }

  /** Returns the kind of the error, and the class or method that is missing, in ASCII. */
  public static String wordsOf(LinkageError failure) {
    String missing = failure.getMessage() == null ? "" : " (" + failure.getMessage() + ")";
    return failure.getClass().getSimpleName() + missing.replaceAll("[^ -~]", "?");
  }
}

package io.github.polyflake.internal;

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
}

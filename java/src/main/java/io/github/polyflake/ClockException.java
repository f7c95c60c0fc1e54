package io.github.polyflake;

/** Thrown if no id may be issued at the present time of the clock. */
public final class ClockException extends PolyflakeException {
  private static final long serialVersionUID = 1L;

  ClockException(String code, String message) {
    super(code, "clock", message);
  }
}

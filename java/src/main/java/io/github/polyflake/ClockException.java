package io.github.polyflake;

/** The clock is where no id may be issued. */
public final class ClockException extends PolyflakeException {
  private static final long serialVersionUID = 1L;

  ClockException(String code, String message) {
    super(code, "clock", message);
  }
}

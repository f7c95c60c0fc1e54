package io.github.polyflake;

/** Thrown if an argument is outside its documented range. */
public final class BadArgumentException extends PolyflakeException {
  private static final long serialVersionUID = 1L;

  BadArgumentException(String code, String message) {
    super(code, "argument", message);
  }
}

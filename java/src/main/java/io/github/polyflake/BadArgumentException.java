package io.github.polyflake;

/** What was passed is outside its documented range. */
public final class BadArgumentException extends PolyflakeException {
  private static final long serialVersionUID = 1L;

  BadArgumentException(String code, String message) {
    super(code, "argument", message);
  }
}

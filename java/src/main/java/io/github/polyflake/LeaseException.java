package io.github.polyflake;

/** A coordination store refused, or could not be reached. */
public final class LeaseException extends PolyflakeException {
  private static final long serialVersionUID = 1L;

  LeaseException(String code, String message) {
    super(code, "lease", message);
  }
}

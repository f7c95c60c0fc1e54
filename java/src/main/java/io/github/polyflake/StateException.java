package io.github.polyflake;

/** This generator may not issue: it was closed, by this thread or another one, or its process is a copy. */
public final class StateException extends PolyflakeException {
  private static final long serialVersionUID = 1L;

  StateException(String code, String message) {
    super(code, "state", message);
  }
}

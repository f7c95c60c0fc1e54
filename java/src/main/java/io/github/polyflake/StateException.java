package io.github.polyflake;

/** This generator may not issue: a thread closed it, or its process is a copy. */
public final class StateException extends PolyflakeException {
  private static final long serialVersionUID = 1L;

  StateException(String code, String message) {
    super(code, "state", message);
  }
}

package io.github.polyflake;

/** No node id could be had. */
public final class WorkerException extends PolyflakeException {
  private static final long serialVersionUID = 1L;

  WorkerException(String code, String message) {
    super(code, "worker", message);
  }
}

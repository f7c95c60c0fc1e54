package io.github.polyflake;

import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * A refusal, with a code that is the same in every language of Polyflake.
 *
 * <p>One {@code catch} of this type gets all of them; each kind has a subclass. None is an
 * {@link IllegalArgumentException}: a web framework would take a clock that went back for a fault
 * of its client.
 */
public class PolyflakeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** As {@link #code()} gives it. */
  private final String code;
  /** As {@link #kind()} gives it. */
  private final String kind;
  /** As {@link #position()} gives it; -1 for none. */
  private int position = -1;

  PolyflakeException(String code, String kind, String message) {
    super(message);
    this.code = code;
    this.kind = kind;
  }

  /**
   * Returns the code of the refusal, for programs.
   *
   * @return for example {@code "clock_behind"}; never changes between versions
   */
  public String code() {
    return code;
  }

  /**
   * Returns the subject of the code.
   *
   * @return {@code "argument"}, {@code "clock"}, {@code "worker"}, {@code "state"} or
   *     {@code "lease"}
   */
  public String kind() {
    return kind;
  }

  /**
   * Returns the position of the mistake in a text of ids or in a key file.
   *
   * @return the index of the character, or the length of the text if it is too short; empty for
   *     other failures
   */
  public OptionalInt position() {
    return position < 0 ? OptionalInt.empty() : OptionalInt.of(position);
  }

  /**
   * Returns {@link #code()}, for frameworks that look for getters.
   *
   * @return the code
   */
  public String getCode() {
    return code;
  }

  /**
   * Returns {@link #kind()}, for frameworks that look for getters.
   *
   * @return the kind
   */
  public String getKind() {
    return kind;
  }

  /** Called by name from the native library. The message is UTF-8; a position of -1 means none. */
  static Throwable of(String code, String kind, byte[] utf8, int position) {
    Throwable failure = of(code, kind, new String(utf8, StandardCharsets.UTF_8));
    if (failure instanceof PolyflakeException) {
      ((PolyflakeException) failure).position = position;
    }
    return failure;
  }

  private static Throwable of(String code, String kind, String message) {
    switch (kind) {
      case "argument":
        return new BadArgumentException(code, message);
      case "clock":
        return new ClockException(code, message);
      case "worker":
        return new WorkerException(code, message);
      case "state":
        return new StateException(code, message);
      case "lease":
        return new LeaseException(code, message);
      default:
        return code.equals("out_of_memory") ? new OutOfMemoryError(message)
            : new PolyflakeException(code, kind, message);
    }
  }

  /** Refuses a value that the native library cannot take, with a code for arguments. */
  static PolyflakeException refuse(String code, String message) {
    throw new BadArgumentException(code, message);
  }
}

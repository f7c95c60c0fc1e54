package io.github.polyflake.internal;

import java.util.concurrent.ExecutionException;

/** A failure of a client in the words of its store. */
final class Trouble {
  private static final int CAUSES = 3;

  /** The store's own, empty where it has none. */
  final String code;
  /** Kinds of failures and the code alone: what clients say of them may name credentials. */
  final String words;

  private Trouble(String code, String words) {
    this.code = code;
    this.words = words;
  }

  /** Never throws, whatever the failure is made of. */
  static Trouble of(StoreLink link, Throwable failure) {
    try {
      String code = link.codeOf(failure);
      String words = link.shown() + ": " + kindsOf(failure);
      return new Trouble(code, code.isEmpty() ? words : words + " " + code);
    } catch (RuntimeException | Error e) {
      return new Trouble("", link.shown() + ": a failure that cannot be read");
    }
  }

  private static String kindsOf(Throwable failure) {
    boolean wraps = failure instanceof ExecutionException && failure.getCause() != null;
    Throwable first = wraps ? failure.getCause() : failure;
    StringBuilder kinds = new StringBuilder(first.getClass().getSimpleName());
    Throwable cause = first.getCause();
    for (int depth = 0; cause != null && depth < CAUSES; depth++, cause = cause.getCause()) {
      kinds.append(", ").append(cause.getClass().getSimpleName());
    }
    return kinds.toString();
  }
}

package io.github.polyflake.internal;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** A failure of a client in the words of its store. */
final class StoreFailure {
  private static final int CAUSES = 3;

  /** The system's code, else the store's own one; empty if there is none. */
  final String code;
  /** Kinds of failures and the code alone: what clients say of them may name credentials. */
  final String words;

  private StoreFailure(String code, String words) {
    this.code = code;
    this.words = words;
  }

  /** Returns the failure in the words of its store. Never throws. */
  static StoreFailure of(StoreLink link, Throwable failure) {
    try {
      String code = link.codeOf(failure);
      String words = kindsOf(failure);
      String systems = systemCodeOf(failure);
      return new StoreFailure(systems.isEmpty() ? code : systems, code.isEmpty() ? words : words + " " + code);
    } catch (RuntimeException | Error e) {
      return new StoreFailure("", "a failure that cannot be read");
    }
  }

  /** Returns the failure or its cause that says the client lacks a class or a method; else null. */
  static LinkageError linkageErrorOf(Throwable failure) {
    try {
      Throwable one = failure;
      for (int depth = 0; one != null && depth <= CAUSES; depth++, one = one.getCause()) {
        if (one instanceof LinkageError) {
          return (LinkageError) one;
        }
      }
    } catch (RuntimeException | Error e) {
      // Its causes cannot be read.
    }
    return null;
  }

  /** Returns the system's name of the failure, as in other languages; empty if it has none. */
  private static String systemCodeOf(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < CAUSES + 1; depth++, cause = cause.getCause()) {
      if (cause instanceof ConnectException) {
        return "ECONNREFUSED";
      }
      if (cause instanceof UnknownHostException) {
        return "ENOTFOUND";
      }
      if (cause instanceof SocketTimeoutException || cause instanceof TimeoutException) {
        return "ETIMEDOUT";
      }
      if (cause instanceof SSLException) {
        return "TLS";
      }
    }
    return "";
  }

  private static String kindsOf(Throwable failure) {
    boolean wraps = failure instanceof ExecutionException && failure.getCause() != null;
    Throwable first = wraps ? failure.getCause() : failure;
    LinkageError unlinked = linkageErrorOf(failure);
    if (unlinked != null) {
      return Refusal.wordsOf(unlinked);
    }
    StringBuilder kinds = new StringBuilder(first.getClass().getSimpleName());
    Throwable cause = first.getCause();
    for (int depth = 0; cause != null && depth < CAUSES; depth++, cause = cause.getCause()) {
      kinds.append(", ").append(cause.getClass().getSimpleName());
    }
    return kinds.toString();
  }
}

package io.github.polyflake.internal;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting that is bounded and not interruptible; an interrupt status is kept. */
final class Waiting {
  private Waiting() {}

  /**
   * Returns the result of the future; throws the error that it failed with, or a TimeoutException
   * when the time is over.
   */
  static <T> T of(CompletableFuture<T> future, long timeoutMs) throws TimeoutException {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw Waiting.<RuntimeException>unchanged(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Returns or throws the outcome of a call on a thread of its own, which is left behind when the
   * time is over.
   */
  static <T> T ofCall(Callable<T> call, long timeoutMs) throws TimeoutException {
    CompletableFuture<T> result = new CompletableFuture<>();
    LeaseThreads.carry(() -> {
      try {
        result.complete(call.call());
      } catch (Throwable e) {
        result.completeExceptionally(e);
      }
    });
    return of(result, timeoutMs);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E unchanged(Throwable failure) throws E {
    throw (E) failure;
  }
}

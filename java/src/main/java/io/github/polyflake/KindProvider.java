package io.github.polyflake;

import java.util.ServiceLoader;

/**
 * Adds a kind of ids from a library. {@link ServiceLoader} finds the provider with the context
 * class loader of the calling thread, through
 * {@code META-INF/services/io.github.polyflake.KindProvider} or {@code provides} of a module.
 *
 * <p>A provider is left out if it throws, or if its name is invalid or taken.
 * {@link Kinds#names()} logs the reason. If a caller opens an unknown kind, the exception has the
 * reason as a suppressed {@link java.util.ServiceConfigurationError}.
 *
 * <p>A program that adds a kind for itself needs no provider: {@link Kinds#register}.
 */
public interface KindProvider {
  /**
   * Returns the name of the kind, as callers pass it to {@link Kinds#open(String)}.
   *
   * @return {@code [a-z][a-z0-9_]{0,31}}, a name that is not taken
   */
  String kind();

  /**
   * Opens a source.
   *
   * @param options the options of the caller; take those that the kind knows, any left over is an
   *     error
   * @return a source of ids, which the caller closes
   */
  IdSource open(KindOptions options);
}

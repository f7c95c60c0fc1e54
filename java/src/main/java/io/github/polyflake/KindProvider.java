package io.github.polyflake;

import java.util.ServiceLoader;

/**
 * A kind of ids that a library brings along: {@link ServiceLoader} finds it by the class loader of the calling thread,
 * through {@code META-INF/services/io.github.polyflake.KindProvider} or {@code provides} of a module.
 *
 * <p>A provider that throws, or whose name is none or taken, is left out: {@link Kinds#names()} logs why, and whoever opens
 * a kind that is unknown then has it as a suppressed {@link java.util.ServiceConfigurationError}.
 *
 * <p>A program that has its own kind needs none: {@link Kinds#register}.
 */
public interface KindProvider {
  /**
   * The name of the kind, by which {@link Kinds#open(String)} knows it.
   *
   * @return {@code [a-z][a-z0-9_]{0,31}}, none that is taken
   */
  String kind();

  /**
   * Opens a source.
   *
   * @param options what it is opened with: it takes what it knows, and what is left is refused
   * @return a source of ids, which its caller closes
   */
  IdSource open(KindOptions options);
}

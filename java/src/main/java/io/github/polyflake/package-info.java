/**
 * 64-bit, time-ordered ids that are never equal: across threads, processes, hosts, crashes,
 * restarts and clock steps.
 *
 * <p>Start with {@link io.github.polyflake.Polyflake#nextId()}, or with {@link
 * io.github.polyflake.Generator#builder()} to choose the node id, the layout and the waiting.
 * {@link io.github.polyflake.Layout} takes ids apart. {@link io.github.polyflake.Kinds} has ids of
 * other kinds: UUIDs, MongoDB's, and the numbers of counters.
 *
 * <p>Ids are unsigned 64-bit values in a {@code long}. Issued ones are never negative; print others
 * with {@link io.github.polyflake.Polyflake#toText(long)}. JavaScript cannot hold them in its
 * numbers: JSON for a browser takes text, as {@link io.github.polyflake.Polyflake#nextIdString()}
 * gives it.
 *
 * <p>Null arguments are refused with {@link NullPointerException}, all else with a
 * {@link io.github.polyflake.PolyflakeException}. If the native library cannot be loaded, every
 * entry throws {@link UnsatisfiedLinkError} with all that was tried. Nothing is ever printed, and
 * nothing logged but what {@link io.github.polyflake.Generator.Builder#build()} names. From Java 24
 * on the JVM itself warns unless it is started with {@code --enable-native-access=ALL-UNNAMED}, or
 * {@code --enable-native-access=io.github.polyflake} on the module path. docs/native-library.md
 * describes the folder that the library is extracted to, and the errors of loading.
 */
package io.github.polyflake;

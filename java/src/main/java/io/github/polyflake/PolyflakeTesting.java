package io.github.polyflake;

import java.time.Instant;

/**
 * Known ids in tests: the default generator on a {@link ManualClock}.
 *
 * <pre>{@code
 * Instant time = Instant.parse("2026-01-01T00:00:00Z");
 * try (PolyflakeTesting.Frozen frozen = PolyflakeTesting.frozen(time)) {
 *   assertEquals(794354201395200284L, Polyflake.nextId());
 * }
 * }</pre>
 *
 * <p>{@link FrozenIds} does the same around each test of JUnit 5.
 */
public final class PolyflakeTesting {
  private PolyflakeTesting() {}

  /**
   * Puts a generator on a {@link ManualClock} in place of the default one, until
   * {@link Frozen#close()}. So {@link Polyflake#nextId()} gives the same ids in each run: they
   * repeat ids of before, as those of any manual clock. The node id is 0. The layout is that of the
   * default generator, if there is one, else {@code "polyflake"}. All threads get these ids.
   *
   * @param time the time of the clock
   * @return what ends it
   * @throws BadArgumentException {@code option_invalid}, also until another one is closed, and as
   *     {@link Generator.Builder#build()}
   */
  public static Frozen frozen(Instant time) {
    return frozen(time, 0, Polyflake.defaultGenerator().map(Generator::layout).orElseGet(() -> Layout.of("polyflake")));
  }

  /**
   * Does the same as {@link #frozen(Instant)} with another node id or layout.
   *
   * @param time the time of the clock
   * @param worker the node id
   * @param layout the layout of the ids
   * @return what ends it
   * @throws BadArgumentException {@code option_invalid}, also until another one is closed, and as
   *     {@link Generator.Builder#build()}
   */
  public static Frozen frozen(Instant time, long worker, Layout layout) {
    ManualClock clock = new ManualClock(time);
    Generator generator = Generator.builder().worker(worker).layout(layout).clock(clock).build();
    try {
      return new Frozen(clock, generator, Polyflake.freeze(generator));
    } catch (BadArgumentException e) {
      generator.close();
      throw e;
    }
  }

  /** The default generator of a test, until {@link #close()}. */
  public static final class Frozen implements AutoCloseable {
    private final ManualClock clock;
    private final Generator generator;
    private final Generator before;

    private Frozen(ManualClock clock, Generator generator, Generator before) {
      this.clock = clock;
      this.generator = generator;
      this.before = before;
    }

    /**
     * Returns the clock. It moves only if it is set or advanced, or if a call has to wait.
     *
     * @return the clock of the ids
     */
    public ManualClock clock() {
      return clock;
    }

    /** Puts the default generator of before back. A second call does nothing. */
    @Override
    public synchronized void close() {
      if (!generator.isClosed()) {
        Polyflake.thaw(before);
        generator.close();
      }
    }
  }
}

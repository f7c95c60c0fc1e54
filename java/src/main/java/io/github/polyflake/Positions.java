package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.LeaseRunner;
import io.github.polyflake.internal.LeaseRunners;
import io.github.polyflake.internal.NativeGenerator;
import io.github.polyflake.internal.NativeGeneratorState;
import io.github.polyflake.internal.NativeOptions;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Rising 64-bit positions of an open generator, and the waiting for them: the ids of a snowflake as
 * they are, those of other kinds before they are spelled. Thread safe; holds no lock.
 */
final class Positions {
  /** Replaces a position while none can be claimed yet. */
  private static final long NONE = 0;
  /** The number of positions that are spelled at once. */
  private static final int PIECE = 4096;

  /** Takes spelled ids, those from number {@code from} on of all that were asked for. */
  interface Piece {
    void take(byte[] ids, int from);
  }

  private final Object source;
  private final NativeGenerator handle;
  private final LeaseRunner runner; // of the lease; null for other workers
  private final AtomicBoolean left = new AtomicBoolean();

  /** For a source on which waiting threads are parked, so that a thread dump shows it. */
  Positions(Object source, NativeOptions options, LeaseRunner runner) {
    this.source = source;
    handle = new NativeGenerator(options);
    this.runner = runner;
  }

  /** Returns the next position. Waits if the clock must catch up first. */
  long next() {
    long claim = handle.claim();
    return claim >= 0 ? claim : await(~claim);
  }

  /**
   * Returns the next position, or a negative number if {@link #next()} would have waited; then none
   * is used up.
   */
  long tryNext() {
    return handle.tryClaim();
  }

  /** Overwrites all elements with positions in increasing order. */
  void fill(long[] positions) {
    int filled = 0;
    do {
      int claimed = Facade.claimRange(handle, positions, filled, positions.length - filled);
      filled += Math.abs(claimed);
      if (claimed < 0 && !awaitTick(positions[filled - 1])) {
        filled = 0;
      } else if (claimed == 0 && filled < positions.length) {
        awaitTick(NONE);
      }
    } while (filled < positions.length);
  }

  /**
   * Refuses so many ids if the entropy of a test does not suffice. Errors: {@code option_invalid}.
   */
  void expect(int count) {
    handle.expect(count);
  }

  /** Claims and spells so many ids, piece by piece. */
  void spellNext(int count, Piece piece) {
    handle.expect(count);
    int done = 0;
    do { // at least once, so that a closed source refuses no ids, too
      long[] positions = new long[Math.min(count - done, PIECE)];
      fill(positions);
      piece.take(spell(positions), done);
      done += positions.length;
    } while (done < count);
  }

  /**
   * Overwrites all bytes with ids of this size. Errors: {@code option_invalid} for another length.
   */
  void fillSpelled(byte[] ids, int idBytes) {
    int count = Integers.countIn(ids, idBytes);
    spellNext(count, (spelled, from) -> System.arraycopy(spelled, 0, ids, from * idBytes, spelled.length));
  }

  /** Returns the ids of these positions, big endian, one after the other. */
  byte[] spell(long[] positions) {
    byte[] ids = new byte[(int) handle.idBytes() * positions.length];
    Facade.spell(handle, positions, ids);
    return ids;
  }

  long worker() {
    return handle.worker();
  }

  String layout() {
    return handle.layout();
  }

  Stats stats() {
    return new Stats(handle.stats(), 0, runner == null ? null : runner.namespaceUuid());
  }

  GeneratorState state() {
    NativeGeneratorState state = handle.state();
    return new GeneratorState(state.getName(), state.getCode());
  }

  void renew() {
    if (runner == null || handle.closed()) {
      handle.renew();
    } else {
      renewLease();
    }
  }

  private void renewLease() {
    try {
      runner.renew();
    } catch (LeaseException e) {
      if (handle.closed()) {
        handle.renew(); // closed meanwhile: the refusal of every other call
      }
      throw e;
    }
  }

  void close() {
    handle.close();
    if (runner != null && left.compareAndSet(false, true)) {
      LeaseRunners.leave(runner);
    }
  }

  boolean isClosed() {
    return handle.closed();
  }

  /** Returns state and layout, for people. */
  @Override
  public String toString() {
    GeneratorState state = state();
    return "state=" + state.name() + (state.code() == null ? "" : " " + state.code()) + ", layout=" + layout();
  }

  /** Returns the claimed position when its tick has come, or another one if it is void by then. */
  private long await(long claimed) {
    long position = claimed;
    while (!awaitTick(position)) {
      long claim = handle.claim();
      if (claim >= 0) {
        return claim;
      }
      position = ~claim;
    }
    return position;
  }

  /**
   * Parks until the tick of the position has come. Returns false as soon as the position is void.
   */
  private boolean awaitTick(long position) {
    return Parking.until(source, waitedNs -> handle.waitNs(position, waitedNs)) == 0;
  }
}

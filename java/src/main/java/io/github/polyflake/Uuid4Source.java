package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeFreeSource;
import java.util.Optional;
import java.util.UUID;

/** UUIDs of version 4: nothing but random bits. */
final class Uuid4Source implements UuidSource {
  private static final int PIECE = 4096; // at once

  private final NativeFreeSource handle;
  private final UuidPool pool;
  private volatile boolean closed; // read for each id: the handle would be a native call

  Uuid4Source(Settings settings) {
    handle = settings.openFree();
    int size = UuidPool.blockSize(settings.hasEntropy());
    pool = new UuidPool(() -> random(size));
  }

  private byte[] random(int count) {
    byte[] ids = new byte[count * Uuids.BYTES];
    Facade.fillFree(handle, ids);
    return ids;
  }

  @Override
  public String kind() {
    return Kinds.UUID4;
  }

  @Override
  public UUID nextId() {
    if (closed) {
      random(0); // is refused
    }
    return pool.next(0, 0);
  }

  @Override
  public String nextIdString() {
    return nextId().toString();
  }

  @Override
  public Optional<UUID> tryNextId() {
    return Optional.of(nextId());
  }

  @Override
  public UUID[] nextIds(int count) {
    UUID[] all = new UUID[Integers.count(count)];
    int done = 0;
    do { // at least once, so that a closed source refuses no ids, too
      Uuids.read(random(Math.min(count - done, PIECE)), all, done);
      done += PIECE;
    } while (done < count);
    return all;
  }

  @Override
  public void fill(byte[] ids) {
    Integers.countIn(ids, Uuids.BYTES);
    Facade.fillFree(handle, ids);
  }

  @Override
  public Stats stats() {
    long left = pool.left(); // before the rest: what is made meanwhile was not left
    return new Stats(handle.stats(), left, null);
  }

  @Override
  public void close() {
    closed = true; // first: a thread that sees the handle closed gets no id from the pool
    handle.close();
  }

  @Override
  public boolean isClosed() {
    return handle.closed();
  }

  @Override
  public String toString() {
    return "Uuid4(state=" + (isClosed() ? "closed" : "open") + ")";
  }
}

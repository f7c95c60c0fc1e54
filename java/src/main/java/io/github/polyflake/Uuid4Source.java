package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeRandomUuids;
import java.util.Optional;
import java.util.UUID;

/** UUIDs of version 4: nothing but random bits. */
final class Uuid4Source implements UuidSource {
  private static final int PIECE = 4096; // at once

  private final NativeRandomUuids handle;

  Uuid4Source(Settings settings) {
    handle = settings.openRandom();
  }

  @Override
  public String kind() {
    return Kinds.UUID4;
  }

  @Override
  public UUID nextId() {
    byte[] id = new byte[Uuids.BYTES];
    Facade.fillRandom(handle, id);
    return Uuids.of(id);
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
      byte[] ids = new byte[Math.min(count - done, PIECE) * Uuids.BYTES];
      Facade.fillRandom(handle, ids);
      Uuids.read(ids, all, done);
      done += PIECE;
    } while (done < count);
    return all;
  }

  @Override
  public void fill(byte[] ids) {
    Integers.countIn(ids, Uuids.BYTES);
    Facade.fillRandom(handle, ids);
  }

  @Override
  public Stats stats() {
    return new Stats(handle.stats(), null);
  }

  @Override
  public void close() {
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

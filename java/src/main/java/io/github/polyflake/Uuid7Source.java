package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** UUIDs of version 7: positions, added to UUIDs of position 0 that have a random tail. */
final class Uuid7Source extends PositionedSource implements TimedUuidSource {
  private final UuidPool tails;
  private final BitScatter highOf;
  private final BitScatter lowOf;
  private final boolean exact; // there are only so many tails as a test has given

  Uuid7Source(Settings settings) {
    super(settings);
    exact = settings.hasEntropy();
    long[] zeros = new long[UuidPool.blockSize(exact)];
    tails = new UuidPool(() -> positions.spell(zeros));
    BitScatter[] scatters = BitScatter.ofUuids(positions.layout());
    highOf = scatters[0];
    lowOf = scatters[1];
  }

  private UUID spell(long position) {
    return tails.next(highOf.of(position), lowOf.of(position));
  }

  @Override
  public String kind() {
    return Kinds.UUID7;
  }

  @Override
  public UUID nextId() {
    if (exact) {
      positions.expect(1);
    }
    return spell(positions.next());
  }

  @Override
  public String nextIdString() {
    return nextId().toString();
  }

  @Override
  public Optional<UUID> tryNextId() {
    if (exact) {
      positions.expect(1);
    }
    long position = positions.tryNext();
    return position >= 0 ? Optional.of(spell(position)) : Optional.empty();
  }

  @Override
  public UUID[] nextIds(int count) {
    UUID[] all = new UUID[Integers.count(count)];
    positions.spellNext(count, (ids, from) -> Uuids.read(ids, all, from));
    return all;
  }

  @Override
  public void fill(byte[] ids) {
    positions.fillSpelled(ids, Uuids.BYTES);
  }

  @Override
  public Uuid7Parts decode(UUID id) {
    return new Uuid7Parts(Facade.decodeId(Kinds.UUID7, positions.layout(), Uuids.bytesOf(id)));
  }

  @Override
  public Uuid7Parts decode(String id) {
    return new Uuid7Parts(Facade.decodeId(Kinds.UUID7, positions.layout(), Facade.parseUuid(id)));
  }

  @Override
  public UUID firstId(Instant time) {
    return Uuids.of(Facade.firstId(Kinds.UUID7, Layout.toMs(time)));
  }

  @Override
  public UUID lastId(Instant time) {
    return Uuids.of(Facade.lastId(Kinds.UUID7, Layout.toMs(time)));
  }

  @Override
  public long worker() {
    return positions.worker();
  }

  @Override
  public Layout layout() {
    return Layout.of(positions.layout());
  }

  @Override
  public void renew() {
    positions.renew();
  }

  @Override
  public String toString() {
    return "Uuid7(" + positions + ")";
  }
}

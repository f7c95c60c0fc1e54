package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/** MongoDB's ObjectIds: positions, spelled with five random bytes of the process. */
final class ObjectIds extends PositionedSource implements ObjectIdSource {
  private static final int BYTES = 12;
  private static final int POSITION_BITS = 56;
  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /**
   * The id of position 0, and what others add to it: 8 bytes, then 4. No copy of the process runs
   * Java, so they do not change.
   */
  private final long high;
  private final long low;
  private final BitScatter highOf;
  private final BitScatter lowOf;

  ObjectIds(Settings settings) {
    super(settings);
    long[] probes = BitScatter.probes(POSITION_BITS);
    ByteBuffer ids = ByteBuffer.wrap(positions.spell(probes));
    long[] highs = new long[probes.length];
    long[] lows = new long[probes.length];
    for (int i = 0; i < probes.length; i++) {
      highs[i] = ids.getLong();
      lows[i] = Integer.toUnsignedLong(ids.getInt());
    }
    high = highs[0];
    low = lows[0];
    highOf = new BitScatter(highs);
    lowOf = new BitScatter(lows);
  }

  private String spell(long position) {
    return text(high + highOf.of(position), low + lowOf.of(position));
  }

  private static String text(byte[] id) {
    ByteBuffer words = ByteBuffer.wrap(id);
    return text(words.getLong(), words.getInt());
  }

  private static String text(long first8, long last4) {
    byte[] digits = new byte[2 * BYTES];
    write(first8, digits, 0, 16);
    write(last4, digits, 16, 24);
    return new String(digits, StandardCharsets.ISO_8859_1);
  }

  private static void write(long word, byte[] digits, int from, int to) {
    long rest = word;
    for (int i = to - 1; i >= from; i--) {
      digits[i] = DIGITS[(int) rest & 0xf];
      rest >>>= 4;
    }
  }

  @Override
  public String kind() {
    return Kinds.OBJECTID;
  }

  @Override
  public String nextId() {
    return spell(positions.next());
  }

  @Override
  public String nextIdString() {
    return nextId();
  }

  @Override
  public Optional<String> tryNextId() {
    long position = positions.tryNext();
    return position >= 0 ? Optional.of(spell(position)) : Optional.empty();
  }

  @Override
  public String[] nextIds(int count) {
    long[] claimed = new long[Integers.count(count)];
    positions.fill(claimed);
    String[] ids = new String[count];
    for (int i = 0; i < count; i++) {
      ids[i] = spell(claimed[i]);
    }
    return ids;
  }

  @Override
  public void fill(byte[] ids) {
    positions.fillSpelled(ids, BYTES);
  }

  @Override
  public ObjectIdParts decode(String id) {
    return new ObjectIdParts(Facade.decodeId(Kinds.OBJECTID, "", Facade.parseId(Kinds.OBJECTID, id)));
  }

  @Override
  public String firstId(Instant time) {
    return text(Facade.firstId(Kinds.OBJECTID, Layout.toMs(time)));
  }

  @Override
  public String lastId(Instant time) {
    return text(Facade.lastId(Kinds.OBJECTID, Layout.toMs(time)));
  }

  @Override
  public String toString() {
    return "ObjectIds(" + positions + ")";
  }
}

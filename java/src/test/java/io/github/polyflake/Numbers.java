package io.github.polyflake;

import java.util.OptionalLong;

/** A kind of one's own: counts from the option "from". */
class Numbers implements LongSource {
  private final String kind;
  final Object store;
  long next;
  boolean closed;

  Numbers(String kind, KindOptions options) {
    this.kind = kind;
    Long from = options.take("from", Long.class);
    next = from == null ? 1 : from;
    store = options.take("store");
  }

  @Override
  public String kind() {
    return kind;
  }

  @Override
  public long nextId() {
    return next++;
  }

  @Override
  public OptionalLong tryNextId() {
    return OptionalLong.of(nextId());
  }

  @Override
  public long[] nextIds(int count) {
    long[] ids = new long[count];
    fill(ids);
    return ids;
  }

  @Override
  public void fill(long[] ids) {
    for (int i = 0; i < ids.length; i++) {
      ids[i] = nextId();
    }
  }

  @Override
  public String nextIdString() {
    return Long.toString(nextId());
  }

  @Override
  public Stats stats() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }
}

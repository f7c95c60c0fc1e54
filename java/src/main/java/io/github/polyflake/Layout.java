package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeLayout;
import io.github.polyflake.internal.NativeLibrary;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The fields of an id, most significant first, with their widths, the length of a tick and the
 * epoch.
 *
 * <pre>{@code
 * Layout layout = Layout.of("twitter");
 * Parts parts = layout.decode(1541815603606036480L);
 * parts.time();    // 2022-06-28T16:07:40.105Z
 * parts.fields();  // {datacenter=11, worker=26}
 * }</pre>
 *
 * <p>Values that do not fit are refused, never masked or clamped. Immutable, safe for use by
 * several threads, never blocks. Two layouts are equal if their canonical texts are.
 */
public final class Layout {
  private final NativeLayout handle;
  private final String text;
  private final String[] nodeFields;

  private Layout(String textOrPreset) {
    handle = new NativeLayout(textOrPreset);
    text = handle.text();
    nodeFields = handle.nodeFields();
  }

  /**
   * Returns the layout of a text, or of the preset with that name.
   *
   * @param textOrPreset one of {@link Polyflake#presets()}, or for example
   *     {@code "timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z"}
   * @return the layout
   * @throws BadArgumentException {@code layout_invalid}, {@code layout_too_wide},
   *     {@code unknown_preset}
   */
  public static Layout of(String textOrPreset) {
    NativeLibrary.require();
    return new Layout(textOrPreset);
  }

  /**
   * Returns the id of a time. The inverse of {@link #decode(long)}.
   *
   * @param time any instant inside the tick; an id keeps no time finer than a tick
   * @param sequence the sequence field
   * @param nodeFields node fields by name, as integers (not floating point); those not named are 0
   * @return the id; negative if the layout uses the highest bit and it is set
   * @throws BadArgumentException {@code field_out_of_range}, {@code unknown_field}
   */
  public long encode(Instant time, long sequence, Map<String, ? extends Number> nodeFields) {
    return encodeTimeMs(toMs(time), sequence, nodeFields);
  }

  /**
   * Returns the id of a time in Unix milliseconds.
   *
   * @param timeMs any millisecond inside the tick
   * @param sequence the sequence field
   * @param nodeFields node fields by name, as integers (not floating point); those not named are 0
   * @return the id; negative if the layout uses the highest bit and it is set
   * @throws BadArgumentException {@code field_out_of_range}, {@code unknown_field}
   */
  public long encodeTimeMs(long timeMs, long sequence, Map<String, ? extends Number> nodeFields) {
    NodeFields fields = new NodeFields(nodeFields);
    return handle.encodeTime(timeMs, sequence, fields.names, fields.values);
  }

  /**
   * Returns the id of a tick.
   *
   * @param tick the timestamp field: ticks since the epoch of this layout
   * @param sequence the sequence field
   * @param nodeFields node fields by name, as integers (not floating point); those not named are 0
   * @return the id; negative if the layout uses the highest bit and it is set
   * @throws BadArgumentException {@code field_out_of_range}, {@code unknown_field}
   */
  public long encodeTick(long tick, long sequence, Map<String, ? extends Number> nodeFields) {
    NodeFields fields = new NodeFields(nodeFields);
    return handle.encodeTick(tick, sequence, fields.names, fields.values);
  }

  /**
   * Returns the fields of an id.
   *
   * @param id any 64 bits, read as unsigned
   * @return its fields
   * @throws BadArgumentException {@code id_out_of_range} if the id has bits above those of this
   *     layout
   */
  public Parts decode(long id) {
    return new Parts(handle.decode(id), nodeFields);
  }

  /**
   * Returns the fields of an id in decimal.
   *
   * @param decimal 1 to 20 ASCII digits without sign, blank or leading zero
   * @return its fields
   * @throws BadArgumentException {@code text_invalid}, {@code id_out_of_range}
   */
  public Parts decode(String decimal) {
    return decode(Facade.fromText(decimal, "decimal"));
  }

  /**
   * Returns the smallest id of the tick that contains this time, for range queries: {@code id >=
   * firstId(from)}. It bounds ids of later times only if the timestamp is the first field of the
   * layout.
   *
   * @param time any instant inside the tick
   * @return an id with all other fields 0
   * @throws BadArgumentException {@code field_out_of_range} before the epoch or after the last tick
   */
  public long firstId(Instant time) {
    return handle.firstId(toMs(time));
  }

  /**
   * Returns the largest id of the tick that contains this time, for range queries: {@code id <=
   * lastId(to)}. It bounds ids of earlier times only if the timestamp is the first field of the
   * layout.
   *
   * @param time any instant inside the tick
   * @return an id with all other fields at their highest
   * @throws BadArgumentException {@code field_out_of_range} before the epoch or after the last tick
   */
  public long lastId(Instant time) {
    return handle.lastId(toMs(time));
  }

  /**
   * Returns an id as text for people, in UTC: see {@link #friendly(long, ZoneId)}.
   *
   * @param id any 64 bits, read as unsigned
   * @return for example {@code "20220320133617924-5-0"}
   * @throws BadArgumentException {@code id_out_of_range} if the id has bits above those of this
   *     layout
   */
  public String friendly(long id) {
    return handle.friendly(id, 0);
  }

  /**
   * Returns an id as text for people: the beginning of its tick as {@code yyyyMMddHHmmssSSS}, the
   * node fields, most significant first, and the sequence.
   *
   * @param id any 64 bits, read as unsigned
   * @param zone the zone of the local time in the text; may be a {@link ZoneOffset}
   * @return for example {@code "20220320133617924-5-0"}
   * @throws BadArgumentException {@code id_out_of_range} if the id has bits above those of this
   *     layout
   */
  public String friendly(long id, ZoneId zone) {
    return handle.friendly(id, zone.getRules().getOffset(decode(id).time()).getTotalSeconds());
  }

  /**
   * Returns the id of a text that {@link #friendly(long)} returned.
   *
   * @param text a friendly form in UTC
   * @return the id; negative if the layout uses the highest bit and it is set
   * @throws BadArgumentException {@code text_invalid}, {@code field_out_of_range} for a value that
   *     this layout cannot hold; each with the position of the fault
   */
  public long fromFriendly(String text) {
    return handle.fromFriendly(text, new long[] {0});
  }

  /**
   * Returns the id of a text that {@link #friendly(long, ZoneId)} returned for the same zone.
   * Refuses a local time that occurs twice in the zone because its clocks are set back: pass a
   * {@link ZoneOffset} then.
   *
   * @param text a friendly form in the local time of the zone
   * @param zone the zone of the local time
   * @return the id; negative if the layout uses the highest bit and it is set
   * @throws BadArgumentException {@code text_invalid}, {@code field_out_of_range} for a value that
   *     this layout cannot hold; each with the position of the fault
   */
  public long fromFriendly(String text, ZoneId zone) {
    LocalDateTime local = LocalDateTime.ofEpochSecond(handle.friendlyLocalSeconds(text), 0, ZoneOffset.UTC);
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
    return handle.fromFriendly(text, offsets.stream().mapToLong(ZoneOffset::getTotalSeconds).toArray());
  }

  /**
   * Returns an id of this layout as a UUID of version 7, for UUID columns. The UUIDs of one layout
   * sort like its ids.
   *
   * @param id any 64 bits, read as unsigned
   * @return a UUID whose remaining bits are 0
   * @throws BadArgumentException {@code layout_invalid} (ticks other than 1 ms),
   *     {@code id_out_of_range} if the id has bits above those of this layout
   */
  public UUID toUuid(long id) {
    return Uuids.of(Facade.layoutToUuid(text, id));
  }

  /**
   * Returns the id of a UUID that {@link #toUuid(long)} returned.
   *
   * @param uuid the UUID
   * @return the id
   * @throws BadArgumentException {@code layout_invalid} (ticks other than 1 ms),
   *     {@code id_out_of_range} (the version is not 7, or other bits than those of the id are set),
   *     {@code field_out_of_range} (its time is outside this layout)
   */
  public long fromUuid(UUID uuid) {
    return Facade.layoutFromUuid(text, Uuids.bytesOf(uuid));
  }

  /**
   * Returns all fields, {@code timestamp} and {@code sequence} included.
   *
   * @return widths in bits by name, the most significant field first; unmodifiable
   */
  public Map<String, Integer> fields() {
    String[] names = handle.fieldNames();
    int[] widths = handle.fieldWidths();
    Map<String, Integer> fields = new LinkedHashMap<>();
    for (int i = 0; i < names.length; i++) {
      fields.put(names[i], widths[i]);
    }
    return Collections.unmodifiableMap(fields);
  }

  /**
   * Returns the node fields: all fields except {@code timestamp} and {@code sequence}.
   *
   * @return names, the most significant field first; unmodifiable
   */
  public List<String> nodeFields() {
    return Collections.unmodifiableList(Arrays.asList(nodeFields));
  }

  /**
   * Returns the length of a tick.
   *
   * @return milliseconds, at least 1
   */
  public long tickMs() {
    return handle.tickMs();
  }

  /**
   * Returns the beginning of tick 0.
   *
   * @return Unix milliseconds
   */
  public long epochMs() {
    return handle.epochMs();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Layout && text.equals(((Layout) other).text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /**
   * Returns the canonical text, which {@link #of(String)} accepts.
   *
   * @return for example
   *     {@code "timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z"}
   */
  @Override
  public String toString() {
    return text;
  }

  /** Returns the Unix milliseconds of a time. Errors: {@code field_out_of_range} beyond a long. */
  static long toMs(Instant time) {
    try {
      return time.toEpochMilli();
    } catch (ArithmeticException e) {
      throw PolyflakeException.refuse("field_out_of_range", "the year of the time is beyond every layout");
    }
  }
}

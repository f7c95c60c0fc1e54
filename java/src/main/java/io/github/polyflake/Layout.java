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
 * The fields of an id, most significant first, with their widths, the length of a tick and the epoch.
 *
 * <pre>{@code
 * Layout layout = Layout.of("twitter");
 * Parts parts = layout.decode(1541815603606036480L);
 * parts.time();    // 2022-06-28T16:07:40.105Z
 * parts.fields();  // {datacenter=11, worker=26}
 * }</pre>
 *
 * <p>Nothing is ever masked or clamped: what does not fit is refused. Immutable, safe for use by several threads,
 * never blocks. Equal when the canonical texts are.
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
   * A layout by its text or by the name of a preset.
   *
   * @param textOrPreset one of {@link Polyflake#presets()}, or for example
   *     {@code "timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z"}
   * @return the layout
   * @throws BadArgumentException {@code layout_invalid}, {@code layout_too_wide}, {@code unknown_preset}
   */
  public static Layout of(String textOrPreset) {
    NativeLibrary.require();
    return new Layout(textOrPreset);
  }

  /**
   * The id of a time: {@link #decode(long)} the other way round.
   *
   * @param time any instant inside the tick; what is finer than a tick is not part of an id
   * @param sequence the sequence field
   * @param nodeFields node fields by name, as integers (not floating point); those not named are 0
   * @return the id; negative if the layout uses the highest bit and it is set
   * @throws BadArgumentException {@code field_out_of_range}, {@code unknown_field}
   */
  public long encode(Instant time, long sequence, Map<String, ? extends Number> nodeFields) {
    return encodeTimeMs(toMs(time), sequence, nodeFields);
  }

  /**
   * The id of a time in Unix milliseconds.
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
   * The id of a tick.
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
   * Takes an id apart.
   *
   * @param id any 64 bits, read as unsigned
   * @return its fields
   * @throws BadArgumentException {@code id_out_of_range} if the id has bits above those of this layout
   */
  public Parts decode(long id) {
    return new Parts(handle.decode(id), nodeFields);
  }

  /**
   * Takes an id apart that is given in decimal.
   *
   * @param decimal 1 to 20 ASCII digits without sign, blank or leading zero
   * @return its fields
   * @throws BadArgumentException {@code text_invalid}, {@code id_out_of_range}
   */
  public Parts decode(String decimal) {
    return decode(Facade.fromText(decimal, "decimal"));
  }

  /**
   * The smallest id of the tick that contains this time, for range queries: {@code id >= firstId(from)}.
   *
   * @param time any instant inside the tick
   * @return an id with all other fields 0
   * @throws BadArgumentException {@code field_out_of_range} before the epoch or after the last tick
   */
  public long firstId(Instant time) {
    return handle.firstId(toMs(time));
  }

  /**
   * The largest id of the tick that contains this time, for range queries: {@code id <= lastId(to)}.
   *
   * @param time any instant inside the tick
   * @return an id with all other fields at their highest
   * @throws BadArgumentException {@code field_out_of_range} before the epoch or after the last tick
   */
  public long lastId(Instant time) {
    return handle.lastId(toMs(time));
  }

  /**
   * An id as text that people read, in UTC: {@link #friendly(long, ZoneId)}.
   *
   * @param id any 64 bits, read as unsigned
   * @return such as {@code 20220320133617924-5-0}
   * @throws BadArgumentException {@code id_out_of_range} if the id has bits above those of this layout
   */
  public String friendly(long id) {
    return handle.friendly(id, 0);
  }

  /**
   * An id as text that people read: the beginning of its tick as {@code yyyyMMddHHmmssSSS}, the node fields, the most
   * significant one first, and the sequence.
   *
   * @param id any 64 bits, read as unsigned
   * @param zone whose local time it is; a {@link ZoneOffset} is one too
   * @return such as {@code 20220320133617924-5-0}
   * @throws BadArgumentException {@code id_out_of_range} if the id has bits above those of this layout
   */
  public String friendly(long id, ZoneId zone) {
    long timeMs = handle.decode(id)[0];
    return handle.friendly(id, zone.getRules().getOffset(Instant.ofEpochMilli(timeMs)).getTotalSeconds());
  }

  /**
   * The id that {@link #friendly(long)} gave this text.
   *
   * @param text a friendly form in UTC
   * @return the id; negative if the layout uses the highest bit and it is set
   * @throws BadArgumentException {@code text_invalid}, {@code field_out_of_range} for what this layout does not have,
   *     each with the position of what is at fault
   */
  public long fromFriendly(String text) {
    return handle.fromFriendly(text, new long[] {0});
  }

  /**
   * The id that {@link #friendly(long, ZoneId)} gave this text with the same zone. A time that the zone's clocks have
   * twice, as they are set back, is refused: give a {@link ZoneOffset} then.
   *
   * @param text a friendly form in the local time of the zone
   * @param zone whose local time it is
   * @return the id; negative if the layout uses the highest bit and it is set
   * @throws BadArgumentException {@code text_invalid}, {@code field_out_of_range} for what this layout does not have,
   *     each with the position of what is at fault
   */
  public long fromFriendly(String text, ZoneId zone) {
    LocalDateTime local = LocalDateTime.ofEpochSecond(handle.friendlyLocalSeconds(text), 0, ZoneOffset.UTC);
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
    return handle.fromFriendly(text, offsets.stream().mapToLong(ZoneOffset::getTotalSeconds).toArray());
  }

  /**
   * An id of this layout as a UUID of version 7, for columns of that type. UUIDs of one layout sort like its ids.
   *
   * @param id any 64 bits, read as unsigned
   * @return a UUID whose remaining bits are 0
   * @throws BadArgumentException {@code layout_invalid} (ticks other than 1 ms), {@code id_out_of_range} if the id has bits
   *     above those of this layout
   */
  public UUID toUuid(long id) {
    return Uuids.of(Facade.layoutToUuid(text, id));
  }

  /**
   * The id that {@link #toUuid(long)} made a UUID of.
   *
   * @param uuid a UUID
   * @return the id
   * @throws BadArgumentException {@code layout_invalid} (ticks other than 1 ms), {@code id_out_of_range} (of another version,
   *     or with more in it than an id), {@code field_out_of_range} (its time is outside this layout)
   */
  public long fromUuid(UUID uuid) {
    return Facade.layoutFromUuid(text, Uuids.bytesOf(uuid));
  }

  /**
   * All fields, {@code timestamp} and {@code sequence} among them.
   *
   * @return widths in bits by name, the most significant one first; unmodifiable
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
   * The fields that name the generator: all but {@code timestamp} and {@code sequence}.
   *
   * @return names, the most significant one first; unmodifiable
   */
  public List<String> nodeFields() {
    return Collections.unmodifiableList(Arrays.asList(nodeFields));
  }

  /**
   * The length of a tick.
   *
   * @return milliseconds, at least 1
   */
  public long tickMs() {
    return handle.tickMs();
  }

  /**
   * The beginning of tick 0.
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
   * The canonical text, which {@link #of(String)} takes back.
   *
   * @return for example {@code "timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z"}
   */
  @Override
  public String toString() {
    return text;
  }

  /** Errors: {@code field_out_of_range}. */
  static long toMs(Instant time) {
    try {
      return time.toEpochMilli();
    } catch (ArithmeticException e) {
      throw PolyflakeException.refuse("field_out_of_range", "the year of the time is beyond every layout");
    }
  }
}

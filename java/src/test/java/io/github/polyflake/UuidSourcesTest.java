package io.github.polyflake;

import static io.github.polyflake.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class UuidSourcesTest {
  private static final long T = 1_700_000_000_000L;
  private static final String WIDE = "timestamp:41 worker:4 sequence:18 tick=1ms epoch=2020-01-01T00:00:00.000Z";

  static UUID[] read(byte[] ids) {
    UUID[] all = new UUID[ids.length / 16];
    ByteBuffer bytes = ByteBuffer.wrap(ids);
    for (int i = 0; i < all.length; i++) {
      all[i] = new UUID(bytes.getLong(), bytes.getLong());
    }
    return all;
  }

  private static TimedUuidSource scripted(ManualClock clock, int tails) {
    long[] words = LongStream.concat(LongStream.of(0), LongStream.range(100, 100 + tails)).toArray();
    return Kinds.uuid7().clock(clock).entropy(Words.of(words)).build();
  }

  @Test
  void ids_are_of_their_version_and_variant() {
    for (UuidSource ids : new UuidSource[] {Kinds.uuid4().build(), Kinds.uuid7().build(),
      Kinds.uuid7().worker(3).build()}) {
      byte[] bytes = new byte[160];
      ids.fill(bytes);
      for (UUID[] some : new UUID[][] {{ids.nextId(), ids.tryNextId().get()}, ids.nextIds(600), read(bytes)}) {
        for (UUID id : some) {
          assertEquals(ids.kind().equals("uuid4") ? 4 : 7, id.version());
          assertEquals(2, id.variant());
        }
      }
      String text = ids.nextIdString();
      assertEquals(text, UUID.fromString(text).toString());
      assertThrows(UnsupportedOperationException.class, () -> UUID.fromString(text).timestamp()); // of version 1 alone
      assertTrue(ids.stats().issued() >= 613, () -> "" + ids.stats());
    }
  }

  @Test
  void the_first_48_bits_are_the_time_of_the_clock() {
    for (TimedUuidSource ids : new TimedUuidSource[] {Kinds.uuid7().build(), Kinds.uuid7().worker(3).build()}) {
      ids.nextId();
      long before = System.currentTimeMillis();
      long time = UUID.fromString(ids.nextIdString()).getMostSignificantBits() >>> 16;
      assertTrue(before <= time + 1 && time <= System.currentTimeMillis() + 1, () -> time + " is not " + before);
      assertEquals(Instant.ofEpochMilli(time), ids.decode(ids.firstId(Instant.ofEpochMilli(time))).time());
    }
  }

  @Test
  void the_key_decides_where_a_tick_begins_and_tails_follow() {
    TimedUuidSource ids = scripted(new ManualClock(T), 2);
    assertEquals(new Uuid7Parts(new long[] {T, T, 26910, 0, 100}), ids.decode(ids.nextId()));
    assertEquals(101, ids.decode(ids.nextIdString()).tail());
    refused("option_invalid", ids::nextId);
    refused("option_invalid", () -> ids.nextIds(1));
    refused("option_invalid", () -> ids.fill(new byte[16]));
    assertEquals(2, ids.stats().issued());
  }

  @Test
  void batches_give_what_single_calls_give() {
    UUID[] single = new UUID[700];
    TimedUuidSource ids = scripted(new ManualClock(T), 700);
    for (int i = 0; i < single.length; i++) {
      single[i] = i % 2 == 0 ? ids.nextId() : ids.tryNextId().get();
    }
    assertArrayEquals(single, scripted(new ManualClock(T), 700).nextIds(700));
    byte[] bytes = new byte[700 * 16];
    scripted(new ManualClock(T), 700).fill(bytes);
    assertArrayEquals(single, read(bytes));
  }

  @Test
  void a_large_batch_rises_and_its_tails_differ() {
    TimedUuidSource ids = Kinds.uuid7().maxWait(Duration.ofSeconds(1)).build();
    UUID last = new UUID(0, 0);
    Set<Long> tails = new HashSet<>();
    for (UUID id : ids.nextIds(10_001)) {
      assertTrue(id.compareTo(last) > 0);
      assertTrue(tails.add(ids.decode(id).tail()));
      last = id;
    }
  }

  @Test
  void an_id_with_a_pooled_tail_is_what_the_core_spells() {
    Random random = new Random(1);
    for (String layout : new String[] {WIDE, "polyflake", "twitter",
      "timestamp:41 sequence:12 worker:10 tick=1ms epoch=2020-01-01T00:00:00.000Z",
      "timestamp:41 rack:7 sequence:3 worker:12 tick=1ms epoch=2020-01-01T00:00:00.000Z",
      "unused:10 timestamp:42 worker:1 sequence:1 tick=1ms epoch=2020-01-01T00:00:00.000Z",
      "timestamp:45 sequence:18 tick=1ms epoch=1970-01-01T00:00:00.000Z"}) {
      Layout its = Layout.of(layout);
      BitScatter[] scatters = BitScatter.ofUuids(its.toString());
      UUID zero = its.toUuid(0);
      int bits = its.fields().entrySet().stream().filter(field -> !field.getKey().equals("unused"))
          .mapToInt(field -> field.getValue()).sum();
      for (int i = 0; i < 1000; i++) {
        long id = new BigInteger(bits, random).longValue();
        UUID uuid = its.toUuid(id);
        assertEquals(uuid, new UUID(zero.getMostSignificantBits() + scatters[0].of(id),
            zero.getLeastSignificantBits() + scatters[1].of(id)), layout);
        assertEquals(id, its.fromUuid(uuid));
      }
    }
  }

  @Test
  void a_worker_stands_in_each_id() {
    ManualClock clock = new ManualClock(T);
    TimedUuidSource ids = Kinds.uuid7().worker(9).layout(WIDE).clock(clock).build();
    Generator positions = Generator.builder().worker(9).layout(WIDE).clock(new ManualClock(T)).build();
    Layout layout = positions.layout();
    for (UUID id : new UUID[] {ids.nextId(), ids.nextIds(1)[0], ids.tryNextId().get()}) {
      Uuid7Parts parts = ids.decode(id);
      Parts position = layout.decode(positions.nextId());
      assertEquals(9, parts.node());
      assertEquals(position.tick(), parts.tick());
      assertEquals(position.sequence(), parts.sequence());
      assertEquals(position.timeMs(), parts.timeMs());
    }
  }

  @Test
  void a_worker_of_this_host_is_taken_from_its_registry() {
    try (TimedUuidSource ids = Kinds.uuid7().worker("host").build();
        Generator other = Generator.builder().worker("host").build()) {
      long node = ids.decode(ids.nextId()).node();
      assertEquals(other.worker(), node);
      assertTrue(ids.toString().contains("state=open"), ids.toString());
    }
  }

  @Test
  void a_worker_whose_ticks_are_no_milliseconds_is_refused() {
    refused("layout_invalid", () -> Kinds.uuid7().worker(1).layout("sonyflake").build());
    refused("layout_invalid", () -> Layout.of("sonyflake").toUuid(1));
  }

  @Test
  void a_try_never_waits() {
    ManualClock clock = new ManualClock(T);
    TimedUuidSource ids = Kinds.uuid7().clock(clock).build();
    ids.nextIds(262_144 - 40_000);
    int tried = 0;
    Optional<UUID> id = ids.tryNextId();
    while (id.isPresent() && tried++ < 300_000) {
      id = ids.tryNextId();
    }
    assertTrue(id.isEmpty());
    assertEquals(T, clock.timeMs());
    ids.nextId();
    assertEquals(T + 1, clock.timeMs());
  }

  @Test
  void a_clock_that_is_set_back_is_held_up() {
    ManualClock clock = new ManualClock(T);
    TimedUuidSource ids = Kinds.uuid7().clock(clock).build();
    UUID before = ids.nextId();
    clock.set(T - 3_600_000);
    UUID after = ids.nextId();
    assertTrue(after.compareTo(before) > 0);
    assertEquals(3_600_000, ids.stats().heldMs());
    clock.set(T + 5);
    assertTrue(ids.nextId().compareTo(after) > 0);
    assertEquals(0, ids.stats().heldMs());
  }

  @Test
  void the_first_and_last_id_of_a_time_enclose_all_of_it() {
    TimedUuidSource ids = Kinds.uuid7().clock(new ManualClock(T)).build();
    UUID id = ids.nextId();
    Instant time = ids.decode(id).time();
    assertEquals(Instant.ofEpochMilli(T), time);
    assertTrue(ids.firstId(time).compareTo(id) < 0 && id.compareTo(ids.lastId(time.plusNanos(999_999))) < 0);
    assertEquals("018bcfe5-6800-7000-8000-000000000000", ids.firstId(time).toString());
    assertEquals("018bcfe5-6800-7fff-bfff-ffffffffffff", ids.lastId(time).toString());
    refused("field_out_of_range", () -> ids.firstId(Instant.ofEpochMilli(-1)));
    refused("field_out_of_range", () -> ids.lastId(Instant.MAX));
  }

  @Test
  void what_is_no_id_of_a_source_is_refused() {
    TimedUuidSource ids = Kinds.uuid7().build();
    refused("id_out_of_range", () -> ids.decode(UUID.randomUUID()));
    refused("text_invalid", () -> ids.decode("018BCFE5-6800-7000-8000-000000000000"));
    PolyflakeException e =
        assertThrows(BadArgumentException.class, () -> ids.decode("018bcfe5-6800-7000-8000-00000000000"));
    assertEquals(35, e.position().getAsInt());
    refused("option_invalid", () -> ids.nextIds(-1));
    refused("option_invalid", () -> ids.fill(new byte[17]));
    refused("option_invalid", () -> Kinds.uuid4().build().fill(new byte[8]));
    refused("option_invalid", () -> Kinds.uuid4().build().nextIds(-1));
    refused("option_invalid", () -> Kinds.uuid7().entropy(new byte[8]).build());
    refused("option_invalid", () -> Kinds.uuid7().entropy(new byte[7]).clock(new ManualClock(T)).build());
    refused("option_invalid", () -> Kinds.uuid7().maxWait(Duration.ofMillis(-1)).build());
    refused("option_invalid", () -> Kinds.uuid7().maxLead(Duration.ofSeconds(Long.MAX_VALUE)).build());
    assertThrows(NullPointerException.class, () -> ids.decode((UUID) null));
    assertThrows(NullPointerException.class, () -> ids.fill(null));
    assertThrows(NullPointerException.class, () -> Kinds.uuid7().clock(null));
    refused("id_out_of_range", () -> Layout.of("polyflake").fromUuid(ids.nextId()));
  }

  @Test
  void random_ids_follow_the_entropy_that_a_test_gives() {
    UuidSource ids = Kinds.uuid4().clock(new ManualClock(T)).entropy(Words.of(-1, -1, 0, 0)).build();
    assertEquals("ffffffff-ffff-4fff-bfff-ffffffffffff", ids.nextIdString());
    assertEquals(new UUID(0x4000, Long.MIN_VALUE), ids.tryNextId().get());
    refused("option_invalid", ids::nextId);
    assertEquals(0, ids.nextIds(0).length);
    assertEquals(2, ids.stats().issued());
    assertNotEquals(Kinds.uuid4().build().nextId(), Kinds.uuid4().build().nextId());
  }

  @Test
  void random_ids_are_counted_when_they_are_issued() {
    UuidSource ids = Kinds.uuid4().build();
    ids.nextId();
    ids.tryNextId();
    ids.nextIds(300);
    ids.fill(new byte[32]);
    assertEquals(304, ids.stats().issued());
    ids.close();
    assertEquals(304, ids.stats().issued());
  }

  @Test
  void a_closed_source_refuses_ids_also_none() {
    for (UuidSource ids : new UuidSource[] {Kinds.uuid4().build(), Kinds.uuid7().build()}) {
      ids.nextId();
      assertFalse(ids.isClosed());
      ids.close();
      ids.close();
      assertTrue(ids.isClosed());
      refused("generator_closed", ids::nextId);
      refused("generator_closed", ids::tryNextId);
      refused("generator_closed", ids::nextIdString);
      refused("generator_closed", () -> ids.nextIds(0));
      refused("generator_closed", () -> ids.fill(new byte[0]));
      assertTrue(ids.toString().contains("closed"), ids.toString());
      assertEquals(1, ids.stats().issued() > 0 ? 1 : 0);
    }
    assertEquals("closed", close(Kinds.uuid7().build()).state().name());
    Kinds.uuid7().build().nextId(); // others of the process go on
  }

  private static TimedUuidSource close(TimedUuidSource ids) {
    ids.close();
    return ids;
  }

  @Test
  void a_worker_of_uuids_is_renewed_and_says_who_it_is() {
    try (TimedUuidSource certain = Kinds.uuid7().worker(43).build(); TimedUuidSource likely = Kinds.uuid7().build()) {
      certain.renew();
      likely.renew();
      assertEquals(43, certain.worker());
      assertEquals(Layout.of("polyflake"), certain.layout());
      assertEquals(0, likely.worker());
      assertTrue(likely.layout().toString().startsWith("timestamp:45 sequence:18 "));
    }
  }
}

package io.github.polyflake;

import static io.github.polyflake.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ObjectIdsTest {
  private static final long T = 1_700_000_000_000L;
  private static final long PROCESS = 0xbcf86cd799L;

  private static ObjectIdSource scripted(ManualClock clock) {
    return Kinds.objectid().clock(clock).entropy(Words.of(0, PROCESS)).build();
  }

  private static String[] read(byte[] ids) {
    String[] all = new String[ids.length / 12];
    ByteBuffer bytes = ByteBuffer.wrap(ids);
    for (int i = 0; i < all.length; i++) {
      all[i] = String.format("%016x%08x", bytes.getLong(), bytes.getInt());
    }
    return all;
  }

  @Test
  void the_driver_reads_an_id_as_it_is() {
    String id = scripted(new ManualClock(T)).nextId();
    ObjectId its = new ObjectId(id);
    assertEquals(new Date(T), its.getDate());
    assertEquals(id, its.toHexString());
    assertEquals(id.substring(8, 18), "bcf86cd799");
  }

  @Test
  void the_driver_orders_ids_as_they_were_issued_and_finds_their_times() {
    ObjectIdSource ids = Kinds.objectid().build();
    byte[] bytes = new byte[12];
    ids.fill(bytes);
    ObjectId last = new ObjectId(bytes);
    for (String id : ids.nextIds(1000)) {
      assertTrue(ObjectId.isValid(id), id);
      ObjectId its = new ObjectId(id);
      assertTrue(last.compareTo(its) < 0, id);
      assertEquals(its.getDate().getTime(), ids.decode(id).timeMs());
      assertEquals(its.getTimestamp(), ids.decode(id).time().getEpochSecond());
      last = its;
    }
    assertEquals(last.toHexString().substring(0, 8), ids.firstId(last.getDate().toInstant()).substring(0, 8));
  }

  @Test
  void batches_give_what_single_calls_give() {
    ObjectIdSource ids = scripted(new ManualClock(T));
    String[] single = new String[5000];
    for (int i = 0; i < single.length; i++) {
      single[i] = i % 3 == 0 ? ids.nextId() : i % 3 == 1 ? ids.nextIdString() : ids.tryNextId().get();
    }
    assertArrayEquals(single, scripted(new ManualClock(T)).nextIds(5000));
    byte[] bytes = new byte[5000 * 12];
    scripted(new ManualClock(T)).fill(bytes);
    assertArrayEquals(single, read(bytes));
    for (int i = 1; i < single.length; i++) {
      assertTrue(single[i - 1].compareTo(single[i]) < 0);
    }
  }

  @Test
  void an_id_is_taken_apart() {
    ObjectIdSource ids = Kinds.objectid().build();
    assertEquals(new ObjectIdParts(new long[] {1_350_508_407_000L, PROCESS, 4_427_793}),
        ids.decode("507f1f77bcf86cd799439011"));
    assertEquals(Instant.parse("2012-10-17T21:13:27Z"), ids.decode("507f1f77bcf86cd799439011").time());
    refused("text_invalid", () -> ids.decode("507F1f77bcf86cd799439011"));
    PolyflakeException e = assertThrows(BadArgumentException.class, () -> ids.decode("507f1f77bcf86cd79943901"));
    assertEquals(23, e.position().getAsInt());
    ObjectIdParts parts = ids.decode(ids.nextId());
    assertTrue(parts.equals(ids.decode(ids.nextId())) || parts.counter() >= 0);
    assertTrue(Math.abs(parts.timeMs() - System.currentTimeMillis()) < Patience.HANG_MS);
    assertTrue(parts.toString().startsWith("ObjectIdParts(time="), parts.toString());
  }

  @Test
  void the_first_and_last_id_of_a_second_enclose_all_of_it() {
    ObjectIdSource ids = scripted(new ManualClock(T));
    Instant time = Instant.ofEpochMilli(T);
    assertEquals("6553f1000000000000000000", ids.firstId(time.plusMillis(999)));
    assertEquals("6553f100ffffffffffffffff", ids.lastId(time));
    assertEquals("ffffffffffffffffffffffff", ids.lastId(Instant.ofEpochSecond((1L << 32) - 1)));
    refused("field_out_of_range", () -> ids.firstId(Instant.ofEpochSecond(1L << 32)));
    refused("field_out_of_range", () -> ids.lastId(Instant.ofEpochMilli(-1)));
    refused("field_out_of_range", () -> ids.lastId(Instant.MAX));
  }

  @Test
  void a_clock_that_is_set_back_is_held_up() {
    ManualClock clock = new ManualClock(T);
    ObjectIdSource ids = scripted(clock);
    String before = ids.nextId();
    clock.set(T - 3_600_000);
    assertTrue(ids.nextId().compareTo(before) > 0);
    assertEquals(3_600_000, ids.stats().heldMs());
  }

  @Test
  void a_try_never_waits() {
    ManualClock clock = new ManualClock(T);
    ObjectIdSource ids = scripted(clock);
    ids.fill(new byte[12 * ((1 << 24) - (1 << 22))]);
    Optional<String> id = ids.tryNextId();
    for (int i = 0; id.isPresent() && i < 1 << 22; i++) {
      id = ids.tryNextId();
    }
    assertTrue(id.isEmpty());
    assertEquals(T, clock.timeMs());
  }

  @Test
  void what_cannot_be_is_refused_and_a_closed_source_ends() {
    ObjectIdSource ids = Kinds.objectid().build();
    refused("option_invalid", () -> ids.nextIds(-1));
    refused("option_invalid", () -> ids.fill(new byte[16]));
    refused("option_invalid", () -> Kinds.objectid().entropy(new byte[16]).build());
    refused("option_invalid", () -> Kinds.objectid().entropy(new byte[8]).clock(new ManualClock(T)).build());
    ids.nextId();
    ids.close();
    assertTrue(ids.isClosed());
    refused("generator_closed", ids::nextId);
    refused("generator_closed", ids::tryNextId);
    refused("generator_closed", () -> ids.nextIds(0));
    refused("generator_closed", () -> ids.fill(new byte[0]));
    assertEquals("closed", ids.state().name());
    assertTrue(Kinds.objectid().build().toString().startsWith("ObjectIds(state=open"));
  }
}

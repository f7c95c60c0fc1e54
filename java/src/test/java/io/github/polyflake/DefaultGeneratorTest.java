package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Programs that use the shortcuts, each in a JVM of its own: there is one default generator for life. */
class DefaultGeneratorTest {
  private static final long NOW = 1_767_225_600_000L;

  private static Generator mine(long worker) {
    return Generator.builder().worker(worker).clock(new ManualClock(NOW)).build();
  }

  private static void assertPrints(String expected, Class<?> program) throws Exception {
    ChildJvm child = ChildJvm.start(Map.of("POLYFLAKE_WORKER", "77"), program.getName()).finish();
    assertEquals("", child.err);
    assertEquals(expected, child.out);
  }

  private static void setDefault(Generator generator) {
    try {
      Polyflake.setDefault(generator);
    } catch (BadArgumentException e) {
      System.out.println(e.code());
    }
  }

  static final class SetFirst {
    public static void main(String[] args) {
      Generator mine = mine(5);
      setDefault(mine);
      setDefault(mine);
      long id = Polyflake.nextId();
      long text = Polyflake.fromText(Polyflake.nextIdString());
      System.out.println(Polyflake.decode(id).node() + " " + (text - id) + " " + mine.stats().issued());
      setDefault(mine);
    }
  }

  @Test
  void the_shortcuts_use_the_generator_that_was_set() throws Exception {
    assertPrints("5 1 2\n", SetFirst.class);
  }

  static final class SetAfterUse {
    public static void main(String[] args) {
      Polyflake.nextId();
      setDefault(mine(5));
      System.out.println(Polyflake.decode(Polyflake.nextId()).node());
    }
  }

  @Test
  void a_default_that_was_used_is_not_replaced() throws Exception {
    assertPrints("option_invalid\n77\n", SetAfterUse.class);
  }

  static final class SetTwice {
    public static void main(String[] args) {
      setDefault(mine(5));
      setDefault(mine(6));
      System.out.println(Polyflake.decode(Polyflake.nextId()).node());
    }
  }

  @Test
  void a_default_that_was_set_is_not_replaced() throws Exception {
    assertPrints("option_invalid\n5\n", SetTwice.class);
  }

  static final class Closed {
    public static void main(String[] args) {
      Generator mine = mine(5);
      Polyflake.setDefault(mine);
      mine.close();
      try {
        Polyflake.nextIdString();
      } catch (StateException e) {
        System.out.println(e.code());
      }
    }
  }

  @Test
  void a_default_that_its_owner_closed_is_closed_for_the_shortcuts_too() throws Exception {
    assertPrints("generator_closed\n", Closed.class);
  }

  static final class None {
    public static void main(String[] args) {
      System.out.print(Polyflake.defaultGenerator().isPresent() + " ");
      Polyflake.decode(1);
      System.out.print(Polyflake.defaultGenerator().isPresent() + " ");
      Polyflake.nextId();
      System.out.println(Polyflake.defaultGenerator().get().stats().issued());
    }
  }

  @Test
  void there_is_none_before_the_first_id_and_decoding_opens_none() throws Exception {
    assertPrints("false false 1\n", None.class);
  }

  static final class OwnLayout {
    public static void main(String[] args) {
      String text = "timestamp:41 worker:10 sequence:12 tick=1ms epoch=2024-01-01T00:00:00.000Z";
      Generator mine = Generator.builder().worker(5).layout(text).clock(new ManualClock(NOW)).build();
      long id = mine.nextId();
      System.out.print(Polyflake.decode(id).equals(Polyflake.decode(id, "polyflake")) + " ");
      Polyflake.setDefault(mine);
      System.out.print((Polyflake.defaultGenerator().get() == mine) + " ");
      mine.close();
      System.out.println(Polyflake.decode(id).equals(mine.layout().decode(id)));
    }
  }

  @Test
  void ids_are_decoded_by_the_layout_of_the_default_generator() throws Exception {
    assertPrints("true true true\n", OwnLayout.class);
  }
}

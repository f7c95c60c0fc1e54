package io.github.polyflake;

import static io.github.polyflake.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Kinds by name, and kinds of one's own. */
class KindsTest {
  /** Found by ServiceLoader in all tests. */
  public static final class Provider implements KindProvider {
    @Override
    public String kind() {
      return "provided";
    }

    @Override
    public IdSource open(KindOptions options) {
      return new Numbers("provided", options);
    }
  }

  @Test
  void each_kind_opens_by_its_name() {
    Map<String, Class<?>> types = Map.of("snowflake", Generator.class, "uuid7", TimedUuidSource.class, "uuid4",
        UuidSource.class, "objectid", ObjectIdSource.class);
    types.forEach((name, type) -> {
      KindBuilder builder = Kinds.open(name);
      try (IdSource ids = name.equals("snowflake") ? builder.option("worker", 3).build() : builder.build()) {
        assertInstanceOf(type, ids);
        assertEquals(name, ids.kind());
        assertTrue(ids.nextIdString().length() >= 18);
        assertEquals(1, ids.stats().issued() > 0 ? 1 : 0);
      }
    });
    assertTrue(Kinds.names().containsAll(types.keySet()));
    assertEquals(List.of("snowflake", "uuid7", "uuid4", "objectid", "segment", "date", "ticket"),
        Kinds.names().subList(0, 7));
  }

  @Test
  void options_go_by_the_names_of_the_builders() {
    ManualClock clock = new ManualClock(1_700_000_000_000L);
    Map<String, Long> worker = Map.of("worker", 9L);
    for (Object given : new Object[] {9, 9L, (short) 9, (byte) 9, "9", worker}) {
      if (!given.equals("9")) {
        assertEquals(9, ((Generator) Kinds.open("snowflake").option("worker", given).build()).worker());
      }
    }
    try (TimedUuidSource ids = (TimedUuidSource) Kinds.open("uuid7").option("worker", worker).option("clock", clock)
        .option("layout", Layout.of("twitter").toString().replace("datacenter:5 worker:5", "worker:10"))
        .option("maxWait", Duration.ZERO).option("maxLead", Duration.ofMillis(1)).build()) {
      assertEquals(9, ids.decode(ids.nextId()).node());
    }
    Kinds.open("snowflake").option("worker", 1).option("sequenceSpread", 5).option("ordering", "strict")
        .option("layout", Layout.of("polyflake")).build().close();
  }

  @Test
  void what_a_kind_does_not_take_is_refused() {
    refused("option_invalid", () -> Kinds.open("uuid7").option("maxwait", Duration.ZERO).build());
    refused("option_invalid", () -> Kinds.open("uuid7").option("maxWait", 10).build());
    refused("option_invalid", () -> Kinds.open("uuid7").option("worker", 1.5).build());
    refused("option_invalid", () -> Kinds.open("uuid7").option("layout", 1).build());
    refused("option_invalid", () -> Kinds.open("uuid7").option("layout", "polyflake").build());
    refused("option_invalid", () -> Kinds.open("uuid7").option("sequenceSpread", 1).build());
    refused("option_invalid", () -> Kinds.open("objectid").option("worker", 1).build());
    refused("option_invalid", () -> Kinds.open("uuid4").option("maxWait", Duration.ZERO).build());
    refused("option_invalid", () -> Kinds.open("snowflake").option("worker", 1).option("entropy", new byte[8]).build());
    refused("option_invalid", () -> Kinds.open("uuid7:redis://h/0").build());
    assertThrows(NullPointerException.class, () -> Kinds.open("uuid7").option("worker", null));
    assertThrows(NullPointerException.class, () -> Kinds.open(null));
  }

  @Test
  void a_name_is_read_strictly() {
    PolyflakeException e = refused("unknown_kind", () -> Kinds.open("uid7").build());
    assertTrue(e.getMessage().contains("uuid7"), e.getMessage());
    for (String text : new String[] {"", "UUID7", "uuid 7", "uuid7 ", "7uuid", "uuid\0", "\u00fcuid7", "uuid7:"}) {
      assertTrue(refused("text_invalid", () -> Kinds.open(text).build()).position().isPresent(), text);
    }
  }

  @Test
  void a_registered_kind_opens_with_its_options_and_store() {
    Kinds.register("counted", options -> new Numbers("counted", options));
    assertTrue(Kinds.names().contains("counted"));
    try (Numbers ids = (Numbers) Kinds.open("counted").option("from", 7).build()) {
      assertEquals("counted", ids.kind());
      assertEquals(7, ids.nextId());
      assertNull(ids.store);
    }
    assertEquals("redis://h/0", ((Numbers) Kinds.open("counted:redis://h/0").build()).store);
    refused("option_invalid", () -> Kinds.open("counted:redis://h/0").option("store", "x").build());
    refused("option_invalid", () -> Kinds.open("counted").option("from", "7").build());
    PolyflakeException near = refused("unknown_kind", () -> Kinds.open("countet").build());
    assertTrue(near.getMessage().contains("counted"), near.getMessage());
  }

  @Test
  void a_source_whose_options_are_left_over_is_closed_again() {
    AtomicReference<Numbers> opened = new AtomicReference<>();
    Kinds.register("remembered", options -> {
      opened.set(new Numbers("remembered", options));
      return opened.get();
    });
    PolyflakeException e = refused("option_invalid", () -> Kinds.open("remembered").option("form", 7).build());
    assertTrue(e.getMessage().contains("form"), e.getMessage());
    assertTrue(opened.get().closed);
  }

  @Test
  void a_factory_may_throw_what_it_likes() {
    IllegalStateException mine = new IllegalStateException("mine");
    Kinds.register("failing", options -> {
      throw mine;
    });
    assertSame(mine, assertThrows(IllegalStateException.class, () -> Kinds.open("failing").build()));
    Kinds.register("nothing", options -> null);
    refused("option_invalid", () -> Kinds.open("nothing").build());
  }

  @Test
  void a_name_that_is_taken_or_none_is_not_registered() {
    Kinds.register("mine_2", options -> new Numbers("mine_2", options));
    for (String name : new String[] {"snowflake", "uuid7", "uuid4", "objectid", "segment", "date", "ticket", "mine_2",
      "provided"}) {
      refused("option_invalid", () -> Kinds.register(name, options -> null));
    }
    for (String name : new String[] {"", "Mine", "2mine", "my kind", "mine:store"}) {
      refused("text_invalid", () -> Kinds.register(name, options -> null));
    }
    assertThrows(NullPointerException.class, () -> Kinds.register("mine_3", null));
    assertThrows(NullPointerException.class, () -> Kinds.register(null, options -> null));
  }

  @Test
  void a_provider_on_the_class_path_is_found() {
    assertTrue(Kinds.names().contains("provided"));
    try (LongSource ids = (LongSource) Kinds.open("provided:somewhere").option("from", 5L).build()) {
      assertEquals(5, ids.nextId());
    }
    refused("option_invalid", () -> Kinds.open("provided").option("to", 1).build());
  }

  @Test
  void a_provider_is_found_by_the_class_loader_of_the_thread() throws Exception {
    AtomicReference<List<String>> names = new AtomicReference<>();
    Thread thread = new Thread(() -> names.set(Kinds.names()));
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    thread.start();
    thread.join();
    assertTrue(!names.get().contains("provided"), () -> "" + names.get());
  }

  @Test
  void a_close_that_fails_does_not_hide_the_refusal_of_options() {
    Error ofClosing = new AssertionError("of closing");
    Kinds.register("unclosing", options -> new Numbers("unclosing", options) {
      @Override
      public void close() {
        throw ofClosing;
      }
    });
    PolyflakeException e = refused("option_invalid", () -> Kinds.open("unclosing").option("frm", 1L).build());
    assertSame(ofClosing, e.getSuppressed()[0]);
  }

  /** A provider of the kind "good_one", which others break. */
  public static class GoodOne implements KindProvider {
    @Override
    public String kind() {
      return "good_one";
    }

    @Override
    public IdSource open(KindOptions options) {
      return new Numbers(kind(), options);
    }
  }

  public static final class Throwing extends GoodOne {
    @Override
    public String kind() {
      throw new IllegalStateException("of kind()");
    }
  }

  public static final class Nameless extends GoodOne {
    @Override
    public String kind() {
      return null;
    }
  }

  public static final class OfATakenName extends GoodOne {
    @Override
    public String kind() {
      return "uuid7";
    }
  }

  /** Has another name when it is asked again. */
  public static final class Changing extends GoodOne {
    private int asked;

    @Override
    public String kind() {
      return asked++ == 0 ? "changing" : "good_one";
    }
  }

  @Test
  void providers_that_are_broken_keep_nobody_from_other_kinds(@TempDir Path folder) throws Exception {
    Kinds.register("unbroken", options -> new Numbers("unbroken", options));
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    String lines = "there.is.no.such.Provider\n";
    for (Class<?> one : List.of(Throwing.class, Nameless.class, OfATakenName.class, Changing.class, GoodOne.class)) {
      lines += one.getName() + "\n";
    }
    Files.writeString(services.resolve(KindProvider.class.getName()), lines);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader broken = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
      thread.setContextClassLoader(broken);
      for (String kind : List.of("uuid7", "unbroken", "good_one", "changing", "provided")) {
        Kinds.open(kind).build().close();
      }
      List<String> names = Kinds.names();
      assertTrue(names.containsAll(List.of("unbroken", "good_one", "changing", "provided")), () -> "" + names);
      refused("option_invalid", () -> Kinds.register("good_one", options -> null));
      Kinds.register("beside_broken_ones", options -> null);
      Throwable[] leftOut = refused("unknown_kind", () -> Kinds.open("somebodys").build()).getSuppressed();
      assertEquals(4, leftOut.length);
      assertInstanceOf(ServiceConfigurationError.class, leftOut[0]);
      assertTrue(leftOut[1].getMessage().contains("Throwing: of kind()"), leftOut[1].getMessage());
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void a_class_loader_that_always_fails_does_not_hang_it() {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(new ClassLoader(before) {
      @Override
      public Enumeration<URL> getResources(String name) throws IOException {
        throw new IOException("always");
      }
    });
    try {
      assertTrue(refused("unknown_kind", () -> Kinds.open("somebodys").build()).getSuppressed().length > 0);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  static final class Nodes {
    public static void main(String[] args) {
      TimedUuidSource ids = Kinds.uuid7().build();
      System.out.println(ids.decode(ids.nextId()).node());
      System.out.println(((Generator) Kinds.open("snowflake").build()).worker());
    }
  }

  @Test
  void the_environment_names_the_worker_of_snowflakes_alone() throws Exception {
    ChildJvm child = ChildJvm.start(Map.of("POLYFLAKE_WORKER", "77"), Nodes.class.getName()).finish();
    assertEquals("", child.err);
    assertEquals("0\n77\n", child.out);
  }

  @Test
  void the_example_of_an_own_kind_runs() throws Exception {
    ChildJvm child = ChildJvm.run(Path.of("../examples/java/OwnKind.java").toString());
    assertEquals("", child.err);
    assertTrue(child.out.matches("order_[0-9a-z]{9,13}\n"), child.out);
  }
}

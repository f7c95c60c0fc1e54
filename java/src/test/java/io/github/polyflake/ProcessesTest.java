package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several JVMs of one host, and what the environment says. */
class ProcessesTest {
  @TempDir
  Path folder;

  static final class Open {
    public static void main(String[] args) {
      try {
        System.out.println(Generator.builder().worker(args[0]).build().worker());
      } catch (PolyflakeException e) {
        System.out.println(e.code() + " " + e.getMessage());
      }
    }
  }

  static final class Issue {
    public static void main(String[] args) throws IOException {
      long[] ids = new long[100_000];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = Polyflake.nextId();
      }
      ByteBuffer bytes = ByteBuffer.allocate(ids.length * 8);
      bytes.asLongBuffer().put(ids);
      Files.write(Path.of(args[0]), bytes.array());
    }
  }

  @Test
  void a_node_id_of_this_host_is_refused_to_a_second_process_and_the_first_is_named() throws Exception {
    Generator generator = Generator.builder().worker("host:7").build();
    assertTrue(generator.nextId() > 0);
    String home = System.getenv("POLYFLAKE_HOME");
    ChildJvm child = ChildJvm.start(Map.of("POLYFLAKE_HOME", home), Open.class.getName(), "host:7").finish();
    assertTrue(child.out.startsWith("worker_in_use "), child.out);
    assertTrue(child.out.contains(Long.toString(ProcessHandle.current().pid())), child.out);
    assertTrue(generator.nextId() > 0);
  }

  @Test
  void a_registry_that_cannot_be_written_is_named() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    ChildJvm child = ChildJvm.start(Map.of("POLYFLAKE_HOME", file + "/below"), Open.class.getName(), "host").finish();
    assertTrue(child.out.startsWith("registry_unusable "), child.out);
    assertTrue(child.out.contains(file.toString()), child.out);
  }

  @Test
  void jvms_of_one_host_share_no_id() throws Exception {
    Map<String, String> home = Map.of("POLYFLAKE_HOME", folder.resolve("registry").toString());
    ChildJvm[] children = new ChildJvm[3];
    for (int i = 0; i < children.length; i++) {
      children[i] = ChildJvm.start(home, Issue.class.getName(), folder.resolve("ids" + i).toString());
    }
    long[] all = new long[children.length * 100_000];
    for (int i = 0; i < children.length; i++) {
      assertEquals(0, children[i].finish().exit, children[i].err);
      ByteBuffer.wrap(Files.readAllBytes(folder.resolve("ids" + i))).asLongBuffer().get(all, i * 100_000, 100_000);
    }
    assertEquals(all.length, Arrays.stream(all).distinct().count());
  }

  static final class Renew {
    public static void main(String[] args) throws Exception {
      Generator generator = Generator.builder().worker("host").build();
      long last = generator.nextId();
      long untilMs = generator.stats().untilMs();
      Thread.sleep(300);
      generator.renew();
      System.out.println(generator.stats().untilMs() - untilMs >= 200);
      System.out.println(generator.stats().issued() + " " + (generator.nextId() > last));
    }
  }

  @Test
  void a_window_is_moved_on_without_an_id_being_asked_for() throws Exception {
    ChildJvm child = ChildJvm.run(Renew.class.getName());
    assertEquals("", child.err);
    assertEquals("true\n1 true\n", child.out);
  }

  static final class Shortcut {
    public static void main(String[] args) {
      System.out.println(Polyflake.decode(Polyflake.nextId()).node());
    }
  }

  @Test
  void the_environment_names_the_worker_of_the_shortcut() throws Exception {
    assertEquals("77\n", ChildJvm.start(Map.of("POLYFLAKE_WORKER", "77"), Shortcut.class.getName()).finish().out);
  }

  static final class Twice {
    public static void main(String[] args) {
      for (int i = 0; i < 2; i++) {
        try {
          Polyflake.nextId();
        } catch (PolyflakeException e) {
          System.out.println(e.code());
        }
      }
    }
  }

  @Test
  void a_shortcut_that_failed_says_why_each_time() throws Exception {
    ChildJvm child = ChildJvm.start(Map.of("POLYFLAKE_WORKER", "banana"), Twice.class.getName()).finish();
    assertEquals("worker_source_invalid\nworker_source_invalid\n", child.out);
    assertEquals("", child.err);
  }
}

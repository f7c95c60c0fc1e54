package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.internal.PatientClose;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.RealStores;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** JVMs that hold a lease end soon, and give their node id back if the store answers. */
class EndsTest {
  private static final int STATUS = 3;
  private static final List<String> WAYS = List.of("return", "exit", "close", "daemon", "failure", "opening");

  @TempDir
  Path folder;

  static final class Program {
    /** The address, the way to end and the process of the server, to be stopped before, or 0. */
    public static void main(String[] args) throws Exception {
      Generator generator = Generator.builder().worker(args[0]).build();
      generator.nextId();
      Thread.sleep(50);
      if (args[2].equals("0")) {
        PatientClose.begin();
      } else {
        new ProcessBuilder("kill", "-STOP", args[2]).start().waitFor();
      }
      if (args[1].equals("opening")) {
        daemon(() -> Generator.builder().worker(args[0]).layout("twitter").build());
        Thread.sleep(100);
      }
      System.out.println(System.currentTimeMillis());
      switch (args[1]) {
        case "close":
          generator.close();
          break;
        case "daemon":
          daemon(() -> System.exit(STATUS + (int) (generator.nextId() & 0)));
          Thread.sleep(60_000);
          break;
        case "failure":
          throw new IllegalStateException("the end");
        case "exit":
        case "opening":
          System.exit(STATUS);
          break;
        default:
      }
    }

    private static void daemon(Runnable work) {
      Thread thread = new Thread(work);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static void assertEndsSoon(String url, String how, long serverToStop) throws Exception {
    ChildJvm child =
        ChildJvm.start(Map.of(), Program.class.getName(), url, how, Long.toString(serverToStop)).finish();
    long tookMs = System.currentTimeMillis() - Long.parseLong(child.out.trim());
    int status = how.equals("failure") ? 1 : how.equals("return") || how.equals("close") ? 0 : STATUS;
    assertEquals(status, child.exit, child.err);
    assertTrue(tookMs < Patience.SOON_MS, tookMs + " ms");
  }

  private interface Fact {
    void holds(OwnServers servers, String url, String how) throws Exception;
  }

  private List<DynamicTest> forEachWay(Fact fact) {
    List<DynamicTest> tests = new ArrayList<>();
    WAYS.forEach(how -> tests.add(DynamicTest.dynamicTest(how, () -> {
      try (OwnServers servers = new OwnServers(folder)) {
        String server = "redis://127.0.0.1:" + servers.startRedis();
        String url = server + "?window_ms=600000&namespace=" + how;
        RealStores.fresh(Stores.of(url));
        fact.holds(servers, url, how);
      }
    })));
    return tests;
  }

  @TestFactory
  List<DynamicTest> a_jvm_ends_soon_and_gives_its_node_id_back() {
    return forEachWay((servers, url, how) -> {
      assertEndsSoon(url, how, 0);
      assertEquals(List.of(), Namespaces.leases(Stores.of(url), "polyflake"));
    });
  }

  @TestFactory
  List<DynamicTest> a_jvm_whose_store_does_not_answer_ends_soon() {
    return forEachWay((servers, url, how) -> assertEndsSoon(url, how, servers.pid()));
  }
}

package bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The Java benchmark. How to build it says pom.xml, what it does {@link #HELP}. */
public final class Main {
  private static final String HELP = """
      usage: java -cp <classes, Polyflake's jar, the jars of pom.xml> bench.Main [--json FILE] [--quick] [--no-peers]

      What an id costs in Java, beside floors measured in the same run, and beside other libraries.
        --json FILE   also writes the rows there
        --quick       few rounds, short saturations: only to see that all still works
        --no-peers    Polyflake alone
      A ratio is a median of pairs (Paired.java) from this process; tool_ns is JMH's figure of the same operation,
      measured afterwards in JVMs of its own. The status is not 0 when an id of Polyflake was issued twice.""";
  private static final int ROUNDS = 121;
  /** Peers that do not wait for the clock issue more in a second than this memory is for. */
  private static final int MOST_IDS = 30_000_000;

  private boolean quick;
  private boolean peers = true;
  /** The rows of the plain clock alone, one object a line: what the child process does for its parent. */
  private boolean plain;
  private Path json;
  private final Rows rows = new Rows();

  public static void main(String[] args) throws IOException {
    Main main = new Main();
    if (!main.understands(args)) {
      System.err.println(HELP);
      System.exit(2);
    }
    main.run();
    System.exit(main.ownDuplicates() ? 1 : 0);
  }

  static List<Library> libraries() {
    return Stream.concat(Stream.of(Library.polyflake()), Peers.all().stream()).toList();
  }

  private boolean understands(String[] args) {
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--quick" -> quick = true;
        case "--no-peers" -> peers = false;
        case "--plain" -> plain = true;
        case "--help" -> {
          System.out.println(HELP);
          System.exit(0);
        }
        case "--json" -> {
          if (++i == args.length) {
            return false;
          }
          json = Path.of(args[i]);
        }
        default -> {
          return false;
        }
      }
    }
    return true;
  }

  private void run() throws IOException {
    Ours ours = new Ours(rows, rounds());
    if (plain) {
      ours.nextId("java.next_id.plain", "nextId(), plain clock");
      saturate(null, Library.polyflake(), "default layout, plain clock", 1, 2);
      Tool.addTo(rows.list(), quick);
      rows.writeLines(json);
      return;
    }
    ours.measure();
    if (peers) {
      FreshTicks.measure(rows, libraries(), rounds());
    }
    for (int threads = 1; threads <= 2; threads++) {
      saturate("java.saturated." + threads, Library.polyflake(), "default layout", threads, 2);
    }
    runPlain();
    for (Library peer : peers ? Peers.all() : List.<Library>of()) {
      for (int threads = 1; threads <= 2; threads++) {
        saturate(null, peer, peer.call(), threads, 1);
      }
    }
    FreshJvm.measure(rows, quick ? 3 : 21);
    Tool.addTo(rows.list(), quick);
    if (json != null) {
      rows.write(json);
    }
  }

  private int rounds() {
    return quick ? 15 : ROUNDS;
  }

  private void saturate(String key, Library library, String name, int threads, double seconds) {
    rows.add(Saturation.run(key, name, library, threads, quick ? 0.2 : seconds, quick ? MOST_IDS / 10 : MOST_IDS));
  }

  /** The library looks at the variable once a process, so these rows need another one. */
  private void runPlain() throws IOException {
    Path lines = Files.createTempFile("polyflake-bench", ".lines");
    try {
      List<String> command = new ArrayList<>(FreshJvm.command());
      command.addAll(List.of(Main.class.getName(), "--plain", "--json", lines.toString()));
      if (quick) {
        command.add("--quick");
      }
      ProcessBuilder child = new ProcessBuilder(command).inheritIO();
      child.environment().put("POLYFLAKE_TICK_CACHE", "off");
      FreshJvm.require(child.start(), "the rows of the plain clock");
      rows.readLines(lines);
    } finally {
      Files.delete(lines);
    }
  }

  private boolean ownDuplicates() {
    return rows.list().stream().anyMatch(row -> Ours.LIBRARY.equals(row.get("library"))
        && row.get("duplicates") instanceof Integer count && count > 0);
  }
}

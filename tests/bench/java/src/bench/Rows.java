package bench;

import io.github.polyflake.Polyflake;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The result: rows in order, printed as they come. */
final class Rows {
  private final List<Row> rows = new ArrayList<>();
  /** Rows of a child process, as JSON; it has printed them itself. */
  private final List<String> fromChild = new ArrayList<>();

  void add(Row row) {
    rows.add(row);
    System.out.println(row);
  }

  List<Row> list() {
    return rows;
  }

  /** One object a line. */
  void writeLines(Path file) throws IOException {
    Files.write(file, rows.stream().map(Row::json).toList(), StandardCharsets.US_ASCII);
  }

  void readLines(Path file) throws IOException {
    fromChild.addAll(Files.readAllLines(file, StandardCharsets.US_ASCII));
  }

  void write(Path file) throws IOException {
    String all = Stream.concat(rows.stream().map(Row::json), fromChild.stream()).collect(Collectors.joining(",\n  "));
    String runtime = System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version");
    String head = "\"language\": \"java\", \"runtime\": \"" + runtime + "\", \"version\": \"" + Polyflake.version() + "\"";
    Files.writeString(file, "{" + head + ", \"rows\": [\n  " + all + "\n]}\n", StandardCharsets.US_ASCII);
  }
}

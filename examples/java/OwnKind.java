import io.github.polyflake.IdSource;
import io.github.polyflake.KindOptions;
import io.github.polyflake.Kinds;
import io.github.polyflake.LongSource;
import io.github.polyflake.Stats;
import io.github.polyflake.TextSource;
import java.util.Arrays;
import java.util.Optional;

/** A kind of one's own, over one of this library: ids that say what they are of, such as order_1kf0d3m2s9c00. */
public final class OwnKind {
  static final class Named implements TextSource {
    private final String name;
    private final LongSource numbers;

    Named(KindOptions options) {
      name = options.take("name", String.class);
      Object worker = options.take("worker");
      numbers = (LongSource) Kinds.open("snowflake").option("worker", worker == null ? "host" : worker).build();
    }

    private String text(long number) {
      return name + "_" + Long.toString(number, 36);
    }

    @Override
    public String kind() {
      return "named";
    }

    @Override
    public String nextId() {
      return text(numbers.nextId());
    }

    @Override
    public String nextIdString() {
      return nextId();
    }

    @Override
    public Optional<String> tryNextId() {
      return numbers.tryNextId().stream().mapToObj(this::text).findFirst();
    }

    @Override
    public String[] nextIds(int count) {
      return Arrays.stream(numbers.nextIds(count)).mapToObj(this::text).toArray(String[]::new);
    }

    @Override
    public Stats stats() {
      return numbers.stats();
    }

    @Override
    public void close() {
      numbers.close();
    }

    @Override
    public boolean isClosed() {
      return numbers.isClosed();
    }
  }

  public static void main(String[] arguments) {
    Kinds.register("named", Named::new);

    // From here on it is a kind like the others: a configuration may name it.
    try (IdSource ids = Kinds.open("named").option("name", "order").build()) {
      System.out.println(ids.nextIdString());
    }
  }
}

package consumer;

import io.github.polyflake.Generator;
import io.github.polyflake.Parts;
import io.github.polyflake.Polyflake;
import io.github.polyflake.PolyflakeException;

/** Prints when an id was issued that it has just asked for, in Unix milliseconds. */
public final class Use {
  public static void main(String[] args) {
    try (Generator generator = Generator.builder().worker("host").layout("twitter").build()) {
      long id = generator.nextId();
      Parts parts = generator.layout().decode(Polyflake.toText(id));
      if (id <= 0 || parts.node() != generator.worker() || !parts.fields().containsKey("datacenter")) {
        throw new AssertionError(parts);
      }
      System.out.println(parts.timeMs());
    }
    try {
      Polyflake.fromText("007");
      throw new AssertionError("read 007");
    } catch (PolyflakeException e) {
      System.out.println(e.code());
    }
    try {
      Generator.builder().worker("redis://127.0.0.1/0?namespace=orders").build();
      throw new AssertionError("a lease without a client of its store");
    } catch (PolyflakeException e) {
      if (!e.getMessage().contains("redis.clients:jedis")) {
        throw e;
      }
    }
  }
}

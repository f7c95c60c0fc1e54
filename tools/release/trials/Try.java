import io.github.polyflake.Generator;
import io.github.polyflake.PolyflakeException;

/** Issues ids from the host registry and from a number, and is refused once. */
class Try {
  private static final int COUNT = 20_000;

  public static void main(String[] arguments) {
    issue(Generator.builder().worker("host").build());
    issue(Generator.builder().worker(7).build());
    try {
      Generator.builder().worker(2000).build();
      throw new AssertionError("a node id beyond the layout was taken");
    } catch (PolyflakeException refused) {
      expect(refused.code().equals("field_out_of_range"), refused.toString());
    }
    System.out.println("java " + System.getProperty("java.version") + ": " + 2 * COUNT + " ids, polyflake "
        + Generator.class.getPackage().getImplementationVersion());
  }

  private static void issue(Generator generator) {
    long last = 0;
    for (int i = 0; i < COUNT; i++) {
      long id = generator.nextId();
      expect(id > last, id + " after " + last);
      last = id;
    }
  }

  private static void expect(boolean fact, String otherwise) {
    if (!fact) {
      throw new AssertionError(otherwise);
    }
  }
}

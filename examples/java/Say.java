import io.github.polyflake.Layout;
import io.github.polyflake.Parts;

/** Prints what an id says: the id, then name=value for each of its parts. */
final class Say {
  static void say(long id, Layout layout) {
    Parts parts = layout.decode(id);
    StringBuilder line = new StringBuilder(Long.toUnsignedString(id));
    line.append(" time_ms=").append(parts.timeMs()).append(" tick=").append(Long.toUnsignedString(parts.tick()));
    parts.fields().forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
    System.out.println(line.append(" sequence=").append(parts.sequence()));
  }
}

import io.github.polyflake.Layout;
import io.github.polyflake.Polyflake;

/** Says what ids mean: Decode LAYOUT ID [LAYOUT ID ...]. */
public final class Decode {
  public static void main(String[] arguments) {
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      Say.say(Polyflake.fromText(arguments[i + 1]), Layout.of(arguments[i]));
    }
  }
}

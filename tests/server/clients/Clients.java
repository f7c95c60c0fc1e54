import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import redis.clients.jedis.util.KeyValue;

/** Jedis, Lettuce and a caller of Leaf, driven by lines as client_programs.py says: java Clients jedis|lettuce|leaf. */
public class Clients {
  interface Client {
    String version();

    /** token: its name and its secret, or nothing. */
    void open(int port, int protocol, String... token);

    Object incr(String key);

    Object send(String command, String... words);

    List<Object> incrs(String key, int count);

    List<Object> sends(int count, String command, String... words);
  }

  public static void main(String[] arguments) throws IOException {
    Client client = named(arguments[0]);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = lines.readLine()) != null;) {
      try {
        System.out.println("=" + text(answer(client, line.split(" "))));
      } catch (RuntimeException error) {
        Throwable reason = error.getCause() == null ? error : error.getCause();
        System.out.println("! " + String.valueOf(reason.getMessage()).replaceAll("\\s+", " "));
      }
    }
    System.exit(0);
  }

  static Client named(String name) {
    switch (name) {
      case "jedis":
        return new OfJedis();
      case "lettuce":
        return new OfLettuce();
      default:
        return new OfLeaf();
    }
  }

  static Object answer(Client client, String[] words) {
    switch (words[0]) {
      case "open":
        client.open(Integer.parseInt(words[1]), Integer.parseInt(words[2]), Arrays.copyOfRange(words, 3, words.length));
        return client.version();
      case "incr":
        return client.incr(words[1]);
      case "next":
        return client.send("POLYFLAKE.NEXT", words[1]);
      case "batch":
        return client.send("POLYFLAKE.NEXT", words[1], words[2]);
      case "incrs":
        return client.incrs(words[1], Integer.parseInt(words[2]));
      case "nexts":
        return client.sends(Integer.parseInt(words[2]), "POLYFLAKE.NEXT", words[1]);
      default:
        return client.send("POLYFLAKE.DECODE", words[1]);
    }
  }

  static String text(Object reply) {
    if (reply instanceof byte[]) return " " + new String((byte[]) reply, StandardCharsets.UTF_8);
    if (reply instanceof KeyValue)
      return text(((KeyValue<?, ?>) reply).getKey()) + text(((KeyValue<?, ?>) reply).getValue());
    if (reply instanceof Map) reply = new ArrayList<>(((Map<?, ?>) reply).entrySet());
    if (reply instanceof Map.Entry)
      return text(((Map.Entry<?, ?>) reply).getKey()) + text(((Map.Entry<?, ?>) reply).getValue());
    if (!(reply instanceof List)) return " " + reply;
    StringJoiner words = new StringJoiner("");
    for (Object word : (List<?>) reply)
      words.add(text(word));
    return words.toString();
  }
}

import com.twitter.service.snowflake.gen.Batches;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.layered.TFramedTransport;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Takes ids with Jedis, the HTTP client of the JDK, or Thrift's stubs: java Taker resp|http|thrift PORT... Its output: takers.py. */
public final class Taker {
  private static final int TIMEOUT_MS = 1000;
  private static final int PAUSE_MS = 10;

  private Taker() {}

  /** The server gave a reason instead of ids. */
  private static final class Refused extends Exception {
    Refused(String message, String code) {
      super(first(code, message));
    }
  }

  /** A connection. Any other exception says that it is lost. */
  private interface Client extends AutoCloseable {
    String take() throws Exception;
  }

  public static void main(String[] arguments) throws InterruptedException {
    for (int turn = 0;; turn++) {
      int port = Integer.parseInt(arguments[1 + turn % (arguments.length - 1)]);
      try (Client client = connected(arguments[0], port)) {
        say("+");
        takeFrom(client);
      } catch (Exception lost) {
        say("-");
        Thread.sleep(PAUSE_MS);
      }
    }
  }

  private static void takeFrom(Client client) throws Exception {
    while (true) {
      try {
        say("= " + client.take());
      } catch (Refused refusal) {
        say("! " + refusal.getMessage());
      }
      Thread.sleep(PAUSE_MS);
    }
  }

  /** Prints a line. Ends this process if the reader has gone, of which println() says nothing. */
  private static void say(String line) {
    System.out.println(line);
    if (System.out.checkError()) System.exit(1);
  }

  private static Client connected(String protocol, int port) throws TException {
    switch (protocol) {
      case "resp":
        return new OfRedis(port);
      case "http":
        return new OfHttp(port);
      default:
        return new OfThrift(port);
    }
  }

  private static String first(String pattern, String text) {
    Matcher found = Pattern.compile(pattern).matcher(text);
    return found.find() ? found.group(1) : text;
  }

  private static final class OfRedis implements Client {
    private final Jedis jedis;

    OfRedis(int port) {
      jedis = new Jedis("127.0.0.1", port, TIMEOUT_MS);
      jedis.connect();
    }

    @Override
    public String take() throws Refused {
      try {
        List<?> ids =
            (List<?>) jedis.sendCommand(() -> "POLYFLAKE.NEXT".getBytes(StandardCharsets.UTF_8), "orders", "10");
        return ids.stream().map(id -> new String((byte[]) id, StandardCharsets.UTF_8)).collect(Collectors.joining(" "));
      } catch (JedisDataException error) {
        throw new Refused(error.getMessage(), "^POLYFLAKE (\\w+)");
      }
    }

    @Override
    public void close() {
      try {
        jedis.close();
      } catch (JedisConnectionException gone) {
        // it was lost before
      }
    }
  }

  /** The client of the JDK chooses the connection. */
  private static final class OfHttp implements Client {
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofMillis(TIMEOUT_MS)).build();
    private final HttpRequest request;

    OfHttp(int port) {
      request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/ids/orders?n=10"))
          .header("Accept", "text/plain")
          .timeout(Duration.ofMillis(TIMEOUT_MS))
          .POST(HttpRequest.BodyPublishers.noBody())
          .build();
    }

    @Override
    public String take() throws IOException, InterruptedException, Refused {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      if (answer.statusCode() != 200) throw new Refused(answer.body(), "\"code\":\"(\\w+)\"");
      say("+");
      return answer.body().trim().replace('\n', ' ');
    }

    @Override
    public void close() {}
  }

  private static final class OfThrift implements Client {
    private final TFramedTransport transport;
    private final Batches.Client client;

    OfThrift(int port) throws TException {
      transport = new TFramedTransport(new TSocket("127.0.0.1", port, TIMEOUT_MS));
      transport.open();
      client = new Batches.Client(new TBinaryProtocol(transport));
    }

    @Override
    public String take() throws TException, Refused {
      try {
        return client.get_ids("java-client", 10).stream().map(String::valueOf).collect(Collectors.joining(" "));
      } catch (TApplicationException error) {
        throw new Refused(error.getMessage(), "^(\\w+)");
      }
    }

    @Override
    public void close() {
      transport.close();
    }
  }
}

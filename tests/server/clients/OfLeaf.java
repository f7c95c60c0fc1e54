import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

/** A caller of Leaf: a number from its path, read as its users do. The port is that of the HTTP listener. */
class OfLeaf implements Clients.Client {
  private final HttpClient client = HttpClient.newHttpClient();
  private int port;

  @Override
  public String version() {
    return "leaf " + System.getProperty("java.version");
  }

  @Override
  public void open(int at, int protocol, String... token) {
    port = at;
  }

  @Override
  public Object incr(String key) {
    URI path = URI.create("http://127.0.0.1:" + port + "/api/snowflake/get/" + key);
    try {
      HttpResponse<String> answer = client.send(HttpRequest.newBuilder(path).build(), BodyHandlers.ofString());
      if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
      return Long.parseLong(answer.body());
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException error) {
      throw new IllegalStateException(error);
    }
  }

  @Override
  public List<Object> incrs(String key, int count) {
    List<Object> found = new ArrayList<>();
    for (int i = 0; i < count; ++i)
      found.add(incr(key));
    return found;
  }

  @Override
  public Object send(String command, String... words) {
    throw new UnsupportedOperationException(command);
  }

  @Override
  public List<Object> sends(int count, String command, String... words) {
    throw new UnsupportedOperationException(command);
  }
}

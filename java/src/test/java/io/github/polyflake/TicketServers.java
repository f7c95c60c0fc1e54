package io.github.polyflake;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.github.polyflake.stores.Control;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** Two MariaDB servers of one test class, with tables of ticket servers. */
final class TicketServers implements AutoCloseable {
  private static final String COLUMNS = "(id bigint(20) unsigned NOT NULL auto_increment,"
      + " stub char(1) NOT NULL default '', PRIMARY KEY (id), UNIQUE KEY stub (stub)) ENGINE = InnoDB";
  private static final String[] NAMES = {"mariadb", "mariadb2"};

  final List<String> urls;
  private final Process program;
  private final String control;
  private int tables;

  TicketServers() throws Exception {
    Path run = Paths.get(System.getProperty("polyflake.vectors")).resolve("../../servers/run").normalize();
    program = new ProcessBuilder("python3", run.toString(), NAMES[0], NAMES[0])
        .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Map<String, String> variables = new HashMap<>();
    BufferedReader lines = new BufferedReader(new InputStreamReader(program.getInputStream(), StandardCharsets.UTF_8));
    while (variables.size() < 3) {
      String[] words = lines.readLine().split("=", 2);
      variables.put(words[0], words[1]);
    }
    urls = List.of(variables.get("POLYFLAKE_TEST_MYSQL"), variables.get("POLYFLAKE_TEST_MYSQL2"));
    control = variables.get("POLYFLAKE_TEST_CONTROL");
  }

  /** Has a server, 0 or 1, do something: kill, start, pause, resume. */
  void tell(String verb, int server) throws Exception {
    Control.ask(control, verb + " " + NAMES[server]);
  }

  MariaDbDataSource source(int server) throws SQLException {
    URI url = URI.create(urls.get(server));
    MariaDbDataSource source =
        new MariaDbDataSource("jdbc:mariadb://" + url.getHost() + ":" + url.getPort() + url.getPath());
    source.setUser(url.getUserInfo().split(":")[0]);
    source.setPassword(url.getUserInfo().split(":")[1]);
    return source;
  }

  /** The same over the driver of MySQL. */
  DataSource mysqlSource(int server) {
    URI url = URI.create(urls.get(server));
    MysqlDataSource source = new MysqlDataSource();
    source.setUrl("jdbc:mysql://" + url.getHost() + ":" + url.getPort() + url.getPath());
    source.setUser(url.getUserInfo().split(":")[0]);
    source.setPassword(url.getUserInfo().split(":")[1]);
    return source;
  }

  void execute(int server, String sql) throws SQLException {
    try (Connection connection = source(server).getConnection(); Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns the name of a new table, empty on both servers. */
  String table() throws SQLException {
    String name = "Tickets_" + ++tables;
    for (int server = 0; server < NAMES.length; server++) {
      execute(server, "CREATE TABLE " + name + " " + COLUMNS);
    }
    return name;
  }

  @Override
  public void close() throws Exception {
    program.getOutputStream().close();
    program.waitFor();
  }
}

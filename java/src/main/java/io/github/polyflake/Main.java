package io.github.polyflake;

import io.github.polyflake.internal.NativeCommand;
import io.github.polyflake.stores.LeaseInfo;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.time.Instant;
import java.util.List;

/**
 * The command line: {@code java -jar polyflake.jar}. With a store, its client has to be on the
 * class path: {@code java -cp polyflake.jar:jedis.jar io.github.polyflake.Main leases redis://...}
 */
public final class Main {
  private Generator generator;

  private Main() {}

  /**
   * Runs a command and ends the process.
   *
   * @param arguments those of the command; {@code --help} explains them
   */
  public static void main(String[] arguments) {
    System.exit(new Main().run(arguments));
  }

  private int run(String[] arguments) {
    NativeCommand command;
    try {
      command = new NativeCommand(arguments);
    } catch (LinkageError e) {
      System.err.println("polyflake: " + e.getMessage());
      return 1;
    }
    silence("slf4j.internal.verbosity", "ERROR");
    silence("mariadb.logging.disable", "true");
    for (String[] request; (request = command.step()) != null;) {
      try {
        command.deliver(carryOut(request[0], request[1], request[2], request.length > 3 ? request[3] : ""));
      } catch (PolyflakeException e) {
        command.fail(e.code(), e.getMessage());
      } catch (RuntimeException | LinkageError e) { // of a client, or one that is not there
        command.fail("", e.toString());
      }
    }
    if (generator != null) {
      generator.close();
    }
    return command.exitCode();
  }

  /** Silences a client whose log level is not set: standard error has one line for an error. */
  private static void silence(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /** Carries out the requests of cli/command.hpp to its host. */
  private String[][] carryOut(String operation, String store, String layout, String argument) {
    switch (operation) {
      case "next":
        return next(store, layout, Integer.parseInt(argument));
      case "leases":
        return rows(Namespaces.leases(Stores.of(store), layout));
      case "init":
        return new String[][] {{Namespaces.init(Stores.of(store), layout, argument.equals("fresh"))}};
      case "raise_floor":
        Namespaces.raiseFloor(Stores.of(store), layout, Instant.ofEpochMilli(Long.parseLong(argument)));
        return new String[0][];
      case "lower_floor":
        Namespaces.raiseFloor(Stores.of(store), layout, Instant.ofEpochMilli(Long.parseLong(argument)), true);
        return new String[0][];
      default:
        throw new IllegalArgumentException(operation);
    }
  }

  private String[][] next(String store, String layout, int count) {
    if (generator == null) {
      generator = Generator.builder().worker(store).layout(layout).build();
    }
    String[][] rows = new String[count][];
    for (int i = 0; i < count; i++) {
      rows[i] = new String[] {generator.nextIdString()};
    }
    return rows;
  }

  private static String[][] rows(List<LeaseInfo> held) {
    String[][] rows = new String[held.size()][];
    for (int i = 0; i < rows.length; i++) {
      LeaseInfo one = held.get(i);
      rows[i] = new String[] {Long.toString(one.node()), Long.toString(one.untilMs()), one.label()};
    }
    return rows;
  }
}

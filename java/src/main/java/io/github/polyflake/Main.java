package io.github.polyflake;

import io.github.polyflake.internal.NativeCommand;
import io.github.polyflake.stores.CounterOptions;
import io.github.polyflake.stores.CounterState;
import io.github.polyflake.stores.LeaseInfo;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

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
        command.deliver(carryOut(request[0], request[1], request[2], Arrays.copyOfRange(request, 3, request.length)));
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
  private String[][] carryOut(String operation, String store, String layout, String[] arguments) {
    String argument = arguments.length > 0 ? arguments[0] : "";
    switch (operation) {
      case "next":
        return next(store, layout, Integer.parseInt(argument));
      case "leases":
        return rows(Namespaces.leases(Stores.of(store), layout));
      case "init":
        return new String[][] {{Namespaces.init(Stores.of(store), layout, argument.equals("fresh"))}};
      case "counters":
        return states(Namespaces.counters(Stores.of(store)));
      case "init_counter":
        initCounter(store, arguments);
        return new String[0][];
      case "raise_counter":
        raiseCounter(store, argument, Long.parseLong(arguments[1]), arguments[2]);
        return new String[0][];
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

  private static void initCounter(String store, String[] arguments) {
    List<String> names = new ArrayList<>();
    Map<String, String> options = new HashMap<>();
    for (String argument : arguments) {
      String[] pair = argument.split("=", 2);
      if (pair[0].equals("name")) {
        names.add(pair[1]);
      } else {
        options.put(pair[0], pair[1]);
      }
    }
    long after = Long.parseLong(options.remove("after"));
    Namespaces.initCounter(Stores.of(store), names, after, optionsOf(options));
  }

  private static CounterOptions optionsOf(Map<String, String> given) {
    String kind = given.remove("kind");
    CounterOptions options = "date".equals(kind) ? CounterOptions.date() : CounterOptions.segment();
    given.forEach((name, value) -> {
      switch (name) {
        case "rate":
          options.rate(Long.parseLong(value));
          break;
        case "burst":
          options.burst(Long.parseLong(value));
          break;
        case "top":
          options.top(Long.parseLong(value));
          break;
        case "failover":
          options.failover(CounterOptions.Failover.valueOf(value.toUpperCase(Locale.ROOT)));
          break;
        case "period":
          options.period(value);
          break;
        case "digits":
          options.digits(Integer.parseInt(value));
          break;
        case "zone":
          options.zone(value);
          break;
        default:
          throw new IllegalArgumentException(name);
      }
    });
    return options;
  }

  private static void raiseCounter(String store, String name, long after, String period) {
    if (period.isEmpty()) {
      Namespaces.raiseCounter(Stores.of(store), name, after);
    } else {
      Namespaces.raiseCounter(Stores.of(store), name, after, Long.parseLong(period));
    }
  }

  private static String[][] states(List<CounterState> counters) {
    String[][] rows = new String[counters.size()][];
    for (int i = 0; i < rows.length; i++) {
      CounterState one = counters.get(i);
      rows[i] = new String[] {one.name(), one.kind(), Long.toString(one.next()), Long.toString(one.room()),
        Long.toString(one.top()), one.failover().name().toLowerCase(Locale.ROOT), text(one.topUpAgeMs()),
        one.incarnation(), Boolean.toString(one.incarnationChanged()), text(one.jumpTo()), one.period(),
        one.digits() == 0 ? "" : Integer.toString(one.digits()), one.zone(),
        one.periodLabel() == 0 ? "" : Long.toString(one.periodLabel())};
    }
    return rows;
  }

  private static String text(OptionalLong number) {
    return number.isPresent() ? Long.toString(number.getAsLong()) : "";
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

package io.github.polyflake.internal;

import java.time.Instant;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesException;
import java.time.zone.ZoneRulesProvider;

/** The zones that this JVM knows by their names. Thread safety: any thread. */
public final class Zones {
  private Zones() {}

  /**
   * Returns the zone, which is an offset or the name of a zone of this JVM. Errors:
   * {@code option_invalid}.
   */
  public static String checked(String zone) {
    NativeLibrary.require();
    if (Facade.isZoneName(zone) && rulesOf(zone) == null) {
      throw Refusal.of("option_invalid", "this JVM knows no zone " + Facade.quoted(zone));
    }
    return zone;
  }

  /** Tells the offset that the step asks for. */
  static void tellOffset(NativeStoreSession session, NativeStoreStep step) {
    ZoneRules rules = rulesOf(step.getName());
    if (rules == null) {
      session.tellNoOffset();
    } else {
      session.tellOffset(rules.getOffset(Instant.ofEpochMilli(step.getNumber())).getTotalSeconds());
    }
  }

  /**
   * Returns the rules of a zone; null if it is unknown. {@link java.time.ZoneId#of(String)} would
   * also read {@code "UTC+2"}, which other languages do not know.
   */
  private static ZoneRules rulesOf(String name) {
    try {
      return ZoneRulesProvider.getRules(name, false);
    } catch (ZoneRulesException e) {
      return null;
    }
  }
}

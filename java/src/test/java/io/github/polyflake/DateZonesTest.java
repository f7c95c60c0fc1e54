package io.github.polyflake;

import static io.github.polyflake.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.internal.PatientClose;
import io.github.polyflake.stores.CounterOptions;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The days of a counter of dates begin by the clocks of its zone. */
@ExtendWith(PatientClose.class)
class DateZonesTest {
  private final String url = "memory://java-" + UUID.randomUUID() + "?namespace=shop";
  private final Store store = Stores.of(url);

  DateZonesTest() {
    Namespaces.init(store, "polyflake", true);
  }

  private static DateIdBuilder orders(String store, String zone) {
    return Kinds.date().store(store).name("orders").zone(zone).timeout(Duration.ofMillis(Patience.HANG_MS));
  }

  /** Returns the label of the day that the clocks of this zone show now. */
  static long today(String zone) {
    return Long.parseLong(LocalDate.now(ZoneId.of(zone)).format(DateTimeFormatter.BASIC_ISO_DATE));
  }

  /** Returns the label of the next number. */
  static long labelOf(DateIdSource ids) {
    return ids.numbers().parts(ids.nextId()).label();
  }

  @ParameterizedTest
  @ValueSource(strings = {"+00:00", "+14:00", "-03:30", "UTC", "Europe/Berlin", "Pacific/Kiritimati", "Etc/GMT+12",
    "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe"})
  void numbers_begin_with_the_day_of_the_zone(String zone) {
    Namespaces.initCounter(store, "orders", 0, CounterOptions.date().zone(zone));
    try (DateIdSource ids = orders(url, zone).build()) {
      long before = today(zone);
      long label = labelOf(ids);
      assertTrue(before <= label && label <= today(zone), label + " in " + zone);
    }
    Namespaces.raiseCounter(store, "orders", 41);
    try (DateIdSource ids = orders(url, zone).build()) {
      long before = today(zone);
      DateNumbers.Parts parts = ids.numbers().parts(ids.nextId());
      // The count is 1 if a day has ended since then.
      assertTrue(before <= parts.label() && parts.label() <= today(zone), parts + " in " + zone);
      assertTrue(parts.count() == 42 || parts.count() == 1, parts + " in " + zone);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Europe/Atlantis", "europe/berlin", "UTC+2", "GMT-03", "Mars", "+8:00", "+08:00:00", "Z", "",
    "../../etc/passwd", "Europe/Berlin\0"})
  void an_unknown_zone_is_refused_before_the_store_is_asked(String zone) {
    String away = "redis://127.0.0.1:1?namespace=shop";
    refused("option_invalid", () -> orders(away, zone).build());
    refused("option_invalid", () -> Kinds.open("date:" + away).option("name", "orders").option("zone", zone).build());
    refused("option_invalid",
        () -> Namespaces.initCounter(Stores.of(away), "orders", 0, CounterOptions.date().zone(zone)));
    refused("option_invalid", () -> Namespaces.initCounter(store, "orders", 0, CounterOptions.date().zone(zone)));
    refused("namespace_not_initialised", () -> orders(url, "+00:00").build());
  }

  @Test
  void the_message_names_the_zone() {
    assertEquals("this JVM knows no zone 'Mars'",
        refused("option_invalid", () -> orders(url, "Mars").build()).getMessage());
  }
}

package io.github.polyflake.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.Generator;
import io.github.polyflake.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Each client of each store in the versions that are on the class path: the lowest that are supported, and with the
 * profile {@code clients} of java/pom.xml the newest, and what lies between them where much has changed.
 */
class ClientVersionsTest {
  /** Such as {@code jedis=8.0.2}. */
  private static final String[] VERSIONS = System.getProperty("polyflake.clients").trim().split("\\s+");

  @Test
  void the_versions_are_those_that_this_run_is_for() {
    for (String each : VERSIONS) {
      String[] one = each.split("=");
      ClientLibrary library = ClientLibrary.valueOf(one[0].toUpperCase());
      String present = library == ClientLibrary.JETCD ? versionOfJetcd() : library.version();
      assertEquals(one[1], present, one[0]);
      assertTrue(library.supported().matches("[\\w.]+ to [\\w.]+"), library.supported());
    }
  }

  /** By the name of its jar, as nothing in the jar tells. */
  private static String versionOfJetcd() {
    String file = io.etcd.jetcd.Client.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return file.replaceAll(".*/jetcd-core-|\\.jar$", "");
  }

  @TestFactory
  List<DynamicTest> a_lease_is_opened_renewed_and_given_back() throws Exception {
    List<DynamicTest> tests = new ArrayList<>();
    for (RealStores.Kind kind : RealStores.all()) {
      tests.add(DynamicTest.dynamicTest(kind.name, () -> {
        Store store = RealStores.fresh(kind.make.apply(
            Store.options("java-" + UUID.randomUUID()).window(Duration.ofMinutes(1))));
        try (Generator generator = Generator.builder().worker(store).build()) {
          long first = generator.nextId();
          Patience.renew(generator);
          assertTrue(generator.nextId() > first);
          assertEquals(1, Namespaces.leases(store, "polyflake").size());
        }
      }));
    }
    return tests;
  }
}

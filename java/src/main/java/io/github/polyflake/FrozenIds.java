package io.github.polyflake;

import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * An extension of JUnit 5: known ids in each test, by {@link PolyflakeTesting#frozen(Instant)}. A
 * parameter of type {@link ManualClock} gets the clock.
 *
 * <pre>{@code
 * @ExtendWith(FrozenIds.class)                                    // at 2026-01-01T00:00:00Z
 *
 * @RegisterExtension
 * FrozenIds ids = FrozenIds.at(Instant.parse("2026-02-01T00:00:00Z"));
 * }</pre>
 *
 * <p>Needs {@code junit-jupiter-api}, which the package does not bring. Tests with it cannot run at
 * the same time in one JVM: the second one is refused with {@code option_invalid}.
 */
public final class FrozenIds implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(FrozenIds.class);

  private final Instant time;

  /** Makes the extension with its clock at 2026-01-01T00:00:00Z. */
  public FrozenIds() {
    this(Instant.parse("2026-01-01T00:00:00Z"));
  }

  private FrozenIds(Instant time) {
    this.time = Objects.requireNonNull(time, "time");
  }

  /**
   * Makes the extension with its clock at this time.
   *
   * @param time the time at which each test begins
   * @return an extension to register
   */
  public static FrozenIds at(Instant time) {
    return new FrozenIds(time);
  }

  @Override
  public void beforeEach(ExtensionContext test) {
    test.getStore(NAMESPACE).put(PolyflakeTesting.Frozen.class, PolyflakeTesting.frozen(time));
  }

  @Override
  public void afterEach(ExtensionContext test) {
    of(test).close();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == ManualClock.class && of(test) != null;
  }

  @Override
  public ManualClock resolveParameter(ParameterContext parameter, ExtensionContext test) {
    return of(test).clock();
  }

  private static PolyflakeTesting.Frozen of(ExtensionContext test) {
    return test.getStore(NAMESPACE).get(PolyflakeTesting.Frozen.class, PolyflakeTesting.Frozen.class);
  }
}

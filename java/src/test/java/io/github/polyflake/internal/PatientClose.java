package io.github.polyflake.internal;

import io.github.polyflake.Patience;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Leases have a minute for giving their node ids back, while a class is tested: a busy machine needs more than half a second. */
public final class PatientClose implements BeforeAllCallback, AfterAllCallback {
  private static final long USUAL_MS = StoreRunner.closingMs;

  /** The same for the rest of this JVM. */
  public static void begin() {
    StoreRunner.closingMs = Patience.HANG_MS;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    begin();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    StoreRunner.closingMs = USUAL_MS;
  }
}

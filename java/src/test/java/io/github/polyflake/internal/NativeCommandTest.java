package io.github.polyflake.internal;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** What is null is refused, and not passed over in silence. */
class NativeCommandTest {
  private final NativeCommand command = new NativeCommand(new String[] {"version"});

  @Test
  void rows_that_are_null_or_have_null_are_refused() {
    assertThrows(NullPointerException.class, () -> command.deliver(null));
    assertThrows(NullPointerException.class, () -> command.deliver(new String[][] {{"a"}, null}));
    assertThrows(NullPointerException.class, () -> command.deliver(new String[][] {{"a", null}}));
  }

  @Test
  void a_failure_without_a_code_is_refused() {
    assertThrows(NullPointerException.class, () -> command.fail(null, "message"));
  }
}

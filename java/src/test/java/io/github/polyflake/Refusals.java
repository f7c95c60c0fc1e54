package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.function.Executable;

/** Expects that calls are refused. */
final class Refusals {
  private Refusals() {}

  /** Returns the exception of the call, which has this code, and the class of its kind. */
  static PolyflakeException refused(String code, Executable call) {
    PolyflakeException e = assertThrows(PolyflakeException.class, call);
    assertEquals(code, e.code(), e::getMessage);
    assertEquals(e.kind().equals("argument"), e instanceof BadArgumentException, e::toString);
    return e;
  }

  static BadArgumentException refused(Executable call) {
    return assertThrows(BadArgumentException.class, call);
  }
}

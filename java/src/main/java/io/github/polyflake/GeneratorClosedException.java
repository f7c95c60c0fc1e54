package io.github.polyflake;

/** A {@link Generator} was used after {@link Generator#close()}, by this thread or by another one. */
public final class GeneratorClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  GeneratorClosedException(String message) {
    super(message);
  }

  /**
   * The code of this refusal, as {@link PolyflakeException#code()} has it for the others.
   *
   * @return {@code "generator_closed"}
   */
  public String code() {
    return "generator_closed";
  }
}

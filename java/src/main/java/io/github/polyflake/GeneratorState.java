package io.github.polyflake;

/**
 * Whether a {@link Generator} can issue, as {@link Generator#state()} found it. Immutable.
 *
 * <p>Both parts are there as getters too, for frameworks that look for those.
 */
public final class GeneratorState {
  private final String name;
  private final String code;

  /** From what the native library gives: the name, then the code, empty for none. */
  GeneratorState(String[] nameAndCode) {
    name = nameAndCode[0];
    code = nameAndCode[1].isEmpty() ? null : nameAndCode[1];
  }

  /**
   * What it is doing.
   *
   * @return {@code "starting"} (its first window has not begun), {@code "open"}, {@code "waiting"} (calls for ids wait
   *     or are refused for now), {@code "lost"} (its node id) or {@code "closed"}
   */
  public String name() {
    return name;
  }

  /**
   * What stops it.
   *
   * @return a code as {@link PolyflakeException#code()} has it; null when nothing does
   */
  public String code() {
    return code;
  }

  /**
   * {@link #name()} as a bean property.
   *
   * @return the name
   */
  public String getName() {
    return name;
  }

  /**
   * {@link #code()} as a bean property.
   *
   * @return the code or null
   */
  public String getCode() {
    return code;
  }

  @Override
  public String toString() {
    return "GeneratorState(" + (code == null ? name : name + ", " + code) + ")";
  }
}

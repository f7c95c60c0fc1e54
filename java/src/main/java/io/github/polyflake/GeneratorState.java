package io.github.polyflake;

/**
 * The result of {@link Generator#state()}: whether the generator can issue ids. Immutable.
 *
 * <p>The name and the code also have getters, for frameworks that expect bean properties.
 */
public final class GeneratorState {
  private final String name;
  private final String code;

  /** An empty code means none. */
  GeneratorState(String name, String code) {
    this.name = name;
    this.code = code.isEmpty() ? null : code;
  }

  /**
   * Returns the name of the state.
   *
   * @return {@code "starting"} (the first window has not begun), {@code "open"},
   *     {@code "waiting"} (calls for ids wait or are refused for now), {@code "lost"} (the
   *     node id is lost, or the time of the layout is exhausted) or {@code "closed"}
   */
  public String name() {
    return name;
  }

  /**
   * Returns the error that the next call for an id would throw, if it is known.
   *
   * @return a code of {@link PolyflakeException#code()}; null if there is none
   */
  public String code() {
    return code;
  }

  /**
   * Returns {@link #name()}, as a bean property.
   *
   * @return the name
   */
  public String getName() {
    return name;
  }

  /**
   * Returns {@link #code()}, as a bean property.
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

package io.github.polyflake;

import io.github.polyflake.internal.NativeExplanations;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The reading of an unknown id by one preset: a row of {@link Polyflake#explain(long)}. Immutable.
 */
public final class Explanation {
  private final String preset;
  private final Parts parts;
  private final String whyNot;

  private Explanation(String preset, Parts parts, String whyNot) {
    this.preset = preset;
    this.parts = parts;
    this.whyNot = whyNot;
  }

  static List<Explanation> of(long id, long nowMs) {
    NativeExplanations rows = new NativeExplanations(id, nowMs);
    List<Explanation> explanations = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      Parts parts = rows.fits(i) ? new Parts(rows.parts(i), rows.nodeFields(i)) : null;
      explanations.add(new Explanation(rows.preset(i), parts, rows.whyNot(i)));
    }
    return Collections.unmodifiableList(explanations);
  }

  /**
   * Returns the name of the preset that read the id.
   *
   * @return one of {@link Polyflake#presets()}
   */
  public String preset() {
    return preset;
  }

  /**
   * Returns the fields of the id in the layout of the preset.
   *
   * @return the fields; empty if the id has bits above the layout
   */
  public Optional<Parts> parts() {
    return Optional.ofNullable(parts);
  }

  /**
   * Returns whether the preset's system can have issued ids at the id's time.
   *
   * @return true if {@link #whyNot()} is empty
   */
  public boolean plausible() {
    return whyNot.isEmpty();
  }

  /**
   * Returns the first reason against this reading.
   *
   * @return {@code too_wide}, {@code after_now} or {@code near_epoch}; empty if the reading is
   *     plausible
   */
  public Optional<String> whyNot() {
    return plausible() ? Optional.empty() : Optional.of(whyNot);
  }

  @Override
  public String toString() {
    return "Explanation(preset=" + preset + ", parts=" + parts + (plausible() ? "" : ", whyNot=" + whyNot) + ")";
  }
}

package bench;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How long something takes, as a multiple of a floor measured at the same time: chunks alternate, floor, candidate, floor,
 * candidate, ..., floor, and each candidate's is divided by the mean of its two neighbours, so that a machine that
 * changes its speed changes both. Median and quartiles of all rounds.
 */
final class Paired {
  private static final double CHUNK_NS = 1e6;
  private static final double WARM_CHUNKS_PER_ROUND = 2.5;

  /** So that no loop is without effect. */
  static volatile long sink;

  /** Does something this often. Each is a method of its own, so that the JIT sees one call where there is one. */
  interface Loop {
    void run(int count);
  }

  private final double[] costs;
  private final double[] floorCosts;
  private final double[] ratios;

  Paired(int rounds) {
    costs = new double[rounds];
    floorCosts = new double[rounds];
    ratios = new double[rounds];
  }

  static Paired measure(Loop floor, Loop candidate, int rounds) {
    int floorCount = calibrate(floor, rounds);
    int count = calibrate(candidate, rounds);
    Paired paired = new Paired(rounds);
    double before = ns(floor, floorCount) / floorCount;
    for (int round = 0; round < rounds; round++) {
      double cost = ns(candidate, count) / count;
      double after = ns(floor, floorCount) / floorCount;
      paired.add(round, before, cost, after);
      before = after;
    }
    return paired;
  }

  static double ns(Loop loop, int count) {
    long begin = System.nanoTime();
    loop.run(count);
    return System.nanoTime() - begin;
  }

  /** How often the loop's body runs in one chunk, once it is compiled. */
  private static int calibrate(Loop loop, int rounds) {
    int count = 1;
    while (leastNs(loop, count) < CHUNK_NS) {
      count *= 2;
    }
    for (int i = 0; i < WARM_CHUNKS_PER_ROUND * rounds; i++) {
      loop.run(count);
    }
    return (int) Math.max(1, Math.round(count * CHUNK_NS / leastNs(loop, count)));
  }

  /** The least of some, as others on the machine would make chunks too short. */
  private static double leastNs(Loop loop, int count) {
    return IntStream.range(0, 9).mapToDouble(i -> ns(loop, count)).min().orElseThrow();
  }

  void add(int round, double before, double cost, double after) {
    costs[round] = cost;
    floorCosts[round] = (before + after) / 2;
    ratios[round] = cost / floorCosts[round];
  }

  Row row(String key, String group, String library, String name, String floor, String price) {
    return new Row("ratio", key).set("group", group).set("library", library).set("name", name).set("floor", floor)
        .set("ns", quantile(costs, 0.5)).set("floor_ns", quantile(floorCosts, 0.5)).set("ratio", quantile(ratios, 0.5))
        .set("quartiles", new double[] {quantile(ratios, 0.25), quantile(ratios, 0.75)}).set("rounds", ratios.length)
        .set("tool_ns", null).set("price", price);
  }

  static double quantile(double[] values, double q) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.round(q * (sorted.length - 1))];
  }
}

package bench;

import java.util.List;

/**
 * The group "peers": the work of one call in each library, not its waiting. A library has some 4096 ids a millisecond, so
 * a chunk begins when the clock has just changed and takes fewer. All libraries take part in each round.
 */
final class FreshTicks {
  /** Less than half of the smallest capacity among them, as no sequence has to begin at 0. */
  static final int IDS = 2000;
  private static final int WARM_ROUNDS = 400;

  private FreshTicks() {}

  static void measure(Rows rows, List<Library> libraries, int rounds) {
    List<Library.Source> sources = libraries.stream().map(library -> library.open().get()).toList();
    List<Paired> results = libraries.stream().map(library -> new Paired(rounds)).toList();
    long[] ids = new long[2 * IDS];
    for (int round = -Math.min(WARM_ROUNDS, 10 * rounds); round < rounds; round++) {
      for (int i = 0; i < sources.size(); i++) {
        Library.Source source = sources.get(i);
        double before = Paired.ns(Ours.CLOCK, IDS);
        awaitFreshMs();
        double cost = Paired.ns(count -> source.take(ids, 0, count), IDS);
        Paired.sink = ids[IDS - 1];
        double after = Paired.ns(Ours.CLOCK, IDS);
        if (round >= 0) {
          results.get(i).add(round, before / IDS, cost / IDS, after / IDS);
        }
      }
    }
    for (int i = 0; i < sources.size(); i++) {
      Library library = libraries.get(i);
      Row row = results.get(i).row(null, "peers", library.name(), library.call(), Ours.CLOCK_NAME, library.price());
      row.tool = "Peers.take:" + i;
      rows.add(row);
    }
  }

  static void awaitFreshMs() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() == now) {
      Thread.onSpinWait();
    }
  }
}

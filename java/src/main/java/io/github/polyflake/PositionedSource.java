package io.github.polyflake;

/** The common part of sources that spell the positions of a generator. */
abstract class PositionedSource implements IdSource {
  final Positions positions;

  PositionedSource(Settings settings) {
    positions = settings.open(this);
  }

  @Override
  public Stats stats() {
    return positions.stats();
  }

  public GeneratorState state() {
    return positions.state();
  }

  @Override
  public void close() {
    positions.close();
  }

  @Override
  public boolean isClosed() {
    return positions.isClosed();
  }
}

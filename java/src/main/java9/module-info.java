/** 64-bit, time-ordered ids that are never equal. */
module io.github.polyflake {
  // For stores. Modules of other clients are read when they are first used, see ClientClasses.
  requires static java.sql;
  // For FrozenIds alone.
  requires static org.junit.jupiter.api;

  exports io.github.polyflake;
  exports io.github.polyflake.stores;

  uses io.github.polyflake.KindProvider;
}

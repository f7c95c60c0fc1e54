/** 64-bit, time-ordered ids that are never equal. */
module io.github.polyflake {
  requires static java.sql; // for stores; modules of other clients are read once they are used, see ClientClasses

  exports io.github.polyflake;
  exports io.github.polyflake.stores;

  uses io.github.polyflake.KindProvider;
}

/** 64-bit, time-ordered ids that are never equal. */
module io.github.polyflake {
  exports io.github.polyflake;
}

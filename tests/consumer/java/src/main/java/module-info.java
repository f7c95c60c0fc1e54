module consumer {
  requires io.github.polyflake;
}

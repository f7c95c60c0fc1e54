# The benchmark of each language, one after the other on an otherwise idle machine, and one table of all.

run_bench() {
  build_packages
  build_tests dev build/cpp
  export POLYFLAKE_HOME=$root/build/test-home/bench
  rm -rf "$POLYFLAKE_HOME" build/bench
  mkdir -p build/bench
  step bench-cpp build/cpp/tests/bench/cpp/polyflake_bench --json build/bench/cpp.json
  step bench-python build/venv/bin/python tests/bench/python/bench.py --json build/bench/python.json
  step bench-node node tests/bench/node/bench.mjs --json build/bench/node.json
  step bench-java java -cp "$jar" tests/bench/java/Benchmark.java --json build/bench/java.json
  python3 tools/dev/bench_table.py build/bench
}

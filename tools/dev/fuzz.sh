# Fuzz targets, under clang's libFuzzer: a short run of each for `./dev test fuzz`, a long one for `./dev soak fuzz`.

fuzz_targets() {  # SECONDS [TARGET ...]
  install_tools
  fresh tests-fuzz build/fuzz/tests/fuzz/seeds/written "${native_sources[@]}" tests/CMakeLists.txt tests/fuzz \
    tests/vectors/vectors.json "$(clang++ --version)" -- build_tree fuzz build/fuzz
  python3 tests/fuzz/run.py build/fuzz "$@"
}

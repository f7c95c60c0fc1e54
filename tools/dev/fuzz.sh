# Fuzz targets, under clang's libFuzzer: seconds of each for `./dev test fuzz`, minutes for `./dev soak fuzz`.

# Inputs that long runs kept; short runs begin with them. They outlive a clone.
fuzz_corpus=${POLYFLAKE_FUZZ_CORPUS:-${XDG_CACHE_HOME:-$HOME/.cache}/polyflake/fuzz}

build_fuzz() {
  install_tools
  fresh tests-fuzz build/fuzz/tests/fuzz/seeds/written "${native_sources[@]}" tests/CMakeLists.txt tests/fuzz \
    tests/vectors/vectors.json "$(clang++ --version)" -- build_tree fuzz build/fuzz
}
part_fuzz() { fuzz_targets 5; }

fuzz_targets() {  # SECONDS [TARGET ...]
  python3 tests/fuzz/run.py build/fuzz "$fuzz_corpus" "$@"
}

# Fuzz targets, under clang's libFuzzer: seconds of each for `./dev test fuzz`, minutes for `./dev soak fuzz`.

# Inputs that long runs kept; short runs begin with them. They outlive a clone.
fuzz_corpus=${POLYFLAKE_FUZZ_CORPUS:-${XDG_CACHE_HOME:-$HOME/.cache}/polyflake/fuzz}

build_fuzz() { build_asan; }
part_fuzz() { fuzz_targets 3; }

fuzz_targets() {  # SECONDS [TARGET ...]
  python3 tests/fuzz/run.py build/asan "$fuzz_corpus" "$@"
}

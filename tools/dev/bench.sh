# `./dev bench [--quick] [--no-peers] [language ...]`: the benchmark of each language, one after the other on an
# otherwise idle machine, and one table of all. A language is two functions here: bench_build_<language> makes its
# program, bench_run_<language> runs it with the arguments it is given. The JSON stays in build/bench.

bench_languages=(cpp python node java go rust)

run_bench() {
  local options=() languages=() language report=--page partial='' folder=build/bench
  while [ $# -gt 0 ]; do
    case $1 in
      --quick) report=--quick folder=build/bench/quick options+=("$1") ;;
      --no-peers) partial=yes options+=("$1") ;;
      *)
        if ! declare -F "bench_run_$1" >/dev/null; then
          printf './dev bench: %s is neither --quick nor --no-peers, nor one of: %s\n' "$1" "${bench_languages[*]}" >&2
          exit 2
        fi
        partial=yes languages+=("$1")
        ;;
    esac
    shift
  done
  [ ${#languages[@]} -gt 0 ] || languages=("${bench_languages[@]}")
  mapfile -t languages < <(without_what_is_missing "${options[*]}" "${languages[@]}")
  [ ${#languages[@]} -gt 0 ] || exit 1

  build_packages
  for language in "${languages[@]}"; do "bench_build_$language"; done
  unset POLYFLAKE_WORKER POLYFLAKE_TICK_CACHE
  export POLYFLAKE_HOME=$root/build/test-home/bench
  rm -rf "$POLYFLAKE_HOME"
  mkdir -p "$POLYFLAKE_HOME" "$folder"
  python3 tests/bench/report/machine.py >"$folder/machine.json"
  for language in "${languages[@]}"; do
    step "bench-$language" "bench_run_$language" --json "$root/$folder/$language.json" "${options[@]}"
  done
  # The page shows whole runs only: all rounds, all libraries, every language that has its tools here.
  [ -z "$partial" ] || [ "$report" = --quick ] || report=
  python3 tests/bench/report/report.py $report "$folder" "${languages[@]}"
}

# The languages that can run; of the others one line each.
without_what_is_missing() {
  local options=$1 language
  shift
  for language in "$@"; do
    case $language in
      go | rust)
        if [[ " $options " == *' --no-peers '* ]]; then
          printf '  left out: %s has nothing but peers\n' "$language" >&3
          continue
        fi
        if ! works "bench_tool_$language"; then
          printf '  left out: %s, whose tools are not installed here\n' "$language" >&3
          continue
        fi
        ;;
    esac
    printf '%s\n' "$language"
  done
}

bench_build_cpp() { build_tests dev build/cpp; }
bench_run_cpp() { build/cpp/tests/bench/cpp/polyflake_bench "$@"; }

bench_build_python() {
  fresh bench-build-python build/bench-python/venv/bin/python tests/bench/python/requirements.txt build/wheel \
    "$(python3 -VV)" -- bench_venv
}
bench_venv() {
  rm -rf build/bench-python/venv
  python3 -m venv build/bench-python/venv
  build/bench-python/venv/bin/python -m pip install --disable-pip-version-check -r tests/bench/python/requirements.txt
  build/bench-python/venv/bin/python -m pip install --disable-pip-version-check --no-deps build/wheel/*.whl
}
bench_run_python() { build/bench-python/venv/bin/python tests/bench/python/bench.py "$@"; }

bench_build_node() {
  fresh bench-build-node build/bench-node/node_modules tests/bench/node/peers "$(node --version)" -- bench_npm
}
bench_npm() {
  mkdir -p build/bench-node
  cp tests/bench/node/peers/package*.json build/bench-node/
  npm ci --prefix build/bench-node --ignore-scripts --no-audit --no-fund
}
bench_run_node() { node tests/bench/node/bench.mjs --modules build/bench-node "$@"; }

bench_java_path="$jar:build/bench-java/lib/*"
bench_build_java() {
  fresh bench-build-java build/bench-java/classes tests/bench/java "$jar" "$(javac -version 2>&1)" -- bench_javac
}
bench_javac() {
  mvn --batch-mode --no-transfer-progress -f tests/bench/java/pom.xml package
  rm -rf build/bench-java/classes
  javac -d build/bench-java/classes -cp "$bench_java_path" tests/bench/java/src/bench/*.java
}
bench_run_java() { java -cp "build/bench-java/classes:$bench_java_path" bench.Main "$@"; }

bench_build_go() {
  fresh bench-build-go build/bench-go/bench tests/bench/go "$(go version)" -- \
    go build -C tests/bench/go -mod=readonly -trimpath -o "$root/build/bench-go/bench" .
}
bench_run_go() { build/bench-go/bench "$@"; }
bench_tool_go() { at_least 1.23 go version; }

bench_build_rust() {
  fresh bench-build-rust build/bench-rust/release/polyflake-bench-rust tests/bench/rust "$(cargo --version)" -- \
    env "CARGO_TARGET_DIR=$root/build/bench-rust" \
    cargo build --release --locked --manifest-path tests/bench/rust/Cargo.toml
}
bench_run_rust() { build/bench-rust/release/polyflake-bench-rust "$@"; }
bench_tool_rust() { at_least 1.85 cargo --version; }

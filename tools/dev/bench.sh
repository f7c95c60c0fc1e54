# `./dev bench [--quick] [--no-peers] [language ...]`: the benchmark of each language, one after the other on an
# otherwise idle machine, and one report of all. A language is two functions here: bench_build_<language> makes its
# program, bench_run_<language> runs it with the arguments it is given. What the rows mean: tests/bench/report/rows.py.

bench_languages=(cpp python node java)
bench_native=build/cpp/tests/bench/cpp

run_bench() {
  export POLYFLAKE_SERVERS_FOLDER=${TMPDIR:-/tmp}  # no memory: what is measured pays for its flushes
  if [ "${1:-}" = release ]; then
    run_bench_release "${@:2}"
    return
  fi
  if [ "${1:-}" = server ]; then
    run_bench_server "${@:2}"
    return
  fi
  local options=() languages=() language report=--keep folder=build/bench rounds=41
  while [ $# -gt 0 ]; do
    case $1 in
      --quick) report=--quick folder=build/bench/quick rounds=3 options+=("$1") ;;
      --no-peers) report=${report#--keep} options+=("$1") ;;
      *)
        if ! declare -F "bench_run_$1" >/dev/null; then
          printf './dev bench: %s is neither --quick nor --no-peers, nor one of: %s\n' "$1" "${bench_languages[*]}" >&2
          exit 2
        fi
        report=${report#--keep} languages+=("$1")  # only whole runs are kept
        ;;
    esac
    shift
  done
  [ ${#languages[@]} -gt 0 ] || languages=("${bench_languages[@]}")

  prepare_bench "$folder" "${languages[@]}"
  for language in "${languages[@]}"; do
    step "bench-$language" "bench_run_$language" --json "$folder/$language.json" "${options[@]}"
    POLYFLAKE_TICK_CACHE=off step "bench-$language-plain" \
      "bench_run_$language" --json "$folder/$language-plain.json" "${options[@]}" --only next_id
    ! declare -F "bench_start_$language" >/dev/null ||
      step "bench-$language-start" "bench_start_$language" "$folder/$language-start.json" "$rounds"
    ! declare -F "bench_pipe_$language" >/dev/null ||
      step "bench-$language-pipe" "bench_pipe_$language" "$folder/$language-pipe.json" 9
  done
  # shellcheck disable=SC2086 # an option or none
  python3 -B tests/bench/report/report.py $report "$folder" "${languages[@]}"
}

# prepare_bench FOLDER LANGUAGE...: builds the programs of the languages, and empties the folder of what they will write.
prepare_bench() {
  local folder=$1 language
  build_packages
  fresh bench-native "$bench_native/polyflake_bench" "${native_sources[@]}" tests/bench/cpp "$(g++ --version)" \
    -- bench_build_native
  for language in "${@:2}"; do "bench_build_$language"; done
  unset POLYFLAKE_WORKER POLYFLAKE_TICK_CACHE
  export POLYFLAKE_HOME=$root/build/test-home/bench
  rm -rf "$POLYFLAKE_HOME" "$folder"/*.json
  mkdir -p "$POLYFLAKE_HOME" "$folder"
}

# The C++ program, and the floors of the other languages.
bench_build_native() {
  configure dev
  cmake --build build/cpp --target polyflake polyflake_bench polyflake_bare_python polyflake_bare_node polyflake_bare_java
}

bench_cpp=$bench_native/polyflake_bench
bench_build_cpp() { :; }
bench_run_cpp() { "$bench_cpp" "$@"; }
bench_pipe_cpp() { python3 tests/bench/report/pipe.py "$@" build/cpp/cli/polyflake; }

bench_python=build/bench-python/venv/bin/python
bench_build_python() {
  install_servers
  fresh bench-build-python "$bench_python" tests/bench/python/requirements.txt build/wheel "$(python3 -VV)" -- bench_venv
}
bench_venv() {
  rm -rf build/bench-python/venv
  python3 -m venv build/bench-python/venv
  "$bench_python" -m pip install --disable-pip-version-check -r tests/bench/python/requirements.txt
  "$bench_python" -m pip install --disable-pip-version-check --no-deps build/wheel/*.whl
}
bench_python_path=$bench_native
bench_run_python() { PYTHONPATH=$bench_python_path "$bench_python" -B tests/bench/python/bench.py "$@"; }
bench_start_python() {
  bench_start "$@" build/wheel/*.whl "$bench_python -I -c pass" "$bench_python -I -c 'import polyflake'"
}

bench_build_node() {
  fresh bench-build-node build/bench-node/node_modules tests/bench/node/peers "$(node --version)" -- bench_npm
}
bench_npm() {
  mkdir -p build/bench-node
  cp tests/bench/node/peers/package*.json build/bench-node/
  npm ci --prefix build/bench-node --ignore-scripts --no-audit --no-fund
}
bench_node=tests/bench/node
bench_run_node() {
  node "$bench_node/bench.mjs" --bare "$bench_native/polyflake_bare.node" --modules build/bench-node "$@"
}
bench_start_node() {
  npm pack --pack-destination build/bench-node
  bench_start "$@" build/bench-node/polyflake-*.tgz 'node -e 0' "node -e 'require(\"polyflake\")'"
}

bench_java_path="$jar:build/bench-java/lib/*"
bench_build_java() {
  fresh bench-build-java build/bench-java/classes tests/bench/java "$jar" "$(javac -version 2>&1)" -- bench_javac
}
bench_javac() {
  mvn --batch-mode --no-transfer-progress -f tests/bench/java/pom.xml package
  rm -rf build/bench-java/classes
  javac -d build/bench-java/classes -cp "$bench_java_path" tests/bench/java/src/bench/*.java
}
# The heap is in memory from the beginning, so that no row pays for its pages.
bench_run_java() {
  java -Xms1g -XX:+AlwaysPreTouch "-Dbench.bare=$bench_native/polyflake_bare_jni.so" -cp "build/bench-java/classes:$bench_java_path" bench.Main "$@"
}
bench_start_java() {
  local command="java -cp build/bench-java/classes:$jar 'bench.Main\$FirstId'"
  bench_start "$@" "$jar" "$command bare" "$command"
}

bench_start() { python3 tests/bench/report/start.py "$@"; }

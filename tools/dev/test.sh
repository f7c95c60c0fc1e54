# The parts of `./dev test`. A part is a function part_<name>; its runners leave JUnit XML in the folder $results, which
# count.py counts.

all_parts=(lint vectors core servers python node java cli page consumers demo snippets asan tsan fuzz first_ids soak leases windows)

run_tests() {
  local parts=("$@") name started counts passed failed skipped
  local sum_passed=0 sum_failed=0 rows=()
  [ $# -gt 0 ] || parts=("${all_parts[@]}")
  for name in "${parts[@]}"; do
    if ! declare -F "part_$name" >/dev/null; then
      printf './dev test: there is no part %s, but: %s\n' "$name" "${all_parts[*]}" >&2
      exit 2
    fi
  done
  mkdir -p build/logs
  unset POLYFLAKE_WORKER
  for name in "${parts[@]}"; do
    printf '%s\n' "$name"
    export POLYFLAKE_HOME=$root/build/test-home/$name
    rm -rf "$POLYFLAKE_HOME"
    mkdir -p "$POLYFLAKE_HOME"
    chmod 700 "$POLYFLAKE_HOME"
    results=$root/build/results/$name
    rm -rf "$results"
    mkdir -p "$results"
    started=$(seconds)
    counts=$(test_part "$name")
    read -r passed failed skipped <<<"$counts"
    printf '  %-28s%4d s\n' "$passed passed, $failed failed" "$(($(seconds) - started))"
    sum_passed=$((sum_passed + passed)) sum_failed=$((sum_failed + failed))
    rows+=("$(printf '  %-12s %7d %7d %8d %6d s' "$name" "$passed" "$failed" "$skipped" "$(($(seconds) - started))")")
    rm -rf "$POLYFLAKE_HOME"
  done
  printf '\n  %-12s %7s %7s %8s %8s\n' part passed failed skipped time
  printf '%s\n' "${rows[@]}" ''
  printf '%d passed, %d failed\n' "$sum_passed" "$sum_failed"
  [ "$sum_failed" -eq 0 ]
}

# Runs one part and prints how many tests passed, failed and were skipped; a part that does not get as far as its
# tests, or whose runner fails without naming one, has one failure.
test_part() {
  local name=$1 log=build/logs/test-$1.log status counts
  set +e
  (set -eu; "part_$name") >"$log" 2>&1
  status=$?
  set -e
  counts=$(python3 tools/dev/count.py "$status" "$results" "$log")
  case $counts in
    *' 0 '*) ;;
    *)
      show_failures "$log" >&3
      ;;
  esac
  printf '%s\n' "$counts"
}

show_failures() {
  local log=$1 failure='\[  FAILED  \]|: Failure$|\*\*\*|^not ok|Sanitizer:|^\[ERROR\]|^FAILED|^E  '
  [ -s "$log" ] || return 0  # a step failed, and has said so
  printf '  from %s:\n' "$log"
  if [ "$(wc -l <"$log")" -le 80 ]; then
    cat "$log"
  else
    grep -E -A 15 "$failure" "$log" | head -n 120 || true
    printf '...\n'
    tail -n 40 "$log"
  fi | cut -c 1-200 | sed 's/^/    /'
}

part_lint() {
  build_packages
  build/venv/bin/python tests/lint/run.py --jar "$jar"
}

part_vectors() { python3 tests/vectors/reference.py --check; }

part_core() {
  install_tools
  build_tests dev build/cpp
  run_ctest build/cpp
}

part_tsan() {
  install_tools
  build_tests tsan build/tsan
  run_ctest build/tsan --label-exclude consumer
}

part_asan() {
  install_tools
  build_tests asan build/asan
  run_ctest build/asan --label-exclude consumer
}

run_ctest() {
  local tree=$1
  shift
  GTEST_OUTPUT=xml:$results/googletest/ \
    ctest --test-dir "$tree" --parallel 2 --verbose --no-tests=error --output-junit "$results/ctest.xml" "$@"
}

part_python() {
  build_packages
  with_servers redis zookeeper etcd postgresql mariadb -- \
    build/venv/bin/python -m pytest -q -rs "--junitxml=$results/python.xml" --numprocesses 2 --dist loadfile \
    --no-loadscope-reorder tests/python
}

run_pytest() { build/venv/bin/python -m pytest -q -rs "--junitxml=$results/python.xml" "$@"; }

part_node() {
  build_packages
  with_servers redis redis zookeeper etcd postgresql mariadb -- node --test --test-concurrency=2 --test-reporter=spec \
    --test-reporter-destination=stdout --test-reporter=junit "--test-reporter-destination=$results/node.xml" \
    tests/node/*.test.mjs
}

run_node() {
  node --test --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=junit "--test-reporter-destination=$results/node.xml" "$@"
}

part_java() {
  build_packages
  with_servers redis zookeeper etcd postgresql mariadb -- "${maven[@]}" "-Dpolyflake.results=$results" verify
}

# The four programs that host the command line: one after the other they are put the same.
part_cli() {
  build_packages
  build_java_clients
  with_servers redis zookeeper etcd postgresql mariadb -- \
    build/venv/bin/python -m pytest -q -rs "--junitxml=$results/cli.xml" tests/cli \
    --java-clients build/java-clients --entry cpp=build/cpp/cli/polyflake \
    --entry "python=build/venv/bin/python -m polyflake" --entry "node=node node/bin/polyflake.js" \
    --entry "java=java -jar $jar"
}

# The packages as a stranger uses them: installed from the built archive, no compiler at hand. The C++ one is part of core.
part_consumers() {
  local status=0
  build_packages
  run_node tests/consumer/node/*.test.mjs || status=1
  run_pytest tests/consumer/python || status=1
  tests/consumer/java/use-the-jar.sh "$jar" build/consumer-java || status=1
  return $status
}

part_demo() { run_demo; }

part_snippets() {
  build_packages
  build_examples
  build_java_clients
  with_servers redis postgresql mariadb -- \
    build/venv/bin/python tests/lint/snippets.py --jar "$jar" --java-clients build/java-clients --prefix build/prefix
}

part_fuzz() { fuzz_targets 30; }

part_first_ids() {
  build_soak
  build/venv/bin/python tests/soak/first_ids.py --jar "$jar"
}

part_soak() {
  build_soak
  build/venv/bin/python tests/soak/soak.py 2 --jar "$jar"
}

part_leases() {
  build_leases
  build/venv/bin/python tests/soak/leases.py 1 --rounds 0 --processes 3 --jar "$jar"
}

# `./dev test [part ...]` and `./dev test --changed [base]`. A part has up to three functions:
#
#   build_<part>   what its tests need, as steps
#   part_<part>    its tests, which others may run beside
#   alone_<part>   those of its tests that judge real time: nothing else runs meanwhile
#
# Everything is built first. Then three lanes run at once, beside one set of servers: each takes the next part that no other lane
# has, and a part runs up to as many tests at a time as there are processors. Two would leave the processors idle for a third of
# the time, as many tests wait. Tests that must be alone come last. Runners leave JUnit XML in the folder $results, which count.py
# counts.

# In the order in which they are built: those for Windows before the lint, which reads what is there.
all_parts=(windows lint asan tsan core vectors python node java cli server servers page consumers demo snippets docs fuzz first_ids soak leases)
# Those that take long: they are begun first.
long_parts=(python core java asan snippets server node consumers windows leases tsan cli)
lanes=3
server_parts=(python node java cli snippets servers soak demo)  # they need the servers
servers=(redis redis redis zookeeper etcd postgresql pgbouncer mariadb)

chosen_parts=()  # by --changed
declare -A part_arguments=()  # of a part that takes only some of its tests

run_tests() {
  local parts=("$@") counts temperature cached name
  [ $# -gt 0 ] || parts=("${all_parts[@]}")
  if [ "${1:-}" = --changed ]; then
    shift
    choose_parts "$@"
    parts=("${chosen_parts[@]}")
    [ ${#parts[@]} -gt 0 ] || { printf '0 parts: nothing was changed\n'; return 0; }
  fi
  for name in "${parts[@]}"; do
    if ! has_function "part_$name" && ! has_function "alone_$name"; then
      printf './dev test: there is no part %s, but: %s\n' "$name" "${all_parts[*]}" >&2
      exit 2
    fi
  done
  unset POLYFLAKE_WORKER
  mkdir -p build/logs build/results
  for name in "${parts[@]}"; do rm -rf "build/results/$name" "build/logs/test-$name.log"; done
  read -ra counts < <(cache_counts)
  install_test_tools
  for name in "${parts[@]}"; do build_part "$name"; done
  read -r temperature cached < <(cache_state "${counts[@]}")
  run_lanes "${parts[@]}"
  printf '\n  %s: %s\n' "$temperature" "$cached"
  show_table "$temperature" "${parts[@]}"
}

# Sets chosen_parts and part_arguments to what tools/dev/changed.py prints.
choose_parts() {
  local choice part arguments reason
  choice=$(python3 tools/dev/changed.py "$@")
  [ -n "$choice" ] || return 0
  while IFS=$'\x1f' read -r part arguments reason; do
    case $part in
      '#'*) printf '%s\n' "$part" ;;
      *)
        printf '  %-12s %s\n' "$part" "because of $reason${arguments:+, only $arguments}"
        chosen_parts+=("$part") part_arguments[$part]=$arguments
        ;;
    esac
  done <<<"$choice"
}

has_function() { declare -F "$1" >/dev/null; }

# The folder of a part: the files build, part and alone have its seconds, status and built its exit codes.
state_of() { printf '%s' "build/results/$1/state"; }

build_part() {
  local name=$1 status=0
  mkdir -p "$(state_of "$name")"
  if has_function "build_$name"; then
    printf '%s\n' "$name" >&3
    set +e
    timed "$(state_of "$name")/build" "build_$name" >>"build/logs/test-$name.log" 2>&1
    status=$?
    set -e
  fi
  echo "$status" >"$(state_of "$name")/built"
  echo "$status" >"$(state_of "$name")/status"
}

run_lanes() {
  local name ordered=() running=() served=no
  for name in "${long_parts[@]}" "$@"; do
    if is_among "$name" "$@" && ! is_among "$name" "${ordered[@]}"; then ordered+=("$name"); fi
  done
  for name in "$@"; do
    if is_among "$name" "${server_parts[@]}"; then served=yes; fi
  done
  use_compiler_cache  # projects that take the library in are compiled by tests
  printf 'tests\n' >&3
  [ $served = no ] || start_servers
  while [ ${#running[@]} -lt $lanes ]; do
    lane part "${ordered[@]}" &
    running+=($!)
  done
  for name in "${running[@]}"; do wait "$name"; done
  lane alone "$@"
  [ $served = no ] || stop_servers
}

is_among() {
  local word=$1
  shift
  [[ " $* " == *" $word "* ]]
}

# lane part|alone NAME...: one after the other, without those that another lane has taken. A part that takes only some of its
# tests leaves those that must be alone.
lane() {
  local kind=$1 name
  shift
  trap 'exit 130' INT  # in the background a shell would ignore it, and go on with the next part
  for name in "$@"; do
    if [ "$kind" = alone ] && [ -n "${part_arguments[$name]:-}" ]; then continue; fi
    has_function "${kind}_$name" && [ "$(cat "$(state_of "$name")/built")" = 0 ] || continue
    if mkdir "$(state_of "$name")/taken-$kind" 2>/dev/null; then run_part "$kind" "$name"; fi
  done
}

run_part() {
  local kind=$1 name=$2 state status counts passed failed skipped arguments=()
  read -ra arguments <<<"${part_arguments[$name]:-}"
  state=$(state_of "$name")
  export POLYFLAKE_HOME=$root/build/test-home/$name
  rm -rf "$POLYFLAKE_HOME"
  mkdir -p "$POLYFLAKE_HOME"
  chmod 700 "$POLYFLAKE_HOME"
  export results=$root/build/results/$name
  set +e
  timed "$state/$kind" "${kind}_$name" "${arguments[@]}" >>"build/logs/test-$name.log" 2>&1
  status=$?
  set -e
  [ "$status" = 0 ] || echo "$status" >"$state/status"
  rm -rf "$POLYFLAKE_HOME"
  counts=$(counts_of "$name")
  read -r passed failed skipped <<<"$counts"
  printf '  %-12s %-28s%4d s\n' "$name" "$passed passed, $failed failed" "$(sums_of "$state/$kind" | cut -d' ' -f1)" >&3
  [ "$failed" = 0 ] || show_failures "build/logs/test-$name.log" >&3
}

# Passed, failed, skipped. A part that does not get as far as its tests, or whose runner fails without naming one, has one failure.
counts_of() {
  python3 tools/dev/count.py "$(cat "$(state_of "$1")/status")" "build/results/$1" "build/logs/test-$1.log"
}

# Started once, for all parts: their addresses are in the environment. They end with this process, however that ends.
start_servers() {
  local line
  coproc test_servers { exec build/venv/bin/python tests/servers/run "${servers[@]}"; }
  for _ in control "${servers[@]}"; do
    if ! read -r line <&"${test_servers[0]}"; then
      printf './dev test: the servers do not start\n' >&2
      exit 1
    fi
    export "${line?}"
  done
}

stop_servers() { kill "$test_servers_PID" && wait "$test_servers_PID" || true; }

# The closing table, which is kept if all parts ran.
show_table() {
  local temperature=$1 name state kept other sum_passed=0 sum_failed=0 counts passed failed skipped seconds
  shift
  kept=build/timings/$temperature.tsv other=build/timings/cold.tsv
  [ "$temperature" = warm ] || other=build/timings/warm.tsv
  mkdir -p build/timings
  : >"$kept.new"
  printf '  %-10s %7s %7s %8s %17s %17s\n' '' '' '' '' 'build, s' 'run, s'
  printf '  %-10s %7s %7s %8s %8s %8s %8s %8s\n' part passed failed skipped wall cpu wall cpu
  for name in "$@"; do
    state=$(state_of "$name")
    counts=$(counts_of "$name")
    read -r passed failed skipped <<<"$counts"
    sum_passed=$((sum_passed + passed)) sum_failed=$((sum_failed + failed))
    mapfile -t seconds < <({ sums_of "$state/build"; sums_of "$state/part" "$state/alone"; } | tr ' ' '\n')
    printf '%s\t%s\t%s\t%s\t%s\n' "$name" "${seconds[@]}" >>"$kept.new"
    printf '  %-10s %7d %7d %8d %8d %8d %8d %8d\n' "$name" "$passed" "$failed" "$skipped" "${seconds[@]}"
  done
  [ $# -lt ${#all_parts[@]} ] || mv "$kept.new" "$kept"
  rm -f "$kept.new"
  [ ! -f "$other" ] || printf '  the last run with a %s cache: %s\n' "${other//*\/}" "$(awk '
    { build += $2; run += $4 } END { printf "build %d s, run %d s\n", build, run }' "$other")"
  printf '\n%d passed, %d failed\n' "$sum_passed" "$sum_failed"
  [ "$sum_failed" -eq 0 ]
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

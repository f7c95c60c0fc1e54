# Times work, in seconds of the wall and of the processors, for the table that `./dev test` keeps.
#
# build/timings/cold.tsv and warm.tsv have the last whole run of each kind: part, build wall, build processors, run wall, run
# processors. A run is warm if the compiler cache had nine of ten objects. The processors of servers count for no part.

now_ms() { date +%s%3N; }

# Runs a command in a subshell under `set -e` and returns its status. Adds its wall and processor seconds to a file, a line each.
timed() {
  local file=$1 began
  shift
  began=$(now_ms)
  (
    set +e
    (set -eu; "$@")
    status=$?
    times >"$file.times"  # not into a pipe: that would be a child without children
    exit $status
  )
  local status=$?
  awk -v ms="$(($(now_ms) - began))" '
    function seconds(text, part) { split(text, part, /[ms]/); return part[1] * 60 + part[2] }
    END { printf "%.1f %.1f\n", ms / 1000, seconds($1) + seconds($2) }' "$file.times" >>"$file"
  rm -f "$file.times"
  return $status
}

# The sums of such files, of those that there are.
sums_of() { cat "$@" 2>/dev/null | awk '{ wall += $1; cpu += $2 } END { printf "%.0f %.0f\n", wall, cpu }'; }

# Prints how many objects the compiler cache has had, and how many it did not have.
cache_counts() {
  { command -v ccache >/dev/null && ccache --print-stats || true; } |
    awk '/^(direct|preprocessed)_cache_hit\t/ { had += $2 } /^cache_miss\t/ { missed += $2 } END { print had + 0, missed + 0 }'
}

# cache_state HAD MISSED: prints cold or warm, and why, of the time since cache_counts printed these numbers. A cache that has few
# of the objects is as good as an empty one.
cache_state() {
  local had missed
  read -r had missed < <(cache_counts)
  had=$((had - $1)) missed=$((missed - $2))
  printf '%s %d of %d objects in the compiler cache\n' "$([ $missed -le $((had / 9)) ] && echo warm || echo cold)" $had $((had + missed))
}

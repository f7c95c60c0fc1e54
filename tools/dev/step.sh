# Steps: named pieces of work with one line of progress each, skipped when nothing they read has changed.
#
#   step NAME COMMAND...                     runs COMMAND with its output in build/logs/NAME.log
#   fresh NAME PRODUCT INPUT... -- COMMAND   the same, unless PRODUCT exists and was made from these INPUTs
#
# An INPUT is a file, a folder, or text that matters (a version, a path). COMMAND is mostly a function; it runs
# in a subshell under `set -e`. Never call a step where its status is tested (`if`, `||`): bash ignores
# `set -e` in there. Progress goes to descriptor 3.

exec 3>&1
: "${POLYFLAKE_DEV_VERBOSE:=}"  # not empty: the output of steps is shown while they run

seconds() { date +%s; }

step() {
  local name=$1 log=build/logs/$1.log started status
  shift
  mkdir -p build/logs
  started=$(seconds)
  printf '  %-28s' "$name" >&3
  set +e
  if [ -n "$POLYFLAKE_DEV_VERBOSE" ]; then
    (set -eu; "$@") 2>&1 | tee "$log" >&3
    status=${PIPESTATUS[0]}
  else
    (set -eu; "$@") >"$log" 2>&1
    status=$?
  fi
  set -e
  if [ "$status" -ne 0 ]; then
    printf 'failed after %s s; the end of %s:\n' "$(($(seconds) - started))" "$log" >&3
    tail -n 60 "$log" | cut -c 1-200 | sed 's/^/    /' >&3
    exit 1
  fi
  printf '%4d s\n' "$(($(seconds) - started))" >&3
}

fresh() {
  local name=$1 product=$2 inputs=() now
  shift 2
  while [ "$1" != -- ]; do inputs+=("$1"); shift; done
  shift
  now=$(digest_of "${inputs[@]}")
  local stamp=build/stamps/$name
  if [ -e "$product" ] && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$now" ]; then return 0; fi
  mkdir -p build/stamps
  rm -f "$stamp"  # a run that is interrupted leaves none
  step "$name" "$@"
  printf '%s\n' "$now" >"$stamp.new"
  mv "$stamp.new" "$stamp"
}

# One digest of the contents and names of files and folders, and of any other text.
digest_of() {
  local input
  for input in "$@"; do
    if [ -d "$input" ]; then
      find "$input" \( -name target -o -name __pycache__ -o -name node_modules -o -name prebuilds \
        -o -name '.*_cache' \) -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum
    elif [ -f "$input" ]; then
      sha256sum "$input"
    else
      printf '%s\n' "$input"
    fi
  done | sha256sum
}

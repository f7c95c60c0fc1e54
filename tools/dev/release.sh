# `./dev release` makes what would be published, in dist/<version>/: natives, archives, a look at them, a trial of those that run
# here, MANIFEST.json and SHA256SUMS. It publishes nothing.

make_release() {
  local targets=() only=() skip_run='' twice=''
  while [ $# -gt 0 ]; do
    case $1 in
      --target) targets+=("${2:?a target}"); shift ;;
      --only) only+=(--only "${2:?python, node, java or program}"); shift ;;
      --skip-run) skip_run=yes ;;
      --twice) twice=yes ;;
      *) printf './dev release: unknown option %s\n' "$1" >&2; exit 2 ;;
    esac
    shift
  done
  make_natives "${targets[@]}"
  mapfile -t targets < <(python3 tools/release/targets.py "${targets[@]}")
  local out
  out=dist/$(python3 tools/release/version.py)
  step archives pack_release "$out" "${targets[@]}"
  step inspect build/venv/bin/python tools/release/inspection.py "${only[@]}" "$out" "${targets[@]}"
  if [ -n "$skip_run" ]; then
    step sums build/venv/bin/python tools/release/manifest.py "$out"
  else
    step try try_here "$out" "${targets[@]}"
    step sums build/venv/bin/python tools/release/manifest.py "$out" build/release/tried.json
  fi
  if [ -n "$twice" ]; then compare_with_another_build "$out"; fi
  ls -l "$out"
}

# Their time is that of the commit.
pack_release() {
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) LC_ALL=C TZ=UTC build/venv/bin/python tools/release/archives.py "${only[@]}" "$@"
}

# Those that are for this machine, on what it has.
try_here() {
  local kind rows=()
  if is_among "$(python3 tools/release/targets.py here)" "${@:2}"; then
    for kind in python node java; do
      if [ ${#only[@]} -eq 0 ] || is_among "$kind" "${only[@]}"; then rows+=("$kind-here"); fi
    done
  fi
  mkdir -p build/release
  printf '{}' >build/release/tried.json
  [ ${#rows[@]} -eq 0 ] || build/venv/bin/python tools/release/compat.py --tried build/release/tried.json "$1" "${rows[@]}"
}

# Makes the same release in a clone in another folder, where nothing that the compiler cache has is taken.
compare_with_another_build() {
  local target options=("${only[@]}" --skip-run) clone=$root/build/twice/another/folder
  for target in "${targets[@]}"; do options+=(--target "$target"); done
  if [ -n "$(git status --porcelain)" ]; then
    printf './dev release --twice builds what is committed, and these are not:\n%s\n' "$(git status --short)" >&2
    exit 2
  fi
  rm -rf "$clone"
  git clone --quiet "$root" "$clone"
  step again env CCACHE_DISABLE=1 "$clone/dev" release "${options[@]}"
  step equal-sums equal_sums "$clone/$1" "$1"
}

# But for what was run.
equal_sums() { diff <(grep -v MANIFEST "$1/SHA256SUMS") <(grep -v MANIFEST "$2/SHA256SUMS"); }

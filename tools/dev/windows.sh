# `./dev test windows`: the core, its tests and the native parts of the packages for Windows, built by MinGW-w64 and run by
# Wine. Left out, and counted as skipped, where Debian's packages cannot be installed.

windows_packages=(g++-mingw-w64-x86-64-posix wine64 googletest)

build_windows() {
  step windows-packages install_windows_packages
  if ! has_windows_tools; then return 0; fi
  build_jar
  fetch_windows_runtimes
  build_windows_tree
  fresh tests-windows-kill build/cpp/tests/core/core_kill "${native_sources[@]}" tests/core -- build_core_kill
}

part_windows() {
  local status=0
  if ! has_windows_tools; then
    skip_windows windows "there are no packages ${windows_packages[*]} here"
    return 0
  fi
  tools/dev/wine.sh --stay 600
  # Names of files as Wine's programs know them. A tenth of the ids is enough: what this is about is the system.
  GTEST_OUTPUT=xml:Z:$results/googletest/ POLYFLAKE_STRESS_DIVISOR=10 \
    ctest --test-dir build/windows --verbose --no-tests=error --output-junit "$results/ctest-windows.xml" \
    --parallel "$(nproc)" || status=1
  kill_with_moved_clock || status=1
  test_windows_languages || status=1
  return $status
}

# One test, and what XML says of it unless it passed.
note_windows() { printf '<testsuite><testcase name="%s">%s</testcase></testsuite>\n' "$1" "$2" >"$results/$1.xml"; }

skip_windows() {
  printf 'skipped: %s\n' "$2"
  note_windows "$1" '<skipped/>'
}

build_windows_tree() {
  local options=()
  mapfile -t options < <(windows_language_options)
  fresh tests-windows build/windows/CTestTestfile.cmake "${native_sources[@]}" tests/CMakeLists.txt tests/cross.cmake \
    tests/core tests/vectors tools/dev/requirements.txt package-lock.json tests/windows/jni_md.h "$(x86_64-w64-mingw32-g++-posix --version)" \
    "${options[*]}" -- build_tree windows build/windows "${options[@]}"
}

# A program of this system kills programs of Windows, whose clock it can move.
kill_with_moved_clock() {
  POLYFLAKE_ISSUER_BY="$root/tools/dev/wine.sh $root/build/windows/tests/core/polyflake_issuer.exe" \
    GTEST_OUTPUT=xml:$results/kill_with_moved_clock.xml build/cpp/tests/core/core_kill
}

build_core_kill() {
  configure dev
  cmake --build build/cpp --target core_kill
}

has_windows_tools() {
  works x86_64-w64-mingw32-g++-posix --version && { works command -v wine64 || [ -x /usr/lib/wine/wine64 ]; } &&
    [ -f /usr/src/googletest/CMakeLists.txt ]
}

install_windows_packages() {
  if has_windows_tools || ! command -v apt-get || [ "$(uname -m)" != x86_64 ]; then return 0; fi
  apt_get "${windows_packages[@]}" || true  # part_windows looks what came of it
}

# What has to be on the machine, and what goes into build/venv and node_modules.

# For building, and for the demo.
install_tools() {
  install_missing system missing_packages apt_get tools/dev/install.sh
  use_compiler_cache
  fresh third-party third_party tools/release -- python3 tools/release/third_party.py
  fresh python-packages build/venv/bin/python tools/dev/requirements.txt "$(python3 -VV)" "$(command -v python3)" -- make_venv
  fresh npm-packages node_modules/.package-lock.json package.json package-lock.json "$(node --version)" \
    -- npm ci --ignore-scripts --no-audit --no-fund
}

# The same, and what tests and linters need.
install_test_tools() {
  install_missing test missing_test_packages apt_get tools/dev/install.sh
  install_tools
  fresh python-test-packages build/venv/bin/pytest tests/python/requirements.txt tests/lint/requirements.txt tools/release/requirements.txt \
    build/stamps/python-packages -- pip_install --no-compile -r tests/python/requirements.txt -r tests/lint/requirements.txt \
    -r tools/release/requirements.txt  # bytecode is made of the few modules that are imported
}

# Installs the Debian packages that a function names, by a command. Asks again only when packages or the script changed.
install_missing() {
  local name=$1 asked=$2 command=$3 script=$4 missing state
  # The list of installed packages changes whenever one comes or goes.
  state="$PATH $(stat -c '%Y %s' /var/lib/dpkg/status 2>/dev/null || true)"
  if [ -f "build/stamps/$name" ] && [ "$(cat "build/stamps/$name")" = "$(digest_of "$script" "$state")" ]; then
    return 0
  fi
  missing=$("$asked")
  if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null; then
      printf './dev: install what the Debian packages of these names have, then try again:\n  %s\n' "$missing" >&2
      exit 1
    fi
    # shellcheck disable=SC2086 # a list of names
    step "$name-packages" "$command" $missing
    missing=$("$asked")
    [ -z "$missing" ] || { printf './dev: still missing after apt-get: %s\n' "$missing" >&2; exit 1; }
    state="$PATH $(stat -c '%Y %s' /var/lib/dpkg/status)"
  fi
  mkdir -p build/stamps
  digest_of "$script" "$state" >"build/stamps/$name"
}

apt_get() {
  local sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

# Debian package names of what cannot be used yet. A tool that works is left alone, wherever it comes from.
missing_packages() {
  works g++ --version || echo g++
  at_least 3.22 cmake --version || echo cmake
  works ninja --version || echo ninja-build
  works ccache --version || echo ccache
  works python3 -c "$usable_python" || printf '%s\n' python3 python3-venv python3-dev
  works node -e 'process.exit(require("node:test/reporters").junit ? 0 : 1)' && works npm --version ||
    printf '%s\n' nodejs npm
  at_least 17 javac -version || echo openjdk-17-jdk-headless
  works java -version || echo openjdk-17-jdk-headless
  works mvn --version || echo maven
  works swig4.0 -version || works swig -version || echo swig
  local library
  for library in libgtest-dev libgmock-dev nlohmann-json3-dev; do
    has_library "$library" || echo "$library"
  done
}

missing_test_packages() {
  works git --version || echo git
  works faketime --version || echo faketime
  works curl --version || echo curl
  works valgrind --version || echo valgrind
  works spin -V || echo spin
  works thrift --version || echo thrift-compiler
  works ruby -r thrift -e '' || echo ruby-thrift
  works ruby -r redis -e '' || echo ruby-redis
  works php -r 'exit(class_exists("Redis") ? 0 : 1);' || printf '%s\n' php-cli php-redis
  works perl -MHTTP::Tiny -e 1 || echo perl
  at_least 1.19 go version || echo golang-go
  works rustc --version || echo rustc
  works zsh --version || echo zsh
  works fish --version || echo fish
  works groff --version || echo groff-base
  works openssl version || echo openssl
  works gpg --version && works gpg-agent --version || echo gnupg
  [[ -e /usr/share/i18n/locales/de_DE ]] || echo locales
  local library
  # Used by docs/cpp.md, by builds as a distribution makes them, and by the server.
  for library in libcpp-httplib-dev libpq-dev libzookeeper-st-dev libcli11-dev libbearssl-dev libboost1.81-dev libtomlplusplus-dev \
    libssl-dev; do
    has_library "$library" || echo "$library"
  done
  works ld.lld --version || echo lld
  works clang_fuzzes || printf '%s\n' clang libclang-rt-14-dev
}

works() { "$@" </dev/null >/dev/null 2>&1; }

# libFuzzer and the sanitizers' runtime come in a package of their own.
clang_fuzzes() {
  printf 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    clang++ -fsanitize=fuzzer,address,undefined -x c++ - -o /dev/null
}

usable_python='
import os, sys, sysconfig, ensurepip, venv
assert sys.version_info >= (3, 11)  # of the developer; the wheel takes older ones
assert os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))'

# The first version number that the command prints is at least $1.
at_least() {
  local wanted=$1 found
  shift
  command -v "$1" >/dev/null || return 1
  found=$("$@" 2>&1 </dev/null | grep -oE '[0-9]+(\.[0-9]+)*' | head -n 1) || return 1
  [ "$(printf '%s\n' "$wanted" "$found" | sort -V | head -n 1)" = "$wanted" ]
}

# Elsewhere than on Debian CMake says what it does not find.
has_library() {
  ! command -v dpkg-query >/dev/null || [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

make_venv() {
  rm -rf build/venv build/stamps/wheel-installed
  python3 -m venv build/venv
  pip_install -r tools/dev/requirements.txt
}

pip_install() { build/venv/bin/python -m pip install --disable-pip-version-check "$@"; }

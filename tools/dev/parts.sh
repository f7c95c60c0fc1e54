# The parts of `./dev test`; test.sh says what the functions mean. Those of the page, the fuzzer and Windows are in
# files of their own.

build_lint() {
  build_packages
  configure_lint
}
part_lint() { build/venv/bin/python tests/lint/run.py --jar "$jar"; }

part_vectors() { python3 tests/vectors/reference.py --check; }

# Some of its tests start servers of their own.
build_core() {
  install_servers
  build_tests dev build/cpp
}
part_core() { run_ctest build/cpp beside "$@"; }
alone_core() { run_ctest build/cpp alone; }

build_tsan() {
  install_servers
  build_server_clients
  build_tests tsan build/tsan
}
part_tsan() {
  local status=0
  run_ctest build/tsan beside || status=1
  run_sanitized_server tsan tests/server/test_faults.py tests/server/test_tls*.py || status=1
  return $status
}
alone_tsan() { run_ctest build/tsan alone; }

build_asan() {
  install_servers
  build_server_clients
  build_tests asan build/asan
}
part_asan() {
  local status=0
  run_ctest build/asan beside || status=1
  run_sanitized_server asan tests/server/test_misread.py tests/server/test_faults.py tests/server/test_tls*.py || status=1
  return $status
}
alone_asan() { run_ctest build/asan alone; }

# The id server of that tree under the load of these tests. GCC's ThreadSanitizer does not know the address layouts of newer kernels.
run_sanitized_server() {
  local tree=$1 program=$root/build/$1/server/sanitized
  shift
  printf '#!/bin/sh\nexec setarch -R %s "$@"\n' "$root/build/$tree/server/polyflaked" >"$program"
  chmod +x "$program"
  POLYFLAKE_TEST_POLYFLAKED=$program TSAN_OPTIONS=halt_on_error=1 run_pytest server -n "$(nproc)" --dist loadfile "$@"
}

# run_ctest TREE beside|alone [OPTION ...]
run_ctest() {
  local tree=$1 which=$2 options=(--parallel "$(nproc)" --label-exclude real_time)
  shift 2
  [ "$which" = beside ] || options=(--label-regex real_time)
  GTEST_OUTPUT=xml:$results/googletest/ ctest --test-dir "$tree" --verbose --no-tests=error \
    --output-junit "$results/ctest-$which.xml" "${options[@]}" "$@"
}

build_servers() { install_servers; }
part_servers() {
  unset "${!POLYFLAKE_TEST_@}"  # its servers are its own
  run_pytest beside -n 2 tests/servers
}

build_python() {
  build_packages
  build_store_probe
  install_servers
  fresh lowest-clients build/lowest-clients/node tests/python/requirements-lowest.txt tests/node/lowest -- \
    install_lowest_clients
}

# Apart from those of the packages: tests look there first.
install_lowest_clients() {
  rm -rf build/lowest-clients
  mkdir -p build/lowest-clients/node
  build/venv/bin/python -m pip install --target build/lowest-clients/python -r tests/python/requirements-lowest.txt
  cp tests/node/lowest/*.json build/lowest-clients/node
  npm ci --prefix build/lowest-clients/node --ignore-scripts --no-audit --no-fund
}

part_python() {
  run_pytest beside -n "$(width)" --dist loadfile --no-loadscope-reorder "${@:-tests/python}"
  # The scenarios of leases again, over the lowest versions of the clients.
  [ $# -gt 0 ] || PYTHONPATH=build/lowest-clients/python run_pytest lowest tests/python/test_lease_scenarios.py
}
alone_python() { run_pytest alone tests/python; }

# Tests at a time: one more than there are processors if only some parts run, as most tests wait for servers.
width() { echo "$(($(nproc) + (${#chosen_parts[@]} > 0)))"; }

# run_pytest NAME OPTION... takes the tests that judge real time if its name is "alone", else the others.
run_pytest() {
  local name=$1 mark='not real_time'
  shift
  [ "$name" != alone ] || mark=real_time
  build/venv/bin/python -m pytest -q -rs -m "$mark" "--junitxml=$results/$name.xml" "$@"
}

build_node() { build_python; }
part_node() {
  local all=$#
  [ $# -gt 0 ] || set -- tests/node/*.test.mjs
  run_node node "$(nproc)" "$@"
  # The scenarios of leases again, over the lowest versions of the clients.
  [ "$all" -gt 0 ] || POLYFLAKE_TEST_CLIENTS=build/lowest-clients/node NODE_OPTIONS="--require $root/tests/node/clients_of.cjs" \
    run_node lowest 1 tests/node/13_lease_scenarios.test.mjs
}

# run_node NAME WIDTH FILE...
run_node() {
  local name=$1 width=$2
  shift 2
  node --test "--test-concurrency=$width" --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=junit "--test-reporter-destination=$results/$name.xml" "$@"
}

build_java() { build_python; }
# All of it also runs leases over the newer versions of the clients.
part_java() {
  [ $# -gt 0 ] || set -- -Pclients
  "${maven[@]}" "-Dpolyflake.results=$results" "$@" verify
}

# The four programs that host the command line are put the same.
build_cli() {
  build_python
  build_java_clients
}
part_cli() {
  run_pytest beside -n 4 --dist loadgroup tests/cli --java-clients build/java-clients --entry cpp=build/cpp/cli/polyflake \
    --entry "python=build/venv/bin/python -m polyflake" --entry "node=node node/bin/polyflake.js" \
    --entry "java=java -jar $jar"
}

# The id server and the clients that others wrote for its protocols. Its tests start their own stores.
build_server() {
  install_servers
  build_packages
  build_java_clients
  build_server_clients
  build_server_image
  build_tests dev build/cpp
}
part_server() { run_pytest beside -n "$(width)" --dist loadfile "${@:-tests/server}"; }
alone_server() { run_pytest alone tests/server; }

# The packages as a stranger uses them: installed from the built archive, no compiler at hand. The C++ one is part of core.
build_consumers() { build_packages; }
part_consumers() {
  local status=0
  run_node node "$(nproc)" tests/consumer/node/*.test.mjs || status=1
  run_pytest beside tests/consumer/python tests/consumer/trials || status=1
  tests/consumer/java/use-the-jar.sh "$jar" build/consumer-java || status=1
  return $status
}

part_demo() { show_demo; }

build_snippets() {
  build_cli
  build_examples
  build_tests dev build/cpp  # polyflaked
}
part_snippets() {
  build/venv/bin/python tests/lint/snippets.py --jar "$jar" --java-clients build/java-clients --prefix build/prefix "$@"
}

build_first_ids() { build_soak; }
alone_first_ids() { build/venv/bin/python tests/soak/first_ids.py --jar "$jar"; }

# Forty seconds, in which it found each of six faults that were planted in the registry, as two minutes did.
part_soak() { build/venv/bin/python tests/soak/soak.py 0.67 --jar "$jar"; }

part_leases() { build/venv/bin/python tests/soak/leases.py 1 --rounds 0 --processes 3 --jar "$jar"; }

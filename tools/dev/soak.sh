# `./dev soak [minutes] [option ...]`: the long run of tests/soak; `./dev soak [minutes] fuzz [target ...]`: of tests/fuzz;
# `./dev soak simulation [option ...]`: a million schedules of leases in tests/simulation, with `--counters 1` of counters;
# `./dev soak leases [seconds] [option ...]` and `./dev soak [minutes] crowd [option ...]`: processes that share node ids through real stores; `./dev soak [minutes] readings
# [--seed N]`: processes on one registry under a clock that steps at readings; `./dev soak changed [room ...]`: faults that
# `./dev test --changed` has to find; `./dev soak counters [rounds] [option ...]`: processes that share counters, beside peers;
# `./dev soak outage [seconds]`: services on event loops while their store is stopped; `./dev soak server [seconds] [option ...]`: id
# servers and their clients, while servers, clocks, the network and the store fail; `./dev soak server-package`: its Debian package;
# `./dev soak busy [rounds] [part ...]`: the tests on a machine that has more to do.

run_soak() {
  local minutes=10
  if [[ ${1:-} =~ ^[0-9]+$ ]]; then
    minutes=$1
    shift
  fi
  if [ "${1:-}" = busy ]; then
    shift
    test_beside_busy_processes "$@"
    return
  fi
  install_test_tools
  if [ "${1:-}" = fuzz ]; then
    shift
    build_fuzz
    fuzz_targets $((minutes * 60)) "$@"
    return
  fi
  if [ "${1:-}" = simulation ]; then
    shift
    build_tests dev build/cpp
    build/cpp/tests/simulation/simulation --schedules 1000000 "$@"
    return
  fi
  if [ "${1:-}" = readings ]; then
    shift
    local program=build/cpp/tests/soak/polyflake_soak_readings
    fresh soak-readings $program "${native_sources[@]}" tests/CMakeLists.txt tests/soak "$(g++ --version)" -- build_soak_readings
    if [ -d /dev/shm ]; then export TMPDIR=/dev/shm; fi # a flush takes no time there
    $program "$minutes" "$@"
    return
  fi
  if [ "${1:-}" = changed ]; then
    shift
    build_tests dev build/cpp
    python3 tests/changes/planted.py "$@"
    return
  fi
  if [ "${1:-}" = leases ]; then
    shift
    build_leases
    build/venv/bin/python tests/soak/leases.py --jar "$jar" "$@"
    return
  fi
  if [ "${1:-}" = counters ]; then
    shift
    build_leases
    build/venv/bin/python tests/soak/counters.py --jar "$jar" "$@"
    return
  fi
  if [ "${1:-}" = outage ]; then
    shift
    build_leases
    build/venv/bin/python tests/soak/outage.py "$@"
    return
  fi
  if [ "${1:-}" = server ]; then
    shift
    build_tests dev build/cpp
    build_packages
    build_server_clients
    install_servers
    build/venv/bin/python tests/soak/server.py "$@"
    return
  fi
  if [ "${1:-}" = server-package ]; then
    shift
    install_clean_debian
    build_packages
    build_server_package
    build/venv/bin/python tests/soak/server_package.py "$@"
    return
  fi
  if [ "${1:-}" = crowd ]; then
    shift
    build_leases
    build/venv/bin/python tests/soak/crowd.py "$minutes" --jar "$jar" "$@"
    return
  fi
  build_soak
  build/venv/bin/python tests/soak/soak.py "$minutes" --jar "$jar" "$@"
}

# The same, the servers, and Java's clients of them.
build_leases() {
  build_soak
  build_store_probe
  install_servers
  fresh java-clients build/soak/clients java/pom.xml -- copy_java_clients
}

copy_java_clients() {
  rm -rf build/soak/clients
  maven --quiet org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies \
    "-DoutputDirectory=$root/build/soak/clients"
}

# The packages, and the programs that use them.
build_soak() {
  build_packages
  fresh soak-cpp build/cpp/tests/soak/polyflake_soak_issuer "${native_sources[@]}" tests/CMakeLists.txt tests/soak \
    tests/core/id_file.hpp tests/core/say.hpp "$(g++ --version)" -- build_soak_cpp
  fresh soak-java build/soak/java "$jar" tests/soak/*.java "$(javac -version 2>&1)" -- build_soak_java
}

build_soak_cpp() {
  configure dev
  cmake --build build/cpp --target polyflake_soak_issuer polyflake_stepped_clock
}

build_soak_readings() {
  configure dev
  cmake --build build/cpp --target polyflake_soak_readings
}

build_soak_java() {
  mkdir -p build/soak/java
  javac -d build/soak/java -cp "$jar" tests/soak/*.java
}

# `./dev test` again and again beside four processes that keep processors busy.
test_beside_busy_processes() {
  local rounds=10 round failed=0
  if [[ ${1:-} =~ ^[0-9]+$ ]]; then
    rounds=$1
    shift
  fi
  for _ in 1 2 3 4; do
    (while kill -0 $$ 2>/dev/null; do :; done) &  # ends with this run, however that ends
  done
  for ((round = 1; round <= rounds; round++)); do
    printf 'round %d of %d\n' "$round" "$rounds"
    "$root/dev" test "$@" || failed=$((failed + 1))
  done
  printf '%d rounds, %d with failures\n' "$rounds" "$failed"
  [ "$failed" = 0 ]
}

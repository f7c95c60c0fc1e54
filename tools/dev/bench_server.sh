# `./dev bench server [--quick]`: the id server beside Redis, which run in turns. tests/bench/server/goals.py has the rows.

run_bench_server() {
  case ${1:-} in
    '' | --quick) ;;
    *) printf './dev bench server: unknown option %s\n' "$1" >&2; exit 2 ;;
  esac
  install_test_tools
  install_servers
  fresh bench-server build/cpp/server/polyflaked "${native_sources[@]}" "${server_sources[@]}" tests/CMakeLists.txt \
    "$(g++ --version)" -- build_bench_server
  build/venv/bin/python -B tests/bench/server/run.py "$@"
}

build_bench_server() {
  configure dev -DPOLYFLAKE_SERVER=ON
  cmake --build build/cpp --target polyflaked polyflake_load polyflake_blocked_claims
}

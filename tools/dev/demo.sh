run_demo() {
  build_demo
  show_demo
}

build_demo() {
  install_tools
  begin_to_fetch_for_jar
  build_packages
  build_examples
  install_missing redis missing_redis install_unstarted tools/dev/servers.sh
}

show_demo() {
  build/venv/bin/python examples/demo.py --jar "$jar"
  printf '\n'
  build/venv/bin/python examples/leases.py
  printf '\n'
  build/venv/bin/python examples/kinds.py
}

missing_redis() { works redis-server --version || echo redis-server; }

# The servers of tests/servers: what has to be on the machine, and commands that are run beside them.

install_servers() {
  local missing state
  state="$PATH $(stat -c '%Y %s' /var/lib/dpkg/status 2>/dev/null || true)"
  if [ "$(cat build/stamps/servers 2>/dev/null)" = "$(digest_of tools/dev/servers.sh "$state")" ]; then return 0; fi
  missing=$(missing_servers)
  if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null; then
      printf './dev: install what the Debian packages of these names have, then try again:\n  %s\n' "$missing" >&2
      exit 1
    fi
    # shellcheck disable=SC2086 # a list of names
    step servers-packages install_unstarted $missing
    missing=$(missing_servers)
    [ -z "$missing" ] || { printf './dev: still missing after apt-get: %s\n' "$missing" >&2; exit 1; }
    state="$PATH $(stat -c '%Y %s' /var/lib/dpkg/status)"
  fi
  mkdir -p build/stamps
  digest_of tools/dev/servers.sh "$state" >build/stamps/servers
}

install_unstarted() {
  local sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo tools/dev/install_unstarted.sh "$@"
}

# Debian package names. MariaDB and ZooKeeper have packages of the server alone, without a service.
missing_servers() {
  works redis-server --version || echo redis-server
  works etcd --version || echo etcd-server
  [ -e /usr/share/java/zookeeper.jar ] || echo libzookeeper-java
  works ls /usr/lib/postgresql/*/bin/initdb || echo postgresql
  works command -v mariadb-install-db && works /usr/sbin/mariadbd --version || echo mariadb-server-core
  works mariadb --version || echo mariadb-client-core
}

# Runs a command beside servers, whose addresses are in its environment:  with_servers redis etcd -- node --test
with_servers() {
  install_servers
  python3 tests/servers/run "$@"
}

part_servers() {
  install_tools
  install_servers
  run_pytest tests/servers
}

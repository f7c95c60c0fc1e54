# The servers of tests/servers: what has to be on the machine, and commands that are run beside them.

install_servers() { install_missing servers missing_servers install_unstarted tools/dev/servers.sh; }

install_unstarted() {
  local sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo tools/dev/install_unstarted.sh "$@"
}

# Debian package names. MariaDB and ZooKeeper have packages of the server alone, without a service.
missing_servers() {
  works redis-server --version || echo redis-server
  works etcd --version || echo etcd-server
  works etcdctl version || echo etcd-client
  [ -e /usr/share/java/zookeeper.jar ] || echo libzookeeper-java
  works ls /usr/lib/postgresql/*/bin/initdb || echo postgresql
  works /usr/sbin/pgbouncer --version || echo pgbouncer
  works command -v mariadb-install-db && works /usr/sbin/mariadbd --version || echo mariadb-server-core
  [ -e /usr/lib/galera/libgalera_smm.so ] || echo galera-4
  works /usr/sbin/nginx -v || echo nginx-light  # before several id servers
  [ -e /usr/lib/nginx/modules/ngx_http_lua_module.so ] || echo libnginx-mod-http-lua
  works /usr/sbin/haproxy -v || echo haproxy
  works mariadb --version || echo mariadb-client-core
}


#!/bin/sh
# without-libraries.sh COMMAND...: runs it with a /usr that has neither BearSSL nor CLI11, as on most machines.
set -eu
map=
[ "$(id -u)" = 0 ] || map=--map-root-user
# The mounts end with the command.
# shellcheck disable=SC2016 # the inner shell expands it
exec unshare --mount $map sh -eu -c '
  mount -t tmpfs none /mnt
  mkdir /mnt/upper /mnt/work
  mount -t overlay overlay -o lowerdir=/usr,upperdir=/mnt/upper,workdir=/mnt/work /usr
  rm -rf /usr/include/CLI /usr/include/bearssl* /usr/lib/*/libbearssl* /usr/lib/*/cmake/CLI11
  for header in bearssl.h CLI/CLI.hpp; do
    if printf "#include <%s>\n" "$header" | c++ -x c++ -E - >/dev/null 2>&1; then
      echo "without-libraries.sh: $header is there all the same" >&2
      exit 1
    fi
  done
  exec "$@"' sh "$@"

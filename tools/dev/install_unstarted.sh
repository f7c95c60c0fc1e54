#!/usr/bin/env bash
# Installs Debian packages of servers so that no service of theirs starts, now or with the system:
#
#   install_unstarted.sh PACKAGE...
#
# Runs as root. What it lays down for that is gone afterwards; services that were there before stay as they are.
set -eu
policy=/usr/sbin/policy-rc.d
clusters=/etc/postgresql-common/createcluster.d
no_cluster=$clusters/zz-polyflake.conf

installed() { dpkg-query -W -f '${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p' | sort; }

# Whoever asks this before it starts a service is refused. An older one comes back, also after a run that was killed.
forbid_starting() {
  if [ ! -e $policy ]; then
    echo '# polyflake: none before' >$policy.polyflake
  elif [ ! -e $policy.polyflake ]; then
    mv $policy $policy.polyflake
  fi
  printf '#!/bin/sh\nexit 101\n' >$policy
  chmod 755 $policy
}

allow_starting() {
  if grep -qs '^# polyflake: none before$' $policy.polyflake; then
    rm -f $policy $policy.polyflake
  elif [ -e $policy.polyflake ]; then
    mv $policy.polyflake $policy
  fi
}

# PostgreSQL's package would make a database of its own.
forbid_cluster() {
  mkdir -p $clusters
  echo 'create_main_cluster = false' >$no_cluster
}

allow_cluster() {
  rm -f $no_cluster
  rmdir --ignore-fail-on-non-empty $clusters /etc/postgresql-common 2>/dev/null || true
}

# What a package enables when it is installed for the first time.
disable_services() {
  local package file
  for package in "$@"; do
    dpkg -L "$package" | while read -r file; do
      case $file in
        */systemd/system/*@.service) ;;
        */systemd/system/*.service)
          DPKG_MAINTSCRIPT_PACKAGE=$package deb-systemd-helper disable "${file##*/}"
          ;;
        /etc/init.d/*) update-rc.d "${file##*/}" disable ;;
      esac
    done
  done
}

before=$(installed)
trap 'allow_starting; allow_cluster' EXIT
forbid_starting
forbid_cluster
apt-get update
# A server that is here and cannot stand beside one of ours, as MySQL beside MariaDB, stays: then this fails.
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends --no-remove "$@"
mapfile -t new < <(comm -13 <(echo "$before") <(installed))
disable_services "${new[@]}"

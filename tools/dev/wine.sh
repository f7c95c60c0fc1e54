#!/usr/bin/env bash
# Runs a Windows program:  wine.sh PROGRAM [ARGUMENT ...]
#
# Wine keeps its Windows in build/wine, made at the first start.
set -eu
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/build/wine
export WINEPREFIX=$folder WINEDEBUG=${WINEDEBUG:--all} WINEDLLOVERRIDES='mscoree,mshtml='
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
if [ ! -f "$folder/made" ]; then
  mkdir -p "$(dirname "$folder")"
  (
    flock 9
    if [ ! -f "$folder/made" ]; then
      "$wine" wineboot --init >/dev/null 2>&1
      touch "$folder/made"
    fi
  ) 9>"$folder.lock"
fi
exec "$wine" "$@"

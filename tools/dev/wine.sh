#!/usr/bin/env bash
# Runs a Windows program, or keeps Wine's server for some seconds, so that programs start faster:
#
#   wine.sh PROGRAM [ARGUMENT ...]
#   wine.sh --stay SECONDS
#
# Wine keeps its Windows in build/wine, made at the first start.
set -eu
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/build/wine
export WINEPREFIX=$folder WINEDEBUG=${WINEDEBUG:--all} WINEDLLOVERRIDES='mscoree,mshtml='
export LC_ALL=C.UTF-8  # else it knows no file with a name beyond ASCII
WINELOADER=$(command -v wine64 || echo /usr/lib/wine/wine64)
export WINELOADER
# At random addresses one program in thousands does not start: newer kernels may put its heap where Windows has a page of its own.
wine=(setarch -R "$WINELOADER")
server=$(command -v wineserver || echo /usr/lib/wine/wineserver)

make_prefix() {
  if [ -f "$folder/windows10" ]; then return 0; fi
  "$server" --kill || true  # one that stays, of a folder that was here before
  "${wine[@]}" wineboot --init >/dev/null 2>&1
  # Node wants no older Windows than 8.1, which is what Wine is without being told.
  "${wine[@]}" reg add 'HKCU\Software\Wine' /v Version /d win10 /f >/dev/null 2>&1
  "$server" --wait  # a server that is still there would refuse to stay
  touch "$folder/windows10"
}

exec 3>&-  # the progress of ./dev: whoever reads it would wait until Wine's server ends
if [ ! -f "$folder/windows10" ]; then
  mkdir -p "$folder"
  exec 9>"$folder.lock"
  flock 9
  make_prefix 9>&-
  exec 9>&-
fi
if [ "$1" = --stay ]; then
  "$server" "--persistent=$2" || true  # one that is there already will do
  # The first program starts services, which keep its output: whoever reads that to its end would wait for them.
  exec "${wine[@]}" cmd /c ver </dev/null >/dev/null 2>&1
fi
exec "${wine[@]}" "$@"

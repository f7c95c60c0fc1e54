# `./dev natives [target ...]` builds the natives of Node and Java for each Linux by zig, in build/natives/<target>. It inspects
# what they export and need, and runs none of them.

native_targets=(linux-x64-glibc linux-arm64-glibc linux-x64-musl linux-arm64-musl)

make_natives() {
  local target
  [ $# -gt 0 ] || set -- "${native_targets[@]}"
  for target in "$@"; do
    case " ${native_targets[*]} " in
      *" $target "*) ;;
      *) printf './dev natives: unknown target %s. Targets: %s\n' "$target" "${native_targets[*]}" >&2; exit 2 ;;
    esac
  done
  install_tools
  install_missing natives missing_native_packages apt_get tools/dev/natives.sh
  fresh zig build/venv/bin/python-zig tools/release/requirements.txt build/stamps/python-packages -- \
    pip_install -r tools/release/requirements.txt
  for target in "$@"; do
    fresh "natives-$target" "build/natives/$target/natives" "${native_sources[@]}" package-lock.json tools/release/requirements.txt -- \
      build_natives "$target"
    find "build/natives/$target/natives" -type f -exec python3 tools/release/natives.py "$target" {} +
  done
}

missing_native_packages() { works llvm-strip --version || works llvm-strip-14 --version || echo llvm; }

build_natives() {
  local target=$1 folder=build/natives/$1
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_TOOLCHAIN_FILE=$root/cmake/zig.cmake" \
    "-DPOLYFLAKE_TARGET=$target" "-DPOLYFLAKE_ZIG=$(build/venv/bin/python -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))')/zig" \
    -DPOLYFLAKE_NODE=ON -DPOLYFLAKE_JAVA=ON -DPOLYFLAKE_INSTALL=OFF
  cmake --build "$folder" --target polyflake_node polyflake_jni polyflake_jni_command
  rm -rf "$folder/natives"
  mkdir "$folder/natives"
  cp "$folder/bindings/node/polyflake.node" "$folder"/bindings/java/resources/io/github/polyflake/native/*/*/*.so "$folder/natives"
}

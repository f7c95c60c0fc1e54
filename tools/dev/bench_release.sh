# `./dev bench release [--quick]`: what `./dev release` compiles by zig, beside the same sources compiled by the compiler of this
# machine. Both run the rows of each language in turns. A row of the first that takes more than 1.05 of the time is a failure.

bench_release=build/bench-release

run_bench_release() {
  local rounds=9 target round language build
  case ${1:-} in
    '') ;;
    --quick) rounds=2 ;;
    *) printf './dev bench release: unknown option %s\n' "$1" >&2; exit 2 ;;
  esac
  target=$(python3 tools/release/targets.py here)
  make_natives "$target"
  prepare_bench "$bench_release/figures" "${bench_languages[@]}"
  fresh bench-release "$bench_release/polyflake.jar" "build/natives/$target/natives" build/wheel node "$jar" tests/bench \
    -- lay_out_bench_release "$target"
  for round in $(seq "$rounds"); do
    # The size of the environment moves the stack, which alone changes times (Mytkowicz et al., Producing Wrong Data Without Doing
    # Anything Obviously Wrong!, ASPLOS 2009): another size in each round. Nine rounds spread over a page of 4 KiB.
    printf -v POLYFLAKE_BENCH_PADDING '%*s' $((round * 464)) ''
    export POLYFLAKE_BENCH_PADDING
    for language in "${bench_languages[@]}"; do
      for build in own zig; do
        step "bench-$language-$build-$round" "bench_run_$build" "$language" --quick --no-peers \
          --json "$bench_release/figures/$language-$build-$round.json"
      done
    done
  done
  python3 -B tests/bench/report/compilers.py "$bench_release/figures" "${bench_languages[@]}"
}

bench_run_own() { "bench_run_$1" "${@:2}"; }

# A step is a shell of its own, where bench.sh sees these.
# shellcheck disable=SC2034
bench_run_zig() {
  bench_cpp=$bench_release/polyflake_bench
  bench_python_path=$bench_release/python:$bench_native
  bench_node=$bench_release/node
  bench_java_path="$bench_release/polyflake.jar:build/bench-java/lib/*"
  bench_run_own "$@"
}

# The packages of this machine, with natives of a target.
lay_out_bench_release() {
  local tree=build/natives/$1 natives=build/natives/$1/natives abi package=$bench_release/node/node_modules/polyflake
  rm -rf "$bench_release"/{python,node,include,java.jar,polyflake.jar,polyflake_bench}
  mkdir -p "$bench_release"/{python,include} "$package"
  compile_bench_by_zig "$1" "$tree"
  abi=$("$bench_python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
  python3 -m zipfile -e build/wheel/*.whl "$bench_release/python"
  cp "$natives/$abi/_core.so" "$bench_release"/python/polyflake/_core.*.so
  cp -r tests/bench/node/*.mjs "$bench_release/node"
  cp -r package.json node "$package"
  cp "$natives/polyflake.node" "$package/node/prebuilds/$1"
  cp "$jar" "$bench_release/java.jar"
  jar --update --file "$bench_release/java.jar" -C "$tree/bindings/java/resources" .
  mv "$bench_release/java.jar" "$bench_release/polyflake.jar"
}

# The sources that CMake names, with the options that it gives to both compilers.
compile_bench_by_zig() {
  local sources
  mapfile -t sources < <(sed -n 's/^add_executable(polyflake_bench \(.*\))/\1/p' tests/bench/cpp/CMakeLists.txt | tr ' ' '\n')
  ln -s /usr/include/nlohmann "$bench_release/include/nlohmann"
  "build/zig/$1/clang++" -std=c++17 -O3 -DNDEBUG -fstack-protector-strong -ffunction-sections -fdata-sections -Wl,--gc-sections \
    -isystem "$bench_release/include" -Icore/include -Icore/src "-I$2/core/include" "${sources[@]/#/tests/bench/cpp/}" \
    "$2"/core/libpolyflake{_kinds,_seal,}.a -o "$bench_release/polyflake_bench"
}

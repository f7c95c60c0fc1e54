# Builds: one CMake tree for the core, its tests, the Node addon and the JNI library; the wheel; the jar; the examples.

if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
fi
native_sources=(CMakeLists.txt CMakePresets.json cmake core cli bindings)
jar=java/target/polyflake-$(sed -n 's/^project(polyflake VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt).jar
jni=build/cpp/bindings/java
addons=build/cpp/bindings/node

# What every program and test needs: the three packages as a user would install them, and the C++ library.
build_packages() {
  build_jar
  fresh wheel build/wheel CMakeLists.txt cmake core cli bindings/CMakeLists.txt bindings/facade bindings/python python \
    pyproject.toml README.md LICENSE NOTICE "$(build/venv/bin/python -VV)" tests/python/requirements.txt -- build_wheel
  fresh wheel-installed build/venv/bin/python build/wheel -- install_wheel
  fresh addon node/prebuilds $addons/polyflake.node $addons/polyflake_command.node node/scripts -- \
    node node/scripts/stage.mjs $addons/polyflake.node $addons/polyflake_command.node
}

build_jar() {
  install_tools
  fresh native build/prefix/include "${native_sources[@]}" package-lock.json "$(g++ --version)" "$(javac -version 2>&1)" \
    -- build_native
  fresh jar "$jar" java/pom.xml java/src/main LICENSE NOTICE $jni/generated $jni/resources -- \
    maven -Dmaven.test.skip=true package
}

build_native() {
  cmake --preset dev
  cmake --build build/cpp --target polyflake_core polyflake polyflake_texts polyflake_node polyflake_node_command polyflake_jni polyflake_jni_command
  cmake --install build/cpp --prefix build/prefix
}

build_wheel() {
  rm -rf build/wheel
  build/venv/bin/python -m pip wheel --no-deps --no-build-isolation --config-settings build-dir=build/wheel-tree \
    --config-settings cmake.define.CMAKE_EXPORT_COMPILE_COMMANDS=ON --wheel-dir build/wheel .
}

install_wheel() {
  build/venv/bin/python -m pip install --no-deps --force-reinstall build/wheel/*.whl
}

maven=(mvn --batch-mode --no-transfer-progress -f java/pom.xml "-Dpolyflake.native=$root/$jni")
maven() { "${maven[@]}" "$@"; }

# The clients of stores that the Java package knows, and what its tests use, for programs that use them.
build_java_clients() {
  fresh java-clients build/java-clients java/pom.xml -- \
    maven org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies -DincludeScope=test \
    "-DoutputDirectory=$root/build/java-clients"
}

# One tree with all tests: the preset dev, tsan or asan.
build_tests() {
  local preset=$1 folder=$2
  fresh "tests-$preset" "$folder/CTestTestfile.cmake" "${native_sources[@]}" tests/CMakeLists.txt tests/core \
    tests/consumer/cpp tests/bench/cpp tests/faults tests/simulation tests/sources tests/vectors "$(g++ --version)" -- build_tree "$preset" "$folder"
}

build_tree() {
  local preset=$1 folder=$2
  shift 2
  cmake --preset "$preset" "$@"
  cmake --build "$folder"
}

build_examples() {
  fresh examples-cpp build/examples/issue examples/cpp build/prefix -- build_cpp_examples
  fresh examples-java build/examples/java examples/java "$jar" -- \
    javac -d build/examples/java -cp "$jar" examples/java/*.java
}

build_cpp_examples() {
  cmake -S examples/cpp -B build/examples -G Ninja "-DCMAKE_PREFIX_PATH=$root/build/prefix"
  cmake --build build/examples
}

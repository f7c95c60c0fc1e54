# Builds: one CMake tree for the core, its tests, the Node addon and the JNI library; the wheel; the jar; the examples.

# Asked for once the machine has what it needs. The cache knows the sources of any clone by their contents.
use_compiler_cache() {
  command -v ccache >/dev/null || return 0
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1
}
native_sources=(CMakeLists.txt CMakePresets.json cmake core cli bindings third_party)
server_sources=(server tests/server tests/load)
jar=java/target/polyflake-$(sed -n 's/^project(polyflake VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt).jar
jni=build/cpp/bindings/java
addons=build/cpp/bindings/node

# Builds the three packages as a user would install them, and installs the C++ library: every program and test needs them. All
# natives come out of one tree.
build_packages() {
  build_jar
  fresh wheel build/wheel "${native_sources[@]}" python pyproject.toml README.md LICENSE NOTICE \
    "$(build/venv/bin/python -VV)" tools/dev/requirements.txt -- build_wheel
  fresh wheel-installed build/venv/bin/python build/wheel -- install_wheel
  fresh addon node/prebuilds $addons/polyflake.node node/scripts -- node node/scripts/stage.mjs $addons/polyflake.node
}

build_jar() {
  install_tools
  fresh native build/prefix/include "${native_sources[@]}" package-lock.json tools/dev/requirements.txt \
    "$(g++ --version)" "$(javac -version 2>&1)" "$(build/venv/bin/python -VV)" -- build_native
  [ -z "$fetching" ] || wait "$fetching" || true  # the jar itself says what is missing
  fresh jar "$jar" java/pom.xml java/src/main LICENSE NOTICE $jni/generated $jni/resources -- \
    maven -Dmaven.test.skip=true package
}

# Has Maven download all that the jar needs, by a build without sources, while the compiler is busy: a newcomer waits a minute less.
fetching=  # the process that does
begin_to_fetch_for_jar() {
  [ ! -e build/stamps/jar ] || return 0
  mkdir -p build/jar-packages build/logs
  cp java/pom.xml build/jar-packages
  mvn --batch-mode --no-transfer-progress -f build/jar-packages/pom.xml -Denforcer.skip -Dmaven.test.skip=true package \
    >build/logs/jar-packages.log 2>&1 &
  fetching=$!
}

build_native() {
  configure dev
  cmake --build build/cpp --target polyflake_core polyflake_stores polyflake_seal polyflake_kinds polyflake polyflake_texts polyflake_python \
    polyflake_node polyflake_jni polyflake_jni_command polyflake_stepped_clock
  cmake --install build/cpp --prefix build/prefix
}

# configure PRESET [OPTION...]: with the Python and the pybind11 of build/venv.
configure() {
  local preset=$1
  shift
  cmake --preset "$preset" -DPOLYFLAKE_PYTHON=ON "-DPython_EXECUTABLE=$root/build/venv/bin/python" \
    "-Dpybind11_DIR=$(build/venv/bin/python -m pybind11 --cmakedir)" "$@"
}

# Packs what the tree has: nothing is compiled again.
build_wheel() {
  rm -rf build/wheel
  build/venv/bin/python -m pip wheel --no-deps --no-build-isolation --config-settings build-dir=build/cpp \
    --config-settings cmake.define.POLYFLAKE_INSTALL=ON --config-settings build.targets=polyflake_python --wheel-dir build/wheel .
}

install_wheel() {
  build/venv/bin/python -m pip install --no-deps --force-reinstall build/wheel/*.whl
}

# It ends before its second compiler would make it fast.
maven=(env "MAVEN_OPTS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC ${MAVEN_OPTS:-}"
  mvn --batch-mode --no-transfer-progress -f java/pom.xml "-Dpolyflake.native=$root/$jni")
maven() { "${maven[@]}" "$@"; }

# The clients of stores that the Java package knows, and what its tests use, for programs that use them.
build_java_clients() {
  fresh java-clients build/java-clients java/pom.xml -- \
    maven org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies -DincludeScope=test \
    "-DoutputDirectory=$root/build/java-clients"
}

# Clients of the id server for Java, and the programs of its tests over them: a folder for each Jedis. java/pom.xml has the versions.
build_server_clients() {
  fresh server-clients build/server-clients java/pom.xml tests/server/clients tests/server/takers tests/server/java/pom.xml \
    tests/server/snowflake.thrift "$(javac -version 2>&1)" -- make_server_clients
}

make_server_clients() {
  local folder
  rm -rf build/server-clients
  for folder in jedis-7:jedis.last7 jedis-8:jedis.newest; do
    make_server_client "build/server-clients/${folder%:*}" "$(version_of_client "${folder#*:}")" "$(version_of_client lettuce.newest)"
  done
  (cd tests/server/clients/go_redis && CGO_ENABLED=0 GOTOOLCHAIN=local go build -buildvcs=false -o "$root/build/server-clients/go-redis")
  make_takers
}

# The programs of tests/server/takers, with Thrift's stubs.
make_takers() {
  local folder=build/server-clients/takers
  mvn --batch-mode --no-transfer-progress -f tests/server/java/pom.xml \
    org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies -DexcludeGroupIds=org.slf4j "-DoutputDirectory=$root/$folder"
  thrift -o $folder -gen rb -gen java:generated_annotations=suppress tests/server/snowflake.thrift
  javac -nowarn -d $folder/classes -cp "$folder/*:build/server-clients/jedis-8/*" $folder/gen-java/com/twitter/service/snowflake/gen/*.java \
    tests/server/takers/Taker.java
}

# make_server_client FOLDER JEDIS LETTUCE
make_server_client() {
  mvn --batch-mode --no-transfer-progress -f tests/server/clients/pom.xml "-Djedis=$2" "-Dlettuce=$3" \
    org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies "-DoutputDirectory=$root/$1"
  javac -nowarn -d "$1/classes" -cp "$1/*" tests/server/clients/*.java
}

version_of_client() { sed -n "s:.*<$1>\\(.*\\)</.*:\\1:p" java/pom.xml; }

# One tree with all tests: the preset dev, tsan or asan.
build_tests() {
  local preset=$1 folder=$2
  fresh "tests-$preset" "$folder/CTestTestfile.cmake" "${native_sources[@]}" "${server_sources[@]}" tests/CMakeLists.txt tests/core \
    tests/consumer/cpp tests/bench/cpp tests/faults tests/fuzz tests/simulation tests/sources tests/soak tests/vectors "$(g++ --version)" "$(clang++ --version)" \
    -- build_tree "$preset" "$folder"
}

# The program that asks stores through the adapters of the languages.
build_store_probe() {
  fresh store-probe build/cpp/tests/core/polyflake_store_probe "${native_sources[@]}" tests/CMakeLists.txt tests/core/CMakeLists.txt \
    tests/core/store_probe.cpp tests/core/lease_scenarios.hpp tests/core/lease_scenarios.cpp "$(g++ --version)" -- compile_store_probe
}

compile_store_probe() {
  configure dev
  cmake --build build/cpp --target polyflake_store_probe
}

build_tree() {
  local preset=$1 folder=$2
  shift 2
  if [ "$preset" = dev ]; then configure dev -DPOLYFLAKE_SERVER=ON "$@"; else cmake --preset "$preset" "$@"; fi
  cmake --build "$folder"
}

# The command of each source, for clang-tidy, and what SWIG writes. For Windows too, if it can be built here.
configure_lint() {
  fresh lint-tree build/lint/bindings/java/polyflake_wrap.cxx "${native_sources[@]}" server package-lock.json \
    tools/dev/requirements.txt "$(g++ --version)" -- configure_lint_tree
  if has_windows_tools; then
    fresh lint-tree-windows build/lint-windows/compile_commands.json "${native_sources[@]}" -- cmake --preset lint-windows
  fi
}

configure_lint_tree() {
  configure lint
  cmake --build build/lint --target polyflake_swig
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

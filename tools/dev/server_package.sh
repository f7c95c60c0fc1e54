# The Debian package of the id server, in build/server-package/, and what tries it on a clean Debian. server_image.sh makes the image.

server_package=build/server-package

# `./dev package server`
make_server_package() {
  install_test_tools
  build_server_image
  mkdir -p dist
  rm -f dist/polyflaked[_.]*
  cp "$server_package"/polyflaked_*.deb "$server_image" dist/
  ls -1 dist/polyflaked[_.]*
}

install_package_tools() { install_missing package missing_package_tools apt_get tools/dev/server_package.sh; }

# Prints the packages of the programs that cpack runs, if they are missing.
missing_package_tools() {
  works dpkg-shlibdeps --version || echo dpkg-dev
  works file --version || echo file
}

build_server_package() {
  install_package_tools
  fresh server-package "$server_package/server/polyflaked" CMakeLists.txt CMakePresets.json cmake core server deploy NOTICE \
    "$(g++ --version)" -- compile_server_package
}

# With the flags that Debian builds its programs with.
compile_server_package() {
  local preprocessor compiler linker
  export DEB_BUILD_MAINT_OPTIONS=hardening=+all
  preprocessor=$(dpkg-buildflags --get CPPFLAGS)
  compiler=$(dpkg-buildflags --get CXXFLAGS)
  linker=$(dpkg-buildflags --get LDFLAGS)
  cmake --preset server-package "-DCMAKE_CXX_FLAGS=$preprocessor $compiler" "-DCMAKE_EXE_LINKER_FLAGS=$linker"
  cmake --build "$server_package" --target polyflaked
  rm -f "$server_package"/polyflaked_*.deb
  (cd "$server_package" && cpack)
}

# Debian packages that make a clean Debian and boot it. `./dev soak server-package` needs them, and root.
missing_clean_debian() {
  works mmdebstrap --version || echo mmdebstrap
  works systemd-nspawn --version || echo systemd-container
}

install_clean_debian() { install_missing clean-debian missing_clean_debian apt_get tools/dev/server_package.sh; }

# Natives for Linux of another processor or C library, built by zig (PyPI: ziglang), which has the C libraries' headers of all:
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=cmake/zig.cmake -DPOLYFLAKE_TARGET=linux-arm64-musl -DPOLYFLAKE_ZIG=.../ziglang/zig ...
#
# POLYFLAKE_TARGET is a folder of node/prebuilds. A native for glibc needs 2.28, which has all that the core calls (statx(2)), and
# no libstdc++: zig's own C++ library is in it.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES POLYFLAKE_TARGET POLYFLAKE_ZIG)
set(_zig_names
  linux-x64-glibc=x86_64-linux-gnu.2.28
  linux-arm64-glibc=aarch64-linux-gnu.2.28
  linux-x64-musl=x86_64-linux-musl
  linux-arm64-musl=aarch64-linux-musl)
set(_zig_target "")
foreach(_name IN LISTS _zig_names)
  if(_name MATCHES "^${POLYFLAKE_TARGET}=(.*)$")
    set(_zig_target "${CMAKE_MATCH_1}")
  endif()
endforeach()
if(NOT _zig_target)
  message(FATAL_ERROR "POLYFLAKE_TARGET is \"${POLYFLAKE_TARGET}\", not one of ${_zig_names}")
endif()

set(CMAKE_SYSTEM_NAME Linux)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "${_zig_target}")

# One program each, as CMake and ccache want it; by their names ccache knows whose options they take. Unlike other compilers, zig
# keeps frame pointers in optimised code, too, which every call of a few nanoseconds would pay for.
set(_zig_options "-target ${_zig_target} -fomit-frame-pointer")
set(_zig_folder "${CMAKE_CURRENT_LIST_DIR}/../build/zig/${POLYFLAKE_TARGET}")
foreach(_tool "clang=cc ${_zig_options}" "clang++=c++ ${_zig_options}" ar=ar ranlib=ranlib)
  string(REGEX MATCH "^([^=]+)=(.*)$" _ "${_tool}")
  file(CONFIGURE OUTPUT "${_zig_folder}/${CMAKE_MATCH_1}"
       CONTENT "#!/bin/sh\nexec '${POLYFLAKE_ZIG}' ${CMAKE_MATCH_2} \"$@\"\n" @ONLY)
  file(CHMOD "${_zig_folder}/${CMAKE_MATCH_1}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()
set(CMAKE_C_COMPILER "${_zig_folder}/clang")
set(CMAKE_CXX_COMPILER "${_zig_folder}/clang++")
set(CMAKE_AR "${_zig_folder}/ar")
set(CMAKE_RANLIB "${_zig_folder}/ranlib")
# These take natives of every processor.
find_program(CMAKE_STRIP NAMES llvm-strip llvm-strip-14 REQUIRED)
find_program(CMAKE_OBJCOPY NAMES llvm-objcopy llvm-objcopy-14 REQUIRED)

# Equal bytes from any folder.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH _root)
foreach(_language C CXX)
  set(CMAKE_${_language}_FLAGS_INIT "-ffile-prefix-map=${_root}=.")
endforeach()

set(POLYFLAKE_OWN_LIBCXX ON)  # in each native
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)  # nothing of this machine is linked

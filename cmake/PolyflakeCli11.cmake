# polyflake_cli11: the headers of CLI11, for the programs that read arguments.
include_guard(GLOBAL)
if(POLYFLAKE_THIRD_PARTY)
  set(_cli11 "${POLYFLAKE_THIRD_PARTY}/cli11")
else()
  find_path(POLYFLAKE_CLI11 NAMES CLI/CLI.hpp DOC "Folder that holds the headers of CLI11, 2.1 or later (Debian: libcli11-dev)"
            NO_CMAKE_FIND_ROOT_PATH)
  if(NOT POLYFLAKE_CLI11)
    message(FATAL_ERROR "The programs of the command line need CLI11. Run tools/release/third_party.py, install it (Debian: libcli11-dev), set "
                        "POLYFLAKE_CLI11, or leave them out with POLYFLAKE_CLI=OFF and POLYFLAKE_SERVER=OFF")
  endif()
  set(_cli11 "${POLYFLAKE_CLI11}")
endif()
# By themselves: what else lies in that folder is of this system, and another one may be built for.
set(_cli11_headers "${PROJECT_BINARY_DIR}/cli11")
file(MAKE_DIRECTORY "${_cli11_headers}")
file(CREATE_LINK "${_cli11}/CLI" "${_cli11_headers}/CLI" SYMBOLIC COPY_ON_ERROR)
add_library(polyflake_cli11 INTERFACE)
target_include_directories(polyflake_cli11 SYSTEM INTERFACE "${_cli11_headers}")

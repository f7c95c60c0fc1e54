# What tests need of others, for another system than this: GoogleTest from its sources (Debian's googletest), and one library
# of headers alone, without the headers of this system beside it.
find_path(POLYFLAKE_GOOGLETEST NAMES googletest/src/gtest-all.cc PATHS /usr/src/googletest REQUIRED
          NO_CMAKE_FIND_ROOT_PATH)
find_path(POLYFLAKE_NLOHMANN NAMES nlohmann/json.hpp PATHS /usr/include REQUIRED NO_CMAKE_FIND_ROOT_PATH)

set(INSTALL_GTEST OFF)
set(BUILD_GMOCK OFF)
set(gtest_headers "${POLYFLAKE_GOOGLETEST}/googletest/include")
add_subdirectory("${POLYFLAKE_GOOGLETEST}" "${CMAKE_CURRENT_BINARY_DIR}/googletest" EXCLUDE_FROM_ALL)
target_compile_options(gtest PRIVATE -O1)  # a third of the time to compile

file(COPY "${POLYFLAKE_NLOHMANN}/nlohmann" DESTINATION "${CMAKE_CURRENT_BINARY_DIR}/headers")
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
target_include_directories(nlohmann_json::nlohmann_json INTERFACE "${CMAKE_CURRENT_BINARY_DIR}/headers")

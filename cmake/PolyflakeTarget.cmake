# polyflake_target(<target>): the language level, warnings and sanitizers that every target of ours shares.
function(polyflake_target target)
  target_compile_features(${target} PUBLIC cxx_std_17)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
                        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(POLYFLAKE_DEVELOPER)
    if(MSVC)
      target_compile_options(${target} PRIVATE /W4 /WX)
    else()
      target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
    endif()
  endif()
  if(NOT MSVC AND NOT APPLE)
    # A module leaves out what nothing calls, however many sources were compiled as one.
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
    target_link_options(${target} PRIVATE LINKER:--gc-sections)
  endif()
  if(NOT WIN32)
    # Hardening: the library runs inside other people's servers. On Windows it would need a library of its own, which
    # whoever links the core does not.
    target_compile_options(${target} PRIVATE -fstack-protector-strong)
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
      target_link_options(${target} PRIVATE LINKER:-z,relro,-z,now)
    endif()
  endif()
  get_target_property(type ${target} TYPE)
  if(POLYFLAKE_OWN_LIBCXX AND type MATCHES "MODULE|EXECUTABLE")  # set by zig.cmake
    target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/no_demangler.cpp")
  endif()
  if(POLYFLAKE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${POLYFLAKE_SANITIZE} -fno-omit-frame-pointer -g1)
    target_link_options(${target} PUBLIC -fsanitize=${POLYFLAKE_SANITIZE})
  endif()
endfunction()

# polyflake_module(<target> <name>...): a native that a language loads. It exports these names alone, so no other copy of a library
# that is in it can take its place. It stays loaded for the life of the process: the table of node ids in use is in it, and
# unloading it (a Node worker thread that ends, a class loader that is collected) would forget which ids were issued. All of its
# sources are compiled as one, since each unit would instantiate the templates of its binding again.
function(polyflake_module target)
  polyflake_target(${target})
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 0)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    list(JOIN ARGN "; " exports)
    set(script "${CMAKE_CURRENT_BINARY_DIR}/${target}.map")
    file(CONFIGURE OUTPUT "${script}" CONTENT "{ global: @exports@; local: *; };\n" @ONLY)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${script}")
    target_link_options(${target} PRIVATE LINKER:-z,nodelete "LINKER:--version-script=${script}")
  endif()
  polyflake_strip(${target})
endfunction()

set(POLYFLAKE_BUILD_ID "" CACHE STRING "Text that names the sources and tools, of which build ids are made. Empty: a digest of each link")

# polyflake_strip(<target>): a release build has no symbols in it. On Linux they are kept apart, in symbols/<target>.debug of the
# build folder; a build id says which link they are of. The digest of a link depends on the folder of the compiler, since what is
# stripped names the sources of its C++ library.
function(polyflake_strip target)
  if(NOT CMAKE_STRIP OR MSVC OR APPLE)
    return()
  endif()
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(id sha1)
    if(POLYFLAKE_BUILD_ID)
      string(SHA1 id "${POLYFLAKE_BUILD_ID} ${target}")
      string(PREPEND id 0x)
    endif()
    target_link_options(${target} PRIVATE LINKER:--build-id=${id})
    set(symbols "${PROJECT_BINARY_DIR}/symbols")
    file(MAKE_DIRECTORY "${symbols}")
    set(keep "${CMAKE_OBJCOPY};--only-keep-debug;--strip-debug;$<TARGET_FILE:${target}>;${symbols}/${target}.debug")
  endif()
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM COMMAND_EXPAND_LISTS
                     COMMAND "$<$<CONFIG:Release>:${keep}>"
                     COMMAND "$<$<CONFIG:Release>:${CMAKE_STRIP};$<TARGET_FILE:${target}>>")
endfunction()

# polyflake_bearssl: the objects of AES of the BearSSL in third_party/. polyflake_seal takes them in, so what links it needs no
# library of others. Their names stay inside of a module.
set(_bearssl "${POLYFLAKE_THIRD_PARTY}/bearssl")
file(GLOB _bearssl_sources CONFIGURE_DEPENDS "${_bearssl}/src/*/*.c")
add_library(polyflake_bearssl OBJECT ${_bearssl_sources})
target_include_directories(polyflake_bearssl PUBLIC "${_bearssl}/inc" PRIVATE "${_bearssl}/src")
# Its sources define static functions of the same names: each is compiled by itself.
set_target_properties(polyflake_bearssl PROPERTIES
  UNITY_BUILD OFF C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
if(NOT MSVC AND NOT APPLE)
  target_compile_options(polyflake_bearssl PRIVATE -ffunction-sections -fdata-sections -fstack-protector-strong)
endif()
if(POLYFLAKE_SANITIZE)
  target_compile_options(polyflake_bearssl PRIVATE -fsanitize=${POLYFLAKE_SANITIZE} -fno-omit-frame-pointer -g1)
endif()

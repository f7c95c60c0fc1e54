# BearSSL::bearssl, the static library: a package of ours must not need one that the system may not have.
find_path(BearSSL_INCLUDE_DIR NAMES bearssl.h)
find_library(BearSSL_LIBRARY NAMES "${CMAKE_STATIC_LIBRARY_PREFIX}bearssl${CMAKE_STATIC_LIBRARY_SUFFIX}")
mark_as_advanced(BearSSL_INCLUDE_DIR BearSSL_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(BearSSL REQUIRED_VARS BearSSL_LIBRARY BearSSL_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "Debian's package is libbearssl-dev")

if(BearSSL_FOUND AND NOT TARGET BearSSL::bearssl)
  add_library(BearSSL::bearssl STATIC IMPORTED)
  set_target_properties(BearSSL::bearssl PROPERTIES
    IMPORTED_LOCATION "${BearSSL_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${BearSSL_INCLUDE_DIR}")
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    # What a module takes in of it is nobody else's business.
    set_target_properties(BearSSL::bearssl PROPERTIES INTERFACE_LINK_OPTIONS
      "LINKER:--exclude-libs,${CMAKE_STATIC_LIBRARY_PREFIX}bearssl${CMAKE_STATIC_LIBRARY_SUFFIX}")
  endif()
endif()

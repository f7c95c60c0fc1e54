# Install rules: find_package(polyflake) gives polyflake::core, except on Windows polyflake::redis and the other stores that were
# built, and, if BearSSL was found, polyflake::seal and polyflake::kinds; from a build tree, too.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(TARGET polyflake_seal AND NOT TARGET polyflake_bearssl AND NOT WIN32)
  set(POLYFLAKE_NEEDS_BEARSSL ON)
else()
  set(POLYFLAKE_NEEDS_BEARSSL OFF)
endif()

install(TARGETS polyflake_core EXPORT polyflake-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(store IN ITEMS redis etcd)  # which need no library of others
  if(TARGET polyflake_${store})
    install(TARGETS polyflake_${store} EXPORT polyflake-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()
install(DIRECTORY core/include/polyflake "${PROJECT_BINARY_DIR}/core/include/polyflake"
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT polyflake-targets NAMESPACE polyflake:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/polyflake)
export(EXPORT polyflake-targets NAMESPACE polyflake:: FILE "${PROJECT_BINARY_DIR}/polyflake-targets.cmake")
# polyflake_install_store(<kind>): in a list of its own, since it needs a library that the machine of a user may not have.
function(polyflake_install_store kind)
  if(TARGET polyflake_${kind})
    set(targets polyflake-${kind}-targets)
    install(TARGETS polyflake_${kind} EXPORT ${targets} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT ${targets} NAMESPACE polyflake:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/polyflake)
    export(EXPORT ${targets} NAMESPACE polyflake:: FILE "${PROJECT_BINARY_DIR}/${targets}.cmake")
  endif()
endfunction()
polyflake_install_store(postgresql)
polyflake_install_store(zookeeper)
if(TARGET polyflake_zookeeper)
  install(FILES cmake/FindZooKeeper.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/polyflake)
  file(COPY cmake/FindZooKeeper.cmake DESTINATION "${PROJECT_BINARY_DIR}")
endif()
if(TARGET polyflake_seal)
  install(TARGETS polyflake_seal polyflake_kinds EXPORT polyflake-seal-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT polyflake-seal-targets NAMESPACE polyflake:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/polyflake)
  export(EXPORT polyflake-seal-targets NAMESPACE polyflake:: FILE "${PROJECT_BINARY_DIR}/polyflake-seal-targets.cmake")
  if(POLYFLAKE_NEEDS_BEARSSL)
    install(FILES cmake/FindBearSSL.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/polyflake)
    file(COPY cmake/FindBearSSL.cmake DESTINATION "${PROJECT_BINARY_DIR}")
  endif()
endif()

configure_package_config_file(cmake/polyflake-config.cmake.in polyflake-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/polyflake)
write_basic_package_version_file(polyflake-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/polyflake-config.cmake" "${PROJECT_BINARY_DIR}/polyflake-config-version.cmake"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/polyflake)

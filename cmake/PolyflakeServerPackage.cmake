# The Debian package of the id server: what it has besides the program, and what CPack has to know. tools/dev/server_package.sh
# makes it in a tree of its own, whose prefix is /usr.
set(_deploy "${PROJECT_SOURCE_DIR}/deploy")
set(_made "${PROJECT_BINARY_DIR}/server-package")
set(_extra COMPONENT server_package EXCLUDE_FROM_ALL)
set(CPACK_PACKAGE_CONTACT "The Polyflake authors <polyflake@users.noreply.github.com>")

install(FILES "${_deploy}/systemd/polyflaked.service" "${_deploy}/systemd/polyflaked.socket"
        DESTINATION lib/systemd/system ${_extra})
# It may get passwords of stores.
install(FILES "${_deploy}/debian/server.toml" DESTINATION /etc/polyflake PERMISSIONS OWNER_READ OWNER_WRITE ${_extra})
install(FILES "${_deploy}/debian/lintian-overrides" DESTINATION share/lintian/overrides RENAME polyflaked ${_extra})

string(TIMESTAMP _now "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file("${_deploy}/debian/changelog.in" "${_made}/changelog.Debian" @ONLY)
configure_file("${_deploy}/debian/polyflaked.8" "${_made}/polyflaked.8" COPYONLY)
execute_process(COMMAND gzip -9nkf changelog.Debian polyflaked.8 WORKING_DIRECTORY "${_made}" COMMAND_ERROR_IS_FATAL ANY)
install(FILES "${_made}/changelog.Debian.gz" DESTINATION share/doc/polyflaked ${_extra})
install(FILES "${_made}/polyflaked.8.gz" DESTINATION share/man/man8 ${_extra})
# The licenses of what is compiled in are in NOTICE.
file(READ "${PROJECT_SOURCE_DIR}/NOTICE" _notice)
file(WRITE "${_made}/copyright" "${_notice}\nOn Debian systems the Apache License is in /usr/share/common-licenses/Apache-2.0.\n")
install(FILES "${_made}/copyright" DESTINATION share/doc/polyflaked ${_extra})

set(CPACK_GENERATOR DEB)
set(CPACK_SET_DESTDIR ON)  # /etc is outside the prefix
set(CPACK_COMPONENTS_ALL server server_package)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGE_NAME polyflaked)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "id server: 64-bit ids that rise with time, over the network")
set(CPACK_PACKAGE_DESCRIPTION "Hands out ids over HTTP, the protocol of Redis, and the Thrift service of
Twitter's Snowflake. Any number of servers gives out ids of one space without
a leader: each has a node id of its own, which a store can lease.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE https://github.com/polyflake/polyflake)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
    "${_deploy}/debian/conffiles;${_deploy}/debian/postinst;${_deploy}/debian/prerm;${_deploy}/debian/postrm")
include(CPack)

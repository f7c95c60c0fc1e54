# ZooKeeper::client, the one for programs that call it from one thread at a time.
find_path(ZooKeeper_INCLUDE_DIR NAMES zookeeper/zookeeper.h)
find_library(ZooKeeper_LIBRARY NAMES zookeeper_st)
mark_as_advanced(ZooKeeper_INCLUDE_DIR ZooKeeper_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ZooKeeper REQUIRED_VARS ZooKeeper_LIBRARY ZooKeeper_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "Debian's package is libzookeeper-st-dev")

if(ZooKeeper_FOUND AND NOT TARGET ZooKeeper::client)
  add_library(ZooKeeper::client UNKNOWN IMPORTED)
  set_target_properties(ZooKeeper::client PROPERTIES
    IMPORTED_LOCATION "${ZooKeeper_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${ZooKeeper_INCLUDE_DIR}")
endif()

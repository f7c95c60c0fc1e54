# A library for each kind of store that needs no carrier of the user. Those but Redis need a client or libraries, so they are
# options.

# These libraries share it. Each has it, since a program may link several of them.
add_library(polyflake_connection OBJECT src/open/server_address.cpp src/os/posix_connection.cpp)
target_include_directories(polyflake_connection PRIVATE $<TARGET_PROPERTY:polyflake_core,INCLUDE_DIRECTORIES>)
polyflake_target(polyflake_connection)
# As an object of its own, which the linker takes once.
set_target_properties(polyflake_connection PROPERTIES UNITY_BUILD OFF)

# All of them that are built.
add_custom_target(polyflake_stores)

# polyflake_store(<kind> <source>...): the library polyflake::<kind>.
function(polyflake_store kind)
  set(target polyflake_${kind})
  add_library(${target} STATIC ${ARGN} $<TARGET_OBJECTS:polyflake_connection>)
  add_library(polyflake::${kind} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${kind})
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
  target_link_libraries(${target} PUBLIC polyflake::core)
  polyflake_target(${target})
  add_dependencies(polyflake_stores ${target})
endfunction()

polyflake_store(redis src/open/redis_carrier.cpp src/open/redis_server.cpp src/open/resp.cpp)

if(POLYFLAKE_POSTGRESQL)
  find_package(PostgreSQL REQUIRED)  # libpq; Debian's package is libpq-dev
  polyflake_store(postgresql src/open/postgresql_carrier.cpp src/open/postgresql_connection.cpp src/open/postgresql_server.cpp)
  target_link_libraries(polyflake_postgresql PRIVATE PostgreSQL::PostgreSQL)
endif()

if(POLYFLAKE_ETCD)
  # Headers alone, which a program that links the library does not need.
  find_package(Boost 1.74 REQUIRED)
  find_package(nlohmann_json REQUIRED)
  polyflake_store(etcd src/open/base64.cpp src/open/etcd_carrier.cpp src/open/etcd_texts.cpp src/open/http_exchange.cpp)
  target_link_libraries(polyflake_etcd PRIVATE $<BUILD_INTERFACE:Boost::headers> $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
endif()

if(POLYFLAKE_ZOOKEEPER)
  find_package(ZooKeeper REQUIRED)
  polyflake_store(zookeeper src/open/zookeeper_carrier.cpp src/open/zookeeper_session.cpp)
  target_link_libraries(polyflake_zookeeper PRIVATE ZooKeeper::client)
endif()

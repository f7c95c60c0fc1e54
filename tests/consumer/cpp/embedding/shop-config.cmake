include(CMakeFindDependencyMacro)
find_dependency(polyflake)
include("${CMAKE_CURRENT_LIST_DIR}/shop-targets.cmake")

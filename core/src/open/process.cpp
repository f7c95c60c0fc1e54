#include <polyflake/process.hpp>

#include "issue/node_table.hpp"
#include "lease/store_warning.hpp"
#include "open/container_layer.hpp"

namespace polyflake {

void release_all() noexcept { NodeTable::close_existing(); }

std::string take_warning() {
  std::string of_container = take_container_warning();
  return of_container.empty() ? lease::take_store_warning() : of_container;
}

}  // namespace polyflake

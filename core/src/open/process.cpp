#include <polyflake/process.hpp>

#include "issue/node_table.hpp"
#include "issue/number_mark.hpp"
#include "lease/store_warning.hpp"
#include "open/container_layer.hpp"

namespace polyflake {

void release_all() noexcept { NodeTable::close_existing(); }

std::string take_warning() {
  for (const auto take : {take_container_warning, lease::take_store_warning, take_number_warning}) {
    if (std::string text = take(); !text.empty()) return text;
  }
  return {};
}

}  // namespace polyflake

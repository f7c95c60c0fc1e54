// Options that say the node id, and nothing more than tests of it need.
#pragma once

#include <polyflake/options.hpp>

namespace polyflake::test {

inline Options with_worker(const Worker& worker, const Layout& layout = "polyflake") {
  Options options;
  options.worker = worker;
  options.layout = layout;
  return options;
}

}  // namespace polyflake::test

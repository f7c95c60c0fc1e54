// A registry folder, and a clock that only tests and sleepers move, the same for all processes of a test.
#pragma once

#include <gtest/gtest.h>

#include <polyflake/layout.hpp>

#include <cstdint>
#include <filesystem>
#include <string>

#include "../core/fresh_home.hpp"
#include "../core/node_files.hpp"
#include "sibling.hpp"
#include "system_calls.hpp"

namespace polyflake::test {

class StoppedTime : public testing::Test {
 protected:
  static constexpr long kWindow = 2, kBeyondAWindow = 3;  // seconds

  StoppedTime() {
    set_clock_ahead(3600);  // so that no change of a file looks as if it came after what is written in it
    let_sleepers_pass_time();
    stop_clock();
    share_clock();
  }
  ~StoppedTime() override { go_by_the_true_clock(); }

  std::string path(std::uint64_t node) const { return node_path(home.path(), "polyflake", node); }
  std::string folder() const { return std::filesystem::path(path(0)).parent_path(); }

  const FreshHome home;
};

}  // namespace polyflake::test

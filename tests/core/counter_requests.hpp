// Random requests to a counter in a real store, each compared with the rules of a store in C++.
#pragma once

#include <polyflake/counter_store.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace polyflake::test {

struct Compared {
  std::map<std::string, int> outcomes;  // how often each came
  std::vector<std::string> differences;
};

// Requires: a namespace, and no such counter in it. Nothing else uses the counter meanwhile.
Compared compare_with_rules(CounterStore& store, const std::string& counter, int requests, std::uint64_t seed);

}  // namespace polyflake::test

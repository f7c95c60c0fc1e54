// The counters of a namespace, for operators.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <polyflake/counter_state.hpp>

#include "facade/lease.hpp"

namespace polyflake::facade {

// Lists the counters; the result is there once step() says "done".
class CounterList : public StoreSession {
 public:
  // Errors: option_invalid.
  CounterList(const StoreAddress& address, const std::string& placeholder);

  std::size_t count() const;
  const polyflake::CounterState& state(std::size_t i) const;
  // Returns the members of a state as texts, in the order of CounterState::each(): "true" or
  // "false" for a bool, "" for nothing.
  std::vector<std::string> texts(std::size_t i) const;

 private:
  struct Asked;
  std::shared_ptr<Asked> asked_;
};

}  // namespace polyflake::facade

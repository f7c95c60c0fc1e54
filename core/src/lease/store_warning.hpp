// The warning that a store keeps its word only with an operator's help. Given once per process,
// after an opening.
#pragma once

#include <string>

namespace polyflake::lease {

// Remembers the first text of this process. Thread safety: any thread; without a lock, so a fork in
// between does no harm.
void warn_of_store(const std::string& text);

// Returns that text; "" if there is none or it was taken before.
std::string take_store_warning();

}  // namespace polyflake::lease

// A registry folder private to one container: other containers from the same image issue the same
// ids.
#pragma once

#include <string>

namespace polyflake {

// Remembers whether the folder is such a one. For callers that did not choose a worker. Does
// nothing if POLYFLAKE_HOME is set.
void look_for_container_layer(const std::string& home);

// Returns the warning about that folder, once per process; "" if there is none.
std::string take_container_warning();

}  // namespace polyflake

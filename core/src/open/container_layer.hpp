// A registry folder that a container has for itself: other containers from the same image issue the same ids.
#pragma once

#include <string>

namespace polyflake {

// Where nobody chose a worker: take_warning() says so if the folder is such a one and POLYFLAKE_HOME is not set.
void look_for_container_layer(const std::string& home);

}  // namespace polyflake

// A registry folder that a container has for itself: other containers from the same image issue the same ids.
#pragma once

#include <string>

namespace polyflake {

// Where nobody chose a worker: remembers whether the folder is such a one. Not where POLYFLAKE_HOME is set.
void look_for_container_layer(const std::string& home);

// What is to be said of that, "" when nothing. Given once a process.
std::string take_container_warning();

}  // namespace polyflake

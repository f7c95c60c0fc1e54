// What tests ask of the operating system, the same on each.
#pragma once

#if defined(_WIN32)
#include "windows_system.hpp"
#else
#include "posix_system.hpp"
#endif

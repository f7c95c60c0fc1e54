// A disk that fails: which call of the library's does next. posix_broken_disk.cpp and windows_broken_disk.cpp stand in the
// place of the system's functions.
#pragma once

#include <atomic>

enum class Broken { none, write, torn_write, flush };
extern std::atomic<Broken> g_broken;

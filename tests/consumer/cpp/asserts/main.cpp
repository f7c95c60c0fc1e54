// The library leaves the asserts of the program that takes it in alone.
#include <polyflake/polyflake.hpp>

#include <cassert>
#include <csignal>
#include <cstdlib>

int main() {
  std::signal(SIGABRT, [](int) { std::_Exit(0); });
  assert(polyflake::Layout("polyflake").unpack(0).node == 1);
  return 1;  // the assert is gone
}

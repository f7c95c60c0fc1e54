// Stands in for the demangler of libc++abi in a native that has its own C++ library. The demangler would be a tenth of the native,
// to print the type of an exception that nothing catches. Without it std::terminate prints the symbol of the type.
#include <cstddef>

extern "C" char* __cxa_demangle(const char*, char*, std::size_t*, int* status) {
  constexpr int kNotAValidName = -2;
  if (status != nullptr) *status = kNotAValidName;
  return nullptr;
}

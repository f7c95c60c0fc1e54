#include "broken_disk.hpp"

#include <windows.h>

std::atomic<Broken> g_broken{Broken::none};

namespace {

template <class Function>
Function* systems_own(const char* name) {
  return reinterpret_cast<Function*>(
      reinterpret_cast<void*>(::GetProcAddress(::GetModuleHandleW(L"kernel32.dll"), name)));
}

BOOL fail(DWORD error) {
  ::SetLastError(error);
  return FALSE;
}

BOOL WINAPI write_file(HANDLE file, LPCVOID bytes, DWORD size, LPDWORD written, LPOVERLAPPED place) {
  if (g_broken == Broken::write) return fail(ERROR_DISK_FULL);
  static const auto own = systems_own<decltype(write_file)>("WriteFile");
  return own(file, bytes, g_broken == Broken::torn_write ? size / 2 : size, written, place);
}

BOOL WINAPI flush_file_buffers(HANDLE file) {
  if (g_broken == Broken::flush) return fail(ERROR_IO_DEVICE);
  static const auto own = systems_own<decltype(flush_file_buffers)>("FlushFileBuffers");
  return own(file);
}

}  // namespace

// Where the library's calls look for the functions of other libraries, by the names that these places have on x86-64. The linker
// of MinGW-w64 takes a place that the program defines instead of the system's; whether others do has not been seen.
extern "C" {
decltype(&write_file) __imp_WriteFile = write_file;
decltype(&flush_file_buffers) __imp_FlushFileBuffers = flush_file_buffers;
}

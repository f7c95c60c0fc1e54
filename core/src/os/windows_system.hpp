// Windows' own header, and the code its files here share: texts, handles and times.
#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace polyflake::platform {

std::wstring wide(std::string_view utf8);
std::string narrow(std::wstring_view text);

// Returns a path in the system's form: absolute, with its own separators, of any length.
std::wstring system_path(const std::string& path);
std::wstring without_prefix(const std::wstring& path);  // the inverse, for a long path

class Handle {
 public:
  Handle() = default;
  explicit Handle(HANDLE handle) : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() {
    if (handle_ == nullptr) return;
    const DWORD error = ::GetLastError();
    ::CloseHandle(handle_);
    ::SetLastError(error);  // keeps the error of an earlier call
  }

  explicit operator bool() const { return handle_ != nullptr; }
  HANDLE get() const { return handle_; }

 private:
  HANDLE handle_ = nullptr;
};

// Returns Unix ns. since_1601: in units of 100 ns.
inline std::int64_t unix_ns(std::int64_t since_1601) {
  constexpr std::int64_t kFrom1601To1970 = 116'444'736'000'000'000;
  return (since_1601 - kFrom1601To1970) * 100;
}
inline std::int64_t since_1601(const FILETIME& time) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(time.dwHighDateTime) << 32 | time.dwLowDateTime);
}

}  // namespace polyflake::platform

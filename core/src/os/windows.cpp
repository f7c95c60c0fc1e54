#include "os/os.hpp"

#include <algorithm>
#include <new>

#include "os/failure.hpp"
#include "os/owner.hpp"
#include "os/random.hpp"
#include "os/windows_system.hpp"

// Declared here because its header needs others: RtlGenRandom, under the name of ntsecapi.h.
extern "C" BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG size);  // NOLINT(readability-identifier-naming)

namespace polyflake::platform {

std::wstring wide(std::string_view utf8) {
  const int given = static_cast<int>(utf8.size());
  const int size = ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), given, nullptr, 0);
  std::wstring text(static_cast<std::size_t>(size), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), given, text.data(), size);
  return text;
}

std::string narrow(std::wstring_view text) {
  const int given = static_cast<int>(text.size());
  const int size = ::WideCharToMultiByte(CP_UTF8, 0, text.data(), given, nullptr, 0, nullptr, nullptr);
  std::string utf8(static_cast<std::size_t>(size), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, text.data(), given, utf8.data(), size, nullptr, nullptr);
  return utf8;
}

std::string last_error() {
  const DWORD error = ::GetLastError();
  wchar_t text[512];
  const DWORD size = ::FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, error, 0,
                                      text, sizeof text / sizeof *text, nullptr);
  std::string said = narrow({text, size});
  said.erase(said.find_last_not_of(" .\r\n") + 1);
  const std::string number = "error " + std::to_string(error);
  return said.empty() ? number : said + " (" + number + ")";
}

void random_bytes(void* bytes, std::size_t n) {
  if (!::SystemFunction036(bytes, static_cast<ULONG>(n))) refuse_without_random_bytes();
}

std::string host_name() {
  wchar_t name[256];
  DWORD size = sizeof name / sizeof *name;
  if (!::GetComputerNameExW(ComputerNameDnsHostname, name, &size)) return {};
  return narrow({name, size});
}

std::string read_machine_id() {
  // RRF_SUBKEY_WOW6464KEY, so that programs of 32 bits read the same key.
  constexpr DWORD kOf64Bits = 0x00010000;
  wchar_t id[64] = {};
  DWORD size = sizeof id - sizeof *id;
  const LSTATUS failed = ::RegGetValueW(HKEY_LOCAL_MACHINE, L"SOFTWARE\\Microsoft\\Cryptography", L"MachineGuid",
                                        RRF_RT_REG_SZ | kOf64Bits, nullptr, id, &size);
  const std::string text = failed == ERROR_SUCCESS ? narrow(id) : "";
  return text.empty() ? "-" : text.substr(0, 36);
}

std::uint64_t process_number() { return ::GetCurrentProcessId(); }

bool is_running(std::uint64_t process_number) {
  const Handle process(::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, static_cast<DWORD>(process_number)));
  if (!process) return ::GetLastError() == ERROR_ACCESS_DENIED;
  DWORD code = 0;
  return ::GetExitCodeProcess(process.get(), &code) && code == STILL_ACTIVE;
}

std::optional<std::string> environment(const char* variable) {
  const std::wstring name = wide(variable);
  std::wstring value(128, L'\0');
  for (;;) {
    ::SetLastError(ERROR_SUCCESS);  // an empty value leaves it unchanged
    const DWORD size = ::GetEnvironmentVariableW(name.c_str(), value.data(), static_cast<DWORD>(value.size()));
    if (size == 0 && ::GetLastError() != ERROR_SUCCESS) return std::nullopt;
    const bool complete = size < value.size();
    value.resize(size);
    if (complete) return narrow(value);
  }
}

// Windows has no pthread_cancel.
Uncancelled::Uncancelled() noexcept = default;
Uncancelled::~Uncancelled() = default;

// Windows does not tell.
bool tsc_keeps_time() { return false; }

std::int64_t clock_ns() {
  FILETIME now;
  ::GetSystemTimePreciseAsFileTime(&now);
  return unix_ns(since_1601(now));
}

std::int64_t file_clock_ms() {
  FILETIME now;
  ::GetSystemTimeAsFileTime(&now);
  return unix_ns(since_1601(now)) / 1'000'000;
}

namespace {

std::int64_t steady_ns() {
  LARGE_INTEGER count, per_second;
  ::QueryPerformanceCounter(&count);
  ::QueryPerformanceFrequency(&per_second);
  const std::int64_t seconds = count.QuadPart / per_second.QuadPart;
  return seconds * 1'000'000'000 + count.QuadPart % per_second.QuadPart * 1'000'000'000 / per_second.QuadPart;
}

Handle make_timer() {
  // CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, since Windows 10 1803.
  constexpr DWORD kHighResolution = 2;
  Handle timer(::CreateWaitableTimerExW(nullptr, nullptr, kHighResolution, TIMER_ALL_ACCESS));
  return timer ? std::move(timer) : Handle(::CreateWaitableTimerExW(nullptr, nullptr, 0, TIMER_ALL_ACCESS));
}

}  // namespace

// Sleep() counts ticks of up to 16 ms, and does not return how long it slept.
std::int64_t sleep_ns(std::int64_t ns) {
  const std::int64_t began = steady_ns();
  const Handle timer = make_timer();
  LARGE_INTEGER relative;
  relative.QuadPart = -std::max<std::int64_t>((ns + 99) / 100, 1);
  if (timer && ::SetWaitableTimer(timer.get(), &relative, 0, nullptr, nullptr, FALSE)) {
    ::WaitForSingleObject(timer.get(), INFINITE);
  } else {
    ::Sleep(static_cast<DWORD>((ns + 999'999) / 1'000'000));
  }
  return steady_ns() - began;
}

// Windows does not copy processes.
void* make_wiped_page(void (*)()) {
  constexpr std::size_t kPage = 4096;
  void* const memory = ::VirtualAlloc(nullptr, kPage, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void drop_page(void* page) { ::VirtualFree(page, 0, MEM_RELEASE); }

void close_inherited() noexcept {}

}  // namespace polyflake::platform

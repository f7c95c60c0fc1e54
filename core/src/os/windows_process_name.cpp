#include "os/process_name.hpp"

#include "os/windows_system.hpp"

namespace polyflake {

// A mutex that no thread waits for.
struct ProcessName::Holder {
  platform::Handle mutex;
};

ProcessName::ProcessName() = default;
ProcessName::~ProcessName() = default;

std::string ProcessName::process() {
  FILETIME created = {}, unused;
  ::GetProcessTimes(::GetCurrentProcess(), &created, &unused, &unused, &unused);
  return std::to_string(::GetCurrentProcessId()) + "/" + std::to_string(platform::since_1601(created));
}

ProcessName::Take ProcessName::take(const std::string& name) {
  auto made = std::make_unique<Holder>();
  made->mutex = platform::Handle(::CreateMutexW(nullptr, FALSE, platform::wide("Local\\" + name).c_str()));
  const DWORD error = ::GetLastError();
  // A process that may not open it, or finds another kind of object, knows that the name is in use.
  if (error == ERROR_ALREADY_EXISTS || error == ERROR_ACCESS_DENIED || error == ERROR_INVALID_HANDLE)
    return Take::by_another;
  if (!made->mutex) return Take::failed;
  holder_ = std::move(made);
  return Take::done;
}

}  // namespace polyflake

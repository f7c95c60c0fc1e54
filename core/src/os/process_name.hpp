// A name that the kernel gives to one holder and takes back when that is gone: all copies of this library in a process see
// it, and nothing is left behind.
#pragma once

#include <memory>
#include <string>

namespace polyflake {

class ProcessName {
 public:
  ProcessName();
  ~ProcessName();

  // What tells this process from every other one, also from one that is given its number later. Never changed: copies of
  // all versions of this library must agree on it.
  static std::string process();

  // by_another: another copy of the library in this process has it. impossible: there are no such names here, or they are
  // forbidden. failed: see platform::last_error().
  enum class Take { done, by_another, impossible, failed };
  Take take(const std::string& name);
  bool taken() const { return holder_ != nullptr; }

 private:
  struct Holder;
  std::unique_ptr<Holder> holder_;
};

}  // namespace polyflake

// A name that the kernel gives to one holder and takes back when the holder is gone: every copy of
// this library in the process sees it, and nothing is left behind.
#pragma once

#include <memory>
#include <string>

namespace polyflake {

class ProcessName {
 public:
  ProcessName();
  ~ProcessName();

  // Returns a text that tells this process from every other, even from a later one with the same
  // number. Must never change: all versions of this library must agree on it.
  static std::string process();

  // by_another: another copy of the library in this process has it. impossible: such names do not
  // exist here, or are forbidden. failed: see platform::last_error().
  enum class Take { done, by_another, impossible, failed };
  Take take(const std::string& name);
  bool taken() const { return holder_ != nullptr; }

 private:
  struct Holder;
  std::unique_ptr<Holder> holder_;
};

}  // namespace polyflake

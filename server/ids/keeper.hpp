// The keeper: a thread that renews windows of node ids ahead of need, so that no request waits for
// a write to the registry of this host.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "ids/source.hpp"

namespace polyflake::server {

class Keeper {
 public:
  // Requires: the sources last as long as this object.
  explicit Keeper(std::vector<Source*> sources);
  ~Keeper();  // waits for a write that is under way
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

 private:
  void run();

  const std::vector<Source*> sources_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace polyflake::server

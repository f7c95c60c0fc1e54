// Opens what a configuration names: generators, counters and their stores.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "configuration/configuration.hpp"
#include "ids/source.hpp"

namespace polyflake::server {

// A thread that opens all sources, so that the event loop hears signals while one waits for a node
// id. Thread safety: one thread at a time.
class Opening {
 public:
  using Sources = std::vector<std::unique_ptr<Source>>;

  // done: called once on that thread, when all are open or one has failed. Requires: the
  // configuration lasts as long as this object.
  Opening(const Configuration& configuration, std::function<void()> done);
  ~Opening();
  Opening(const Opening&) = delete;
  Opening& operator=(const Opening&) = delete;

  // Returns the sources: generators, then counters, each in the order of the configuration. Blocks:
  // until each has its node id, or the counter was read. Errors: as opening a Generator or a
  // Segment; then what was open is closed.
  Sources finish();
  // Closes what is open so far. Blocks: I/O. Requires: the process ends after that.
  void give_back() noexcept;

 private:
  void run(const Configuration& configuration);
  void keep(std::unique_ptr<Source> source);
  void close_all() noexcept;

  std::mutex mutex_;
  Sources opened_;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace polyflake::server

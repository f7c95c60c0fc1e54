#include "ids/keeper.hpp"

#include <chrono>
#include <exception>
#include <utility>

namespace polyflake::server {

Keeper::Keeper(std::vector<Source*> sources) : sources_(std::move(sources)), thread_([this] { run(); }) {}

Keeper::~Keeper() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Keeper::run() {
  constexpr std::chrono::milliseconds kPeriod(500);  // a quarter of the window of a registry
  std::unique_lock<std::mutex> lock(mutex_);
  while (!ended_) {
    lock.unlock();
    for (Source* const source : sources_) {
      try {
        source->renew();
      } catch (const std::exception&) {
        // The next request reports it, or finds it mended.
      }
    }
    lock.lock();
    changed_.wait_for(lock, kPeriod, [this] { return ended_; });
  }
}

}  // namespace polyflake::server

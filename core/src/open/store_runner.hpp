// The thread that keeps a lease over a C++ store.
#pragma once

#include <polyflake/store.hpp>

#include <condition_variable>
#include <memory>
#include <mutex>

#include "open/lease.hpp"

namespace polyflake::lease {

// The thread is never joined: it may be in a call of the store that does not return. It shares
// ownership of everything it needs.
class StoreRunner : public std::enable_shared_from_this<StoreRunner> {
 public:
  StoreRunner(std::shared_ptr<Store> store, std::shared_ptr<Lease> lease)
      : store_(std::move(store)), lease_(std::move(lease)) {}

  void start();
  // Blocks: until there is a window. Errors: the reason why there will be none.
  void wait_until_granted();
  // Renews at once. Blocks: until the renewal is confirmed. Errors: the reason why it is not.
  void renew();
  // Gives the node id back and ends the thread. Blocks: half a second at most.
  void stop() noexcept;

 private:
  void run() noexcept;
  bool step();
  void follow(const Action& action);

  const std::shared_ptr<Store> store_;
  const std::shared_ptr<Lease> lease_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool granted_ = false;
  bool ended_ = false;
  bool woken_ = false;
};

}  // namespace polyflake::lease

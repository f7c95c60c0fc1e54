// A run: requests of a connection that want ids of one queue, and the replies to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "protocol.hpp"
#include "refusal.hpp"

namespace polyflake::server {

class Run {
 public:
  // Begins another one. Replies stay.
  void begin();
  // Adds a request that wants ids. If its rate is used up, refuses it at once when the run is empty;
  // else returns false and changes nothing: the replies before it come first.
  bool add(Protocol& protocol, const Request& request);

  bool empty() const { return requests_.empty(); }
  const Request& first() const { return requests_.front(); }
  std::size_t wanted() const { return wanted_; }  // ids that are missing

  // Gives the next ids that are wanted, at most those. Errors: std::bad_alloc.
  void give(Protocol& protocol, const std::uint64_t* ids, std::size_t count);
  // Refuses what has no reply yet. Errors: std::bad_alloc.
  void refuse(Protocol& protocol, const Refusal& refusal);
  // Gives up what has no reply yet.
  void drop() noexcept { wanted_ = 0; }

  std::string& replies() { return replies_; }
  const std::string& replies() const { return replies_; }

  // Leaves nothing, but keeps the memory.
  void clear();

 private:
  std::vector<Request> requests_;
  std::size_t replied_ = 0;  // how many of them have their reply
  std::size_t wanted_ = 0;
  std::vector<std::uint64_t> some_;  // ids of the next one, until it has all
  std::string replies_;
};

}  // namespace polyflake::server

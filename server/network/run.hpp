// A run: requests of a connection that want ids of one queue, and the replies to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ids/refusal.hpp"
#include "network/protocol.hpp"

namespace polyflake::server {

class Run {
 public:
  // Begins another one. Replies stay.
  void begin() noexcept;
  // Adds a request that wants ids. If its rate is used up, refuses it at once when the run is
  // empty; else it comes later, and nothing has changed: the replies before it come first.
  enum class Added { yes, later, refused };
  Added add(Protocol& protocol, const Request& request);

  bool empty() const { return requests_.empty(); }
  const Request& first() const { return requests_.front(); }
  std::size_t wanted() const { return wanted_; }  // ids that are missing

  const std::vector<Request>& requests() const { return requests_; }
  std::size_t ids() const { return ids_; }          // of all requests
  std::size_t refused() const { return refused_; }  // of the requests
  std::string_view code() const { return code_; }   // why, of refusal_codes()

  // Gives the next ids that are wanted, at most those. Errors: std::bad_alloc.
  void give(Protocol& protocol, const std::uint64_t* ids, std::size_t count);
  // Refuses what has no reply yet. Errors: std::bad_alloc.
  void refuse(Protocol& protocol, const Refusal& refusal);
  // Gives up what has no reply yet.
  void drop() noexcept { begin(); }

  std::string& replies() { return replies_; }
  const std::string& replies() const { return replies_; }

  // Leaves nothing, but keeps the memory.
  void clear();

 private:
  std::vector<Request> requests_;
  std::size_t replied_ = 0;  // how many of them have their reply
  std::size_t wanted_ = 0;
  std::size_t ids_ = 0;
  std::size_t refused_ = 0;
  std::string_view code_;
  std::vector<std::uint64_t> some_;  // ids of the next one, until it has all
  std::string replies_;
};

}  // namespace polyflake::server

// Protocols: how requests are read and replies are written. No I/O: tests and fuzzers put bytes in
// and look at what comes out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "access/rate.hpp"
#include "ids/queue.hpp"
#include "ids/refusal.hpp"

namespace polyflake::server {

class Service;

// One request, as its protocol read it.
struct Request {
  std::size_t length = 0;   // bytes that it took; 0: not whole yet
  Queue* queue = nullptr;   // where its ids come from; null: it needs none
  Rate* rate = nullptr;     // what they count against; null: nothing
  std::uint32_t ids = 0;    // how many; at least 1 if it has a queue
  std::uint16_t form = 0;   // the protocol's own: which reply it gets
  std::int32_t tag = 0;     // the protocol's own, too
  bool last = false;        // the connection ends after its reply
  std::uint64_t after = 0;  // ids must be above this one; 0: any
};

// The protocol of one connection. Text is what a client sent: untrusted.
class Protocol {
 public:
  virtual ~Protocol() = default;

  // Returns "resp", "http" or "thrift".
  virtual const char* name() const = 0;

  // Reads the first request of `input`, and changes nothing else: it may be asked for the same one
  // again. Reports input that it cannot understand as a request without ids, whose reply is an
  // error; sets `last` if it cannot find the next request.
  virtual Request read(std::string_view input) = 0;

  // Appends the reply to the request that was read last, which needs no id. Returns the code of the
  // refusal if that is one, else "". The text lasts until the next call.
  virtual std::string_view answer(const Request& request, std::string& out) = 0;

  // Appends the reply that gives its ids: request.ids of them.
  virtual void give(const Request& request, const std::uint64_t* ids, std::string& out) = 0;

  // Appends the reply that refuses it.
  virtual void refuse(const Request& request, const Refusal& refusal, std::string& out) = 0;

  // Returns the most bytes that an id takes in a reply.
  virtual std::size_t bytes_per_id() const = 0;

  // Appends what a client is told whose connection is one too many.
  virtual void refuse_connection(std::string& out) = 0;
};

}  // namespace polyflake::server

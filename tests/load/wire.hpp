// Wires: how a protocol asks for ids, and what its replies say. No I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "options.hpp"

namespace polyflake::load {

struct Reply {
  std::size_t length = 0;  // bytes that it took; 0: not whole yet
  std::string error;       // the code of its error; "": it gave ids
};

// A reply of another form than the protocol has, or that answers another request.
class UnreadableReply : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Wire {
 public:
  virtual ~Wire() = default;

  // Appends a request. number: of the request on its connection.
  virtual void ask(std::uint32_t number, std::string& out) const = 0;

  // Reads the first reply of `input` and puts its ids into `ids`, which is what it was if the reply
  // is not whole. expected: number of the request that it must answer. Errors: UnreadableReply.
  virtual Reply read(std::string_view input, std::uint32_t expected, std::vector<std::uint64_t>& ids) const = 0;
};

std::unique_ptr<Wire> resp_wire(const Options& options);
std::unique_ptr<Wire> http_wire(const Options& options);
std::unique_ptr<Wire> thrift_wire(const Options& options);
std::unique_ptr<Wire> wire_of(const Options& options);

// Returns the number that a text of digits is. Errors: UnreadableReply.
std::uint64_t number_of(std::string_view digits);

}  // namespace polyflake::load

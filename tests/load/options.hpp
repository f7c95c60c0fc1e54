// The command line of polyflake_load.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace polyflake::load {

struct Options {
  enum class Protocol { resp, http, thrift } protocol = Protocol::resp;
  enum class Mode { closed_loop, open_loop, never_read, idle } mode = Mode::closed_loop;
  std::string address;  // "HOST:PORT" of TCP, or "unix:PATH"
  std::string key = "orders";
  bool framed = false;      // Thrift: each message after its length
  std::uint32_t batch = 0;  // ids of a request; 0: the request for one id, which is INCR in RESP
  std::size_t connections = 1;
  std::size_t depth = 1;  // requests under way on a connection, in a closed loop
  double rate = 0;        // requests a second, in an open loop
  double seconds = 2;
  double late_ms = 0.5;  // a request sent later than this after its plan is in no percentile
  int pid = 0;           // of the server; 0: its CPU time and memory are not looked at

  // Returns the number of ids that a reply must give.
  std::size_t ids_wanted() const { return batch == 0 ? 1 : batch; }
};

// Reads the command line. Returns nothing if the program is to end with `status`: with 0, since it
// printed the text of --help, or with 2, since it printed an error.
std::optional<Options> read_options(int count, char** arguments, int& status);

}  // namespace polyflake::load

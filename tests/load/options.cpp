#include "options.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <limits>
#include <map>

namespace polyflake::load {
namespace {

constexpr const char* kPurpose =
    "Asks an id server, or Redis, for ids and checks every one: none may come twice, and they rise on each connection. "
    "Prints one JSON object.";
constexpr const char* kEnd =
    "\nModes:\n"
    "  closed loop   each connection sends --depth requests, reads all replies, and sends the next\n"
    "  --rate        open loop: a request has an instant at which it is due, and its latency counts from there\n"
    "  --never-read  each connection sends --depth requests and reads nothing\n"
    "  --idle N      N connections say nothing for --seconds; then each asks once\n"
    "\nExit status: 0; 1: an id came twice or did not rise; 2: wrong arguments, no connection or an unreadable reply.\n";

// Has a port number, or names a Unix socket.
std::string check_address(const std::string& text) {
  if (text.rfind("unix:", 0) == 0 && text.size() > 5) return "";
  const std::size_t colon = text.rfind(':');
  const std::string port = colon == std::string::npos ? "" : text.substr(colon + 1);
  const bool digits = !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == std::string::npos;
  if (colon != 0 && digits && std::stoi(port) >= 1 && std::stoi(port) <= 65535) return "";
  return "'" + text + "' is not HOST:PORT with a port of 1 to 65535, nor unix:PATH";
}

// Checks what one option cannot see alone.
void check_together(const Options& options) {
  if (options.framed && options.protocol != Options::Protocol::thrift) {
    throw CLI::ValidationError("--framed", "is for --protocol thrift alone");
  }
  if (options.mode == Options::Mode::open_loop && options.depth != 1) {
    throw CLI::ValidationError("--depth", "is for the closed loop and --never-read: leave it out with --rate");
  }
}

}  // namespace

std::optional<Options> read_options(int count, char** arguments, int& status) {
  Options options;
  bool never_read = false;
  std::size_t idle = 0;
  CLI::App app(kPurpose, "polyflake_load");
  app.footer(kEnd);
  const std::map<std::string, Options::Protocol> protocols = {
      {"resp", Options::Protocol::resp}, {"http", Options::Protocol::http}, {"thrift", Options::Protocol::thrift}};
  const CLI::Range many(std::size_t{1}, std::size_t{1'000'000});
  const CLI::Range positive(0.001, 1e9);
  app.add_option("--protocol", options.protocol, "resp, http or thrift")->transform(CLI::CheckedTransformer(protocols));
  app.add_option("--address", options.address, "HOST:PORT or unix:PATH")->required()->check(check_address);
  app.add_option("--key", options.key, "what ids are asked for; with thrift the user agent");
  app.add_flag("--framed", options.framed, "thrift: framed messages");
  app.add_option("--batch", options.batch, "ids of a request; without it a request asks for one, in RESP by INCR")
      ->check(CLI::Range(1, std::numeric_limits<std::int32_t>::max()));
  app.add_option("--connections", options.connections, "how many")->check(many);
  app.add_option("--depth", options.depth, "requests that a connection sends at once")->check(many);
  auto* rate =
      app.add_option("--rate", options.rate, "open loop: requests a second, of all connections")->check(positive);
  auto* silent = app.add_flag("--never-read", never_read, "send requests, read nothing")->excludes(rate);
  auto* quiet =
      app.add_option("--idle", idle, "open so many connections")->check(many)->excludes(rate)->excludes(silent);
  app.add_option("--seconds", options.seconds, "how long")->check(positive);
  app.add_option("--late-ms", options.late_ms, "open loop: how late a request may be sent to count")->check(positive);
  app.add_option("--pid", options.pid, "process of the server: its CPU time and memory are reported")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()));
  try {
    app.parse(count, arguments);
    if (rate->count() > 0) options.mode = Options::Mode::open_loop;
    if (never_read) options.mode = Options::Mode::never_read;
    if (quiet->count() > 0) {
      options.mode = Options::Mode::idle;
      options.connections = idle;
    }
    check_together(options);
  } catch (const CLI::ParseError& error) {
    status = app.exit(error) == 0 ? 0 : 2;
    return std::nullopt;
  }
  return options;
}

}  // namespace polyflake::load

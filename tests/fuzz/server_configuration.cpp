// Configurations of the server, and behind a first byte 1 its files of tokens: read, or refused with
// file and line; what is read can be served.
#include "configuration/configuration.hpp"

#include <string>

#include "access/access.hpp"
#include "property.hpp"

namespace polyflake::fuzz {
namespace {

void hold_for_refusal(std::string_view message, std::string_view file) {
  hold_for_message(message);
  hold(message.substr(0, file.size()) == file && message[file.size()] == ':', "a refusal names the file");
  message.remove_prefix(file.size() + 1);
  const std::size_t digits = message.find_first_not_of("0123456789");
  hold(digits > 0 && message.substr(digits, 2) == ": ", "and the line");
}

void run_tokens(std::string_view text) {
  try {
    const auto tokens = server::read_tokens(text, "tokens.toml", {"orders", "invoices"});
    hold(!tokens.empty(), "there is a token");
    server::Access access(tokens, [] { return std::int64_t{0}; });
    hold(access.size() == tokens.size() && !access.right_of("").holds(), "each has a secret");
    for (const server::Token& token : tokens) hold(token.ids_per_second >= 0 && token.keys.size() < 600, "in range");
  } catch (const server::ConfigurationError& refused) {
    hold_for_refusal(refused.what(), "tokens.toml");
  }
}

void run(std::string_view text) {
  if (!text.empty() && text.front() == 1) return run_tokens(text.substr(1));
  try {
    const server::Configuration read = server::read_configuration(text, "server.toml");
    hold(!read.listeners.empty(), "there is a listener");
    hold(!read.generators.empty() || !read.counters.empty(), "there is a source of ids");
    for (const auto& generator : read.generators) {
      const bool has_worker = !std::holds_alternative<std::monostate>(generator.worker.value());
      hold(has_worker != !generator.store.empty(), "a generator has a worker or a store");
      hold(!generator.by_host || !read.registry.empty(), "a worker of the host has a registry");
    }
    for (const auto& listener : read.listeners) {
      hold(listener.host.empty() != listener.path.empty(), "a listener has one address");
      hold(listener.tokens.empty() || listener.tokens.front() == '/', "a file has an absolute path");
    }
  } catch (const server::ConfigurationError& refused) {
    hold_for_refusal(refused.what(), "server.toml");
  }
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}

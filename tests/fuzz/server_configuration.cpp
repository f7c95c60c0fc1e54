// Configurations of the server: read, or refused with file and line; what is read can be served.
#include "configuration.hpp"

#include <string>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

void hold_for_refusal(std::string_view message) {
  hold_for_message(message);
  constexpr std::string_view kFile = "server.toml:";
  hold(message.substr(0, kFile.size()) == kFile, "a refusal names the file");
  message.remove_prefix(kFile.size());
  const std::size_t digits = message.find_first_not_of("0123456789");
  hold(digits > 0 && message.substr(digits, 2) == ": ", "and the line");
}

void run(std::string_view text) {
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
    }
  } catch (const server::ConfigurationError& refused) {
    hold_for_refusal(refused.what());
  }
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}

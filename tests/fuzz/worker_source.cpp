// Worker sources given as text: what is taken is in its one spelling.
#include <polyflake/layout.hpp>
#include <polyflake/worker.hpp>

#include <cstdlib>
#include <string>

#include "open/node_providers.hpp"
#include "property.hpp"

namespace polyflake::fuzz {
namespace {

// Every 64-bit number has a place in it, but for the sign bit.
const Layout kWidest = "timestamp:1 high:31 low:31 sequence:1 tick=1ms epoch=2020-01-01T00:00:00.000Z";

bool is_host_number(const std::string& text) {
  if (text.rfind("host:", 0) != 0) return false;
  return text == "host:" + std::to_string(std::strtoull(text.c_str() + 5, nullptr, 10));
}

// Nothing is opened: that would be I/O.
void run(std::string_view given) {
  const std::string text(given);
  const NodeRequest request = {kWidest, 0, nullptr, true};
  const bool taken =
      accepts([&] { provider_for(text, request); }, {ErrorCode::worker_source_invalid, ErrorCode::field_out_of_range});
  if (taken) hold(text == "host" || text == "ordinal" || is_host_number(text), "a source is in its one spelling");
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}

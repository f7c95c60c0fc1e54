// Host names of a StatefulSet's pods: the number read is the one behind the last '-', plus the base.
#include <cstring>
#include <string>

#include "open/ordinal_node.hpp"
#include "property.hpp"

namespace polyflake::fuzz {
namespace {

void run(std::string_view host_name, std::uint64_t base) {
  std::uint64_t node = 0;
  if (!accepts([&] { node = ordinal_of(host_name, base); }, {ErrorCode::worker_source_invalid})) return;
  hold(node >= base, "a sum does not wrap around");
  const std::string end = "-" + std::to_string(node - base);
  hold(host_name.size() >= end.size() && host_name.substr(host_name.size() - end.size()) == end,
       "the number prints back to the end of the name");
}

}  // namespace
}  // namespace polyflake::fuzz

// The first eight bytes are the base.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::uint64_t base = 0;
  if (size < sizeof base) return 0;
  std::memcpy(&base, data, sizeof base);
  polyflake::fuzz::run(polyflake::fuzz::text_of(data + sizeof base, size - sizeof base), base);
  return 0;
}

#include "open/ordinal_node.hpp"

#include <polyflake/error.hpp>

#include <memory>
#include <string>

#include "base/ascii.hpp"
#include "base/message.hpp"
#include "open/node_id.hpp"
#include "open/static_node.hpp"
#include "os/os.hpp"

namespace polyflake {
namespace {

// Cloud machines are often named after their addresses: ip-10-0-0-12.
bool ends_in_an_address(std::string_view host_name) {
  for (int part = 0; part < 4; ++part) {
    const std::size_t dash = host_name.rfind('-');
    if (dash == std::string_view::npos || ascii::decimal(host_name.substr(dash + 1)).value_or(256) > 255) return false;
    host_name = host_name.substr(0, dash);
  }
  return true;
}

std::uint64_t base_in_environment() {
  const std::string text = platform::environment("POLYFLAKE_ORDINAL_BASE").value_or("0");
  if (const auto base = ascii::decimal(text)) return *base;
  throw Error(ErrorCode::worker_source_invalid,
              "POLYFLAKE_ORDINAL_BASE is " + polyflake::quoted(text) + "; it must be a number in canonical decimal");
}

}  // namespace

std::uint64_t ordinal_of(std::string_view host_name, std::uint64_t base) {
  if (ends_in_an_address(host_name)) {
    throw Error(ErrorCode::worker_source_invalid,
                "worker source 'ordinal': host name " + system_name(host_name) +
                    " ends in an address, whose last number other machines have too; pass a node id or use \"host\"");
  }
  const std::size_t dash = host_name.rfind('-');
  if (dash != std::string_view::npos) {
    const auto ordinal = ascii::decimal(host_name.substr(dash + 1));
    if (ordinal && *ordinal <= UINT64_MAX - base) return *ordinal + base;
  }
  throw Error(ErrorCode::worker_source_invalid,
              "worker source 'ordinal': host name " + system_name(host_name) +
                  " does not end in -N as the pods of a StatefulSet do; pass a node id or use \"host\"");
}

// "ordinal": from here on a static number.
std::unique_ptr<NodeProvider> make_ordinal_node(const NodeRequest& request, std::string_view) {
  const std::uint64_t base = base_in_environment();
  return make_static_node(request, checked_node_id(request.layout, ordinal_of(platform::host_name(), base)));
}

}  // namespace polyflake

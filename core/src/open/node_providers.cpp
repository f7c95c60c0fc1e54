#include "open/node_providers.hpp"

#include <polyflake/error.hpp>

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/ascii.hpp"
#include "open/leased_worker.hpp"
#include "open/node_id.hpp"
#include "open/static_node.hpp"

namespace polyflake {

// A source reads the open part of its spelling, refuses a lead that its windows do not allow, and
// uses or refuses the clock of the request. Each is in the file of its provider.
using Source = std::unique_ptr<NodeProvider>(const NodeRequest& request, std::string_view rest);
Source make_any_host_node, make_numbered_host_node;
Source make_ordinal_node;

namespace {

// A spelling is a fixed text, or ends with ':' and a word for the part that the source reads
// itself. Messages show spellings as they are here.
constexpr struct {
  std::string_view spelling;
  Source* make;
} kSources[] = {
    {"host", make_any_host_node},
    {"host:N", make_numbered_host_node},
    {"ordinal", make_ordinal_node},
};

// Returns the text in place of that word, "" if the spelling has none; nothing if the text does not
// match.
std::optional<std::string_view> rest_of(std::string_view text, std::string_view spelling) {
  const std::size_t colon = spelling.find(':');
  if (colon == std::string_view::npos) return text == spelling ? std::optional(std::string_view()) : std::nullopt;
  const std::string_view name = spelling.substr(0, colon + 1);
  return text.substr(0, name.size()) == name ? std::optional(text.substr(name.size())) : std::nullopt;
}

[[noreturn]] void refuse(std::string_view text) {
  if (is_store_address(text)) {
    throw Error(ErrorCode::worker_source_invalid,
                "an address of a store is for the packages of Python, Node and Java; in C++ a store is an object");
  }
  std::string advice = ascii::decimal(text) ? "a static node id is passed as a number, not as text"
                                            : "no layout has room for a node id of so many digits";
  if (!ascii::is_canonical_decimal(text)) {
    advice = "use a node id, one number per node field";
    for (const auto& source : kSources) {
      advice += &source == std::prev(std::end(kSources)) ? " or \"" : ", \"";
      advice += std::string(source.spelling) + '"';
    }
  }
  throw Error(ErrorCode::worker_source_invalid, "worker source " + quoted(text) + ": " + advice);
}

}  // namespace

std::unique_ptr<NodeProvider> provider_for(const Worker& worker, const NodeRequest& request) {
  if (const auto* number = std::get_if<std::int64_t>(&worker.value())) {
    return make_static_node(request, node_id_of(request.layout, *number));
  }
  if (const auto* fields = std::get_if<Worker::Fields>(&worker.value())) {
    return make_static_node(request, node_id_of(request.layout, *fields));
  }
  if (const auto* in_store = std::get_if<Worker::InStore>(&worker.value())) return make_stored_node(request, *in_store);
  if (const auto* lease = std::get_if<std::shared_ptr<lease::Lease>>(&worker.value()))
    return make_leased_node(request, *lease);
  const auto& text = std::get<std::string>(worker.value());
  for (const auto& source : kSources) {
    if (const auto rest = rest_of(text, source.spelling)) return source.make(request, *rest);
  }
  refuse(text);
}

}  // namespace polyflake

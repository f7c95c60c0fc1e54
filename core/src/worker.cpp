#include <polyflake/worker.hpp>

#include <polyflake/error.hpp>

#include "ascii.hpp"

namespace polyflake {
namespace {

[[noreturn]] void refuse(std::string_view text, const char* advice) {
  throw Error(ErrorCode::worker_source_invalid, "worker source " + quoted(text) + ": " + advice);
}

constexpr std::string_view kHostPrefix = "host:";

}  // namespace

WorkerSource parse_worker_source(std::string_view text) {
  if (text == "host") return {WorkerSource::Kind::host};
  if (text == "ordinal") return {WorkerSource::Kind::ordinal};
  if (text.substr(0, kHostPrefix.size()) == kHostPrefix) {
    const auto number = ascii::decimal(text.substr(kHostPrefix.size()));
    if (!number) refuse(text, "after \"host:\" stands a node id in canonical decimal, e.g. \"host:7\"");
    return {WorkerSource::Kind::host_number, *number};
  }
  if (ascii::is_canonical_decimal(text)) refuse(text, "a static node id is passed as a number, not as text");
  refuse(text, "use a node id, one number per node field, \"host\", \"host:N\" or \"ordinal\"");
}

WorkerSource parse_worker_environment(std::string_view text) {
  if (const auto number = ascii::decimal(text)) return {WorkerSource::Kind::number, *number};
  return parse_worker_source(text);
}

std::uint64_t ordinal_of(std::string_view host_name, std::uint64_t base) {
  const std::size_t dash = host_name.rfind('-');
  const auto ordinal = dash == std::string_view::npos ? std::nullopt : ascii::decimal(host_name.substr(dash + 1));
  if (!ordinal || *ordinal > UINT64_MAX - base) {
    throw Error(ErrorCode::worker_source_invalid,
                "worker source 'ordinal': host name " + quoted(host_name) +
                    " does not end in -N as the pods of a StatefulSet do; pass a node id or use \"host\"");
  }
  return *ordinal + base;
}

}  // namespace polyflake

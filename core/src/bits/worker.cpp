#include <polyflake/worker.hpp>

#include <polyflake/error.hpp>

#include <algorithm>

#include "base/ascii.hpp"

namespace polyflake {
namespace {

[[noreturn]] void refuse(std::string_view text, const char* advice) {
  throw Error(ErrorCode::worker_source_invalid, "worker source " + quoted(text) + ": " + advice);
}

constexpr std::string_view kHostPrefix = "host:";

}  // namespace

WorkerSpec parse_worker_spec(std::string_view text) {
  if (text == "host") return {WorkerSpec::Kind::host};
  if (text == "ordinal") return {WorkerSpec::Kind::ordinal};
  if (text.substr(0, kHostPrefix.size()) == kHostPrefix) {
    const auto number = ascii::decimal(text.substr(kHostPrefix.size()));
    if (!number) refuse(text, "after \"host:\" stands a node id in canonical decimal, e.g. \"host:7\"");
    return {WorkerSpec::Kind::host_number, *number};
  }
  if (ascii::is_canonical_decimal(text)) refuse(text, "a static node id is passed as a number, not as text");
  refuse(text, "use a node id, one number per node field, \"host\", \"host:N\" or \"ordinal\"");
}

namespace {

// Reads the object of POLYFLAKE_WORKER from left to right.
class FieldsReader {
 public:
  explicit FieldsReader(std::string_view text) : text_(text), rest_(text) {}

  Worker::Fields read() {
    Worker::Fields fields;
    expect('{');
    do {
      expect('"');
      const std::string name(until('"'));
      expect('"');
      expect(':');
      const auto value = ascii::decimal(number());
      if (!value || *value > INT64_MAX || !fields.emplace(name, static_cast<std::int64_t>(*value)).second) wrong();
    } while (skip(','));
    expect('}');
    skip_blanks();
    if (!rest_.empty()) wrong();
    return fields;
  }

 private:
  [[noreturn]] void wrong() const {
    refuse(text_, "node fields are given as {\"datacenter\": 1, \"worker\": 7}, each once, whole numbers");
  }
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  bool skip(char c) {
    skip_blanks();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!skip(c)) wrong();
  }
  std::string_view take(std::size_t length) {
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view until(char c) { return take(std::min(rest_.find(c), rest_.size())); }
  std::string_view number() {
    skip_blanks();
    return take(std::min(rest_.find_first_not_of("0123456789"), rest_.size()));
  }

  const std::string_view text_;
  std::string_view rest_;
};

}  // namespace

Worker parse_worker_environment(std::string_view text) {
  if (!text.empty() && text[0] == '{') return FieldsReader(text).read();
  if (const auto number = ascii::decimal(text)) return *number;
  return std::string(text);
}

namespace {

// Clouds name machines after their addresses: ip-10-0-0-12.
bool ends_in_an_address(std::string_view host_name) {
  for (int part = 0; part < 4; ++part) {
    const std::size_t dash = host_name.rfind('-');
    if (dash == std::string_view::npos || ascii::decimal(host_name.substr(dash + 1)).value_or(256) > 255) return false;
    host_name = host_name.substr(0, dash);
  }
  return true;
}

}  // namespace

std::uint64_t ordinal_of(std::string_view host_name, std::uint64_t base) {
  if (ends_in_an_address(host_name)) {
    throw Error(ErrorCode::worker_source_invalid,
                "worker source 'ordinal': host name " + quoted(host_name) +
                    " ends in an address, whose last number other machines have too; pass a node id or use \"host\"");
  }
  const std::size_t dash = host_name.rfind('-');
  if (dash != std::string_view::npos) {
    const auto ordinal = ascii::decimal(host_name.substr(dash + 1));
    if (ordinal && *ordinal <= UINT64_MAX - base) return *ordinal + base;
  }
  throw Error(ErrorCode::worker_source_invalid,
              "worker source 'ordinal': host name " + quoted(host_name) +
                  " does not end in -N as the pods of a StatefulSet do; pass a node id or use \"host\"");
}

}  // namespace polyflake

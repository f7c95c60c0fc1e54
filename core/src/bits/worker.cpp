#include <polyflake/worker.hpp>

#include <polyflake/error.hpp>

#include <algorithm>

#include "base/ascii.hpp"

namespace polyflake {
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
    throw Error(ErrorCode::worker_source_invalid,
                "worker source " + quoted(text_) +
                    ": node fields are given as {\"datacenter\": 1, \"worker\": 7}, each once, whole numbers");
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

bool is_store_address(std::string_view source) { return source.find("://") != std::string_view::npos; }

}  // namespace polyflake

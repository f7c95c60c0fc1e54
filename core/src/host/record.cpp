#include "host/record.hpp"

#include <polyflake/text.hpp>

#include "base/ascii.hpp"
#include "base/hash.hpp"

namespace polyflake {
namespace {

constexpr std::string_view kFormat = "polyflake-node 2";

std::string checksum(std::string_view text) { return to_text(fnv1a(text), "hex"); }

// Takes "key=value" and its line end from the front. Returns the value; nothing if the next line
// has another key.
std::optional<std::string_view> take(std::string_view& text, std::string_view key) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || end <= key.size() || text.substr(0, key.size()) != key ||
      text[key.size()] != '=') {
    return std::nullopt;
  }
  const std::string_view value = text.substr(key.size() + 1, end - key.size() - 1);
  text.remove_prefix(end + 1);
  return value;
}

bool take_number(std::string_view& text, std::string_view key, std::uint64_t& number) {
  const auto value = take(text, key);
  const auto parsed = value ? ascii::decimal(*value) : std::nullopt;
  number = parsed.value_or(0);
  return parsed.has_value();
}

bool take_instant(std::string_view& text, std::string_view key, std::int64_t& unix_ms) {
  std::uint64_t number = 0;
  const bool taken = take_number(text, key, number) && number <= INT64_MAX;
  unix_ms = taken ? static_cast<std::int64_t>(number) : 0;
  return taken;
}

bool take_text(std::string_view& text, std::string_view key, std::string& value) {
  const auto taken = take(text, key);
  if (taken) value = *taken;
  return taken.has_value();
}

}  // namespace

std::string print_record(const Record& record) {
  std::string text(kFormat);
  text += "\ncount=" + std::to_string(record.count);
  text += "\nuntil_ms=" + std::to_string(record.until_ms);
  text += "\nused=" + std::to_string(record.used);
  text += "\nwritten_ms=" + std::to_string(record.written_ms);
  text += "\nnonce=" + record.nonce;
  text += "\nidentity=" + record.identity;
  text += "\nowner=" + record.owner + "\n";
  text += "sum=" + checksum(text) + "\n";
  if (text.size() > kRecordSize) return {};
  text.resize(kRecordSize, ' ');
  return text;
}

std::optional<Record> parse_record(std::string_view text) {
  if (text.size() != kRecordSize || text.substr(0, kFormat.size()) != kFormat || text[kFormat.size()] != '\n') {
    return std::nullopt;
  }
  std::string_view rest = text.substr(kFormat.size() + 1);
  Record record;
  const bool whole = take_number(rest, "count", record.count) && take_instant(rest, "until_ms", record.until_ms) &&
                     take_number(rest, "used", record.used) && take_instant(rest, "written_ms", record.written_ms) &&
                     take_text(rest, "nonce", record.nonce) && take_text(rest, "identity", record.identity) &&
                     take_text(rest, "owner", record.owner);
  const std::string_view summed = text.substr(0, text.size() - rest.size());
  const auto sum = whole ? take(rest, "sum") : std::nullopt;
  if (!sum || *sum != checksum(summed) || rest.find_first_not_of(' ') != std::string_view::npos) return std::nullopt;
  if (record.count == 0) return std::nullopt;
  return record;
}

}  // namespace polyflake

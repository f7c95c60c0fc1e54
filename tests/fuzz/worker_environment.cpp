// POLYFLAKE_WORKER: numbers and textual sources print back to their text, node fields but for blanks and order.
#include <polyflake/worker.hpp>

#include <string>
#include <variant>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

std::string printed(const Worker::Fields& fields) {
  std::string text = "{";
  for (const auto& [name, value] : fields) {
    if (text.size() > 1) text += ',';
    text += '"' + name + "\":" + std::to_string(value);
  }
  return text + "}";
}

// Blanks inside a name belong to it.
std::size_t length_without_blanks(std::string_view text) {
  std::size_t length = 0;
  bool in_name = false;
  for (const char c : text) {
    if (c == '"') in_name = !in_name;
    if (c != ' ' || in_name) ++length;
  }
  return length;
}

void hold_for_fields(const Worker::Fields& fields, std::string_view text) {
  const std::string canonical = printed(fields);
  hold(!fields.empty(), "fields name at least one");
  hold(canonical.size() == length_without_blanks(text), "nothing in the text was skipped over");
  const Worker again = parse_worker_environment(canonical);
  const auto* const same = std::get_if<Worker::Fields>(&again.value());
  hold(same != nullptr && *same == fields, "fields print back to a text that gives the same fields");
}

void run(std::string_view text) {
  Worker worker;
  if (!accepts([&] { worker = parse_worker_environment(text); }, {ErrorCode::worker_source_invalid})) return;
  if (const auto* const number = std::get_if<std::int64_t>(&worker.value())) {
    // Numbers beyond the signed range become its end, which no layout accepts.
    hold(*number == INT64_MAX || std::to_string(*number) == text, "a number prints back to its text");
  } else if (const auto* const source = std::get_if<std::string>(&worker.value())) {
    hold(*source == text, "a source is the text itself");
  } else if (const auto* const fields = std::get_if<Worker::Fields>(&worker.value())) {
    hold_for_fields(*fields, text);
  } else {
    hold(false, "the environment chose a source");
  }
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}

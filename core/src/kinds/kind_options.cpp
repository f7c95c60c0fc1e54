#include <polyflake/kind_options.hpp>

#include <polyflake/error.hpp>

namespace polyflake {
namespace {

[[noreturn]] void refuse_type(const std::string& name, const char* wanted) {
  throw Error(ErrorCode::option_invalid, "option " + quoted(name) + " is to be " + wanted);
}

}  // namespace

std::string KindOptions::text_of(const char* text) {
  if (text == nullptr) throw Error(ErrorCode::option_invalid, "an option is a null pointer, not a text");
  return text;
}

std::optional<KindOptions::Value> KindOptions::take(const std::string& name) {
  auto node = values_.extract(name);
  return node.empty() ? std::nullopt : std::optional<Value>(std::move(node.mapped()));
}

std::optional<std::int64_t> KindOptions::take_number(const std::string& name) {
  const auto value = take(name);
  if (!value) return std::nullopt;
  if (const auto* number = std::get_if<std::int64_t>(&*value)) return *number;
  refuse_type(name, "a number");
}

std::optional<std::string> KindOptions::take_text(const std::string& name) {
  const auto value = take(name);
  if (!value) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&*value)) return *text;
  refuse_type(name, "a text");
}

std::optional<Worker> KindOptions::take_worker(const std::string& name) {
  const auto value = take(name);
  if (!value) return std::nullopt;
  if (const auto* number = std::get_if<std::int64_t>(&*value)) return Worker(*number);
  if (const auto* text = std::get_if<std::string>(&*value)) return Worker(*text);
  if (const auto* worker = std::get_if<Worker>(&*value)) return *worker;
  refuse_type(name, "a worker, a number or a text");
}

std::optional<Layout> KindOptions::take_layout(const std::string& name) {
  const auto value = take(name);
  if (!value) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&*value)) return Layout(*text);
  if (const auto* layout = std::get_if<Layout>(&*value)) return *layout;
  refuse_type(name, "a layout or a text");
}

std::shared_ptr<Clock> KindOptions::take_clock(const std::string& name) {
  const auto value = take(name);
  if (!value) return nullptr;
  if (const auto* clock = std::get_if<std::shared_ptr<Clock>>(&*value)) return *clock;
  refuse_type(name, "a clock");
}

void KindOptions::refuse_the_rest(std::string_view kind) const {
  if (values_.empty()) return;
  throw Error(ErrorCode::option_invalid,
              "kind " + quoted(kind) + " has no option " + quoted(values_.begin()->first) + "; leave it out");
}

}  // namespace polyflake

#include "guess.hpp"

#include <polyflake/text.hpp>

#include <vector>

#include "description.hpp"
#include "instant.hpp"
#include "json.hpp"

namespace polyflake::cli {
namespace {

std::string fields_of(const Explanation& one) {
  const Layout layout = Layout::preset(one.preset);
  std::string text;
  for (std::size_t i = 0; i < one.parts->fields.size(); ++i) {
    text += layout.node_fields()[i].name + " " + std::to_string(one.parts->fields[i]) + ", ";
  }
  return text + "sequence " + std::to_string(one.parts->sequence);
}

std::string reading_of(const Explanation& one, std::int64_t now_ms) {
  return to_utc(one.parts->time_ms) + ", " + relative(one.parts->time_ms, now_ms) + "; " + fields_of(one);
}

}  // namespace

std::string named_reading(const Explanation& one, std::int64_t now_ms) {
  return one.preset + ": " + reading_of(one, now_ms);
}

// As explain() judges presets; but ids of the first days of a layout are plausible in these days.
std::optional<Doubt> doubt_of(const Layout& layout, std::uint64_t id, const Parts& parts, std::int64_t now_ms) {
  constexpr std::int64_t kDayMs = 86'400'000;
  const bool after_now = parts.time_ms - kDayMs > now_ms;
  const bool near_epoch = parts.time_ms - layout.epoch_ms() < kDayMs && now_ms - kDayMs > parts.time_ms;
  if (!after_now && !near_epoch) return std::nullopt;
  Doubt doubt{"it is of " + to_utc(parts.time_ms) + ", " +
                  (after_now ? relative(parts.time_ms, now_ms) : "the first day of its layout"),
              std::nullopt};
  const std::vector<Explanation> all = explain(id, now_ms);
  if (all.front().plausible()) doubt.likely = all.front();
  return doubt;
}

void append_guesses_json(std::string& text, std::uint64_t id, std::int64_t now_ms) {
  JsonObject json(text);
  json.text("id", to_text(id));
  json.open("guesses");
  const char* separator = "[";
  for (const Explanation& one : explain(id, now_ms)) {
    text += separator;
    separator = ",";
    JsonObject guess(text);
    guess.text("layout", one.preset);
    guess.boolean("plausible", one.plausible());
    if (one.why_not) guess.text("why_not", name_of(*one.why_not));
    if (one.parts) {
      guess.text("time", to_utc(one.parts->time_ms));
      guess.number("time_ms", one.parts->time_ms);
      guess.text("node", to_text(one.parts->node));
      guess.number("sequence", one.parts->sequence);
    }
    guess.end();
  }
  text += ']';
  json.end();
  text += '\n';
}

void append_guesses_text(std::string& text, std::uint64_t id, std::int64_t now_ms, const Style& style) {
  text += labelled("id", style) + style.bold(to_text(id)) + "\n";
  bool likeliest = true, any = false;
  std::string unlikely;
  for (const Explanation& one : explain(id, now_ms)) {
    if (one.why_not) {
      unlikely += (unlikely.empty() ? "" : ", ") + one.preset + " (" + name_of(*one.why_not) + ")";
      continue;
    }
    any = true;
    text += labelled(one.preset, style);
    const std::string line = reading_of(one, now_ms);
    text += (likeliest ? style.bold(line) : line) + "\n";
    likeliest = false;
  }
  if (!any) text += labelled("", style) + "of no layout that has a name\n";
  if (!unlikely.empty()) text += labelled("unlikely", style) + unlikely + "\n";
}

}  // namespace polyflake::cli

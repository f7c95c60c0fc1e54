// polyflake layout: shows the capacity of a layout, and whether two layouts keep their ids apart.
#include <polyflake/layout.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "description.hpp"
#include "json.hpp"
#include "numbers.hpp"
#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kLayoutExamples =
    "  polyflake layout\n"
    "  polyflake layout twitter\n"
    "  polyflake layout 'timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z'\n"
    "  polyflake layout polyflake leaf\n";

struct LayoutOptions {
  std::string text = "polyflake";
  std::optional<std::string> other;
  Now now;
  bool json = false;
};

// Formats a product that may exceed 2^64, or be less than one: then it has three digits.
std::string count(double number) {
  if (number >= 1 && number < 9007199254740992.0) return std::to_string(static_cast<std::uint64_t>(number));
  return roughly(number);
}

std::uint64_t largest_id(const Layout& layout) {
  return layout.pack(layout.end_tick() - 1, layout.largest_node(), ones(layout.sequence().width));
}

// One of two layouts, at a given time.
struct Side {
  Side(std::string given_name, const Layout& given, std::int64_t now_ms)
      : name(std::move(given_name)),
        layout(given),
        begun(now_ms >= given.epoch_ms()),
        ended(now_ms >= given.time_of(given.end_tick())),
        now(given.first_id(std::clamp(now_ms, given.epoch_ms(), given.time_of(given.end_tick() - 1)))),
        last(largest_id(given)) {}

  std::string instant_of(std::uint64_t id) const {
    return to_utc(layout.time_of(std::min(id >> layout.timestamp().shift, layout.end_tick() - 1)));
  }

  const std::string name;
  const Layout& layout;
  const bool begun, ended;
  const std::uint64_t now;  // the first id that it can issue now
  const std::uint64_t last;
};

class Page {
 public:
  Page(Program& program, const LayoutOptions& options)
      : out_(program.out), style_(program.style()), json_(options.json), now_ms_(options.now.ms()) {}

  void line(std::string_view name, const std::string& value) { out_.write(labelled(name, style_) + value + "\n"); }

  void instant(std::string_view name, std::int64_t unix_ms) {
    line(name, to_utc(unix_ms) + ", " + relative(unix_ms, now_ms_));
  }

  void of(const Layout& layout) {
    if (json_) return json_of(layout);
    const auto per_tick = static_cast<double>(ones(layout.sequence().width)) + 1;
    const double per_second = per_tick * 1000 / static_cast<double>(layout.tick_ms());
    const double nodes = static_cast<double>(layout.largest_node()) + 1;
    line("layout", style_.bold(layout.text()));
    line("node ids", count(nodes));
    line("ids per tick", count(per_tick) + " for each node id");
    line("ids per s", count(per_second) + " for each node id, " + count(per_second * nodes) + " in all");
    instant("first tick", layout.time_of(0));
    const std::int64_t last_ms = layout.time_of(layout.end_tick() - 1);
    instant("last tick", last_ms);
    line("years left", years_until(last_ms + layout.tick_ms()));
    line("largest id", std::to_string(largest_id(layout)));
    if (largest_id(layout) >= kFirstInexact) {
      instant("past 2^53", layout.time_of(kFirstInexact >> layout.timestamp().shift));
    } else {
      line("past 2^53", "never");
    }
  }

  // Tells what happens if one column holds ids of both, after both.
  void of_two(const Layout& a, const Layout& b) {
    if (!json_) out_.write("\n");
    of(b);
    if (!json_) out_.write("\n");
    of_both(a, b);
    if (json_) json_of_both();
  }

 private:
  // For JavaScript's and JSON's numbers.
  static constexpr std::uint64_t kFirstInexact = std::uint64_t{1} << 53;

  void of_both(const Layout& a, const Layout& b);
  void of_times(const Side& low, const Side& high);
  void json_of(const Layout& layout);
  void json_of_both();

  void together(const std::string& sentence) {
    if (!json_) line(together_.empty() ? "together" : "", sentence);
    together_.push_back(sentence);
  }

  std::string years_until(std::int64_t unix_ms) const {
    constexpr double kYearMs = 365.2425 * 86'400'000;
    return with_decimals(static_cast<double>(std::max<std::int64_t>(unix_ms - now_ms_, 0)) / kYearMs, 1);
  }

  Output& out_;
  const Style style_;
  const bool json_;
  const std::int64_t now_ms_;
  std::vector<std::string> together_;
};

void Page::json_of(const Layout& layout) {
  const std::int64_t last_ms = layout.time_of(layout.end_tick() - 1);
  std::string& text = out_.buffer();
  JsonObject json(text);
  const auto instant = [&](const std::string& name, std::int64_t unix_ms) {
    json.text(name, to_utc(unix_ms));
    json.number(name + "_ms", unix_ms);
  };
  json.text("layout", layout.text());
  json.text("node_ids", std::to_string(layout.largest_node() + 1));
  json.text("ids_per_tick", std::to_string(ones(layout.sequence().width) + 1));
  json.number("tick_ms", layout.tick_ms());
  instant("first_tick", layout.time_of(0));
  instant("last_tick", last_ms);
  json.open("years_left");
  text += years_until(last_ms + layout.tick_ms());
  json.text("largest_id", std::to_string(largest_id(layout)));
  if (largest_id(layout) >= kFirstInexact) {
    instant("past_2_53", layout.time_of(kFirstInexact >> layout.timestamp().shift));
  } else {
    json.none("past_2_53");
  }
  json.end_line();
}

void Page::json_of_both() {
  std::string& text = out_.buffer();
  JsonObject json(text);
  json.open("together");
  const char* separator = "[\"";
  for (const std::string& sentence : together_) {
    text += separator + sentence;
    separator = "\",\"";
  }
  text += "\"]";
  json.end_line();
}

bool same_bits(const Layout& a, const Layout& b) {
  return a.timestamp().shift == b.timestamp().shift && a.sequence().shift == b.sequence().shift &&
         a.sequence().width == b.sequence().width && a.node_mask() == b.node_mask();
}

void Page::of_both(const Layout& a, const Layout& b) {
  if (a == b) {
    together(a.node_mask() == 0 ? "one layout without node ids: ids differ as long as one process issues them"
                                : "one layout: ids differ as long as node ids do");
    return;
  }
  if (same_bits(a, b) && a.epoch_ms() == b.epoch_ms() && a.tick_ms() == b.tick_ms()) {
    together("ids of the same moment are equal wherever node ids are: give each layout node ids of its own");
    return;
  }
  const Side first{"the first", a, now_ms_}, second{"the second", b, now_ms_};
  const bool first_is_lower = first.now <= second.now;
  const Side& low = first_is_lower ? first : second;
  const Side& high = first_is_lower ? second : first;
  if (low.ended && !high.ended) {
    together(low.name + " has ended, and " + high.name + " is past all of its ids: no further ids are equal");
    return;
  }
  of_times(low, high);
  if (a.node_mask() == 0 || b.node_mask() == 0) {
    together("there are no node ids to keep them apart: use two columns");
  } else if (a.node_mask() == b.node_mask()) {
    together("node ids lie at the same bits: where no node id is used by both, no ids are equal");
  } else {
    together("node ids lie at other bits: they do not keep the ids apart; use two columns");
  }
}

// Tells which layout's ids come when. The ids that the lower one issues from now on, the higher one
// has issued already, or never will.
void Page::of_times(const Side& low, const Side& high) {
  if (low.ended) return together("both have ended: ids that they have issued may be equal");
  if (!high.begun) return together("neither has begun: once they have, their ids may be equal");
  const std::string from = low.begun ? "now" : to_utc(low.layout.epoch_ms());
  together("from " + from + " on ids of " + low.name + " may equal those that " + high.name + " has issued since " +
           high.instant_of(low.now));
  if (high.ended) return together(high.name + " has ended: it issues no more");
  const std::string again = "ids that " + high.name + " issues now ";
  together(again + (high.now <= low.last ? "may come again from " + low.name + " at " + low.instant_of(high.now)
                                         : "never come from " + low.name));
}

Outcome run_layout(Program& program, const LayoutOptions& options) {
  const Layout layout(options.text);
  Page page(program, options);
  page.of(layout);
  if (!options.other) return kWell;
  page.of_two(layout, Layout(*options.other));
  return kWell;
}

}  // namespace

void add_layout(CLI::App& app, Program& program) {
  const auto [command, options] =
      add_command(app, program, "layout", "Say what a layout has room for, and whether two keep apart", kLayoutExamples,
                  run_layout);
  command.add_option("LAYOUT", options.text, "Preset or layout text")->type_name("")->capture_default_str();
  command.add_option("OTHER", options.other, "A second one: what becomes of ids of both in one place")->type_name("");
  add_now(command, options.now);
  add_json(command, options.json, "each layout, and for what becomes of ids of both");
}

}  // namespace polyflake::cli

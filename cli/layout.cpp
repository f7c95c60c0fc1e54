// polyflake layout: what a layout has room for, and whether two of them keep apart.
#include <polyflake/layout.hpp>

#include <algorithm>
#include <optional>

#include "description.hpp"
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
};

// Of a product that may pass 2^64, or be less than one: there three digits do.
std::string count(double number) {
  if (number >= 1 && number < 9007199254740992.0) return std::to_string(static_cast<std::uint64_t>(number));
  return roughly(number);
}

std::uint64_t largest_id(const Layout& layout) {
  return layout.pack(layout.end_tick() - 1, layout.largest_node(), ones(layout.sequence().width));
}

// One of two layouts, as it stands at a time.
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
  Page(Program& program, std::int64_t now_ms) : out_(program.out), style_(program.style()), now_ms_(now_ms) {}

  void line(std::string_view name, const std::string& value) { out_.write(labelled(name, style_) + value + "\n"); }

  void instant(std::string_view name, std::int64_t unix_ms) {
    line(name, to_utc(unix_ms) + ", " + relative(unix_ms, now_ms_));
  }

  void of(const Layout& layout) {
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

  // What becomes of ids of both in one column.
  void of_both(const Layout& a, const Layout& b);

 private:
  static constexpr std::uint64_t kFirstInexact = std::uint64_t{1} << 53;  // for JavaScript's and JSON's numbers

  void of_times(const Side& low, const Side& high);

  std::string years_until(std::int64_t unix_ms) const {
    constexpr double kYearMs = 365.2425 * 86'400'000;
    return with_decimals(static_cast<double>(std::max<std::int64_t>(unix_ms - now_ms_, 0)) / kYearMs, 1);
  }

  Output& out_;
  const Style style_;
  const std::int64_t now_ms_;
};

bool same_bits(const Layout& a, const Layout& b) {
  return a.timestamp().shift == b.timestamp().shift && a.sequence().shift == b.sequence().shift &&
         a.sequence().width == b.sequence().width && a.node_mask() == b.node_mask();
}

void Page::of_both(const Layout& a, const Layout& b) {
  if (a == b) {
    line("together", a.node_mask() == 0 ? "one layout without node ids: ids differ as long as one process issues them"
                                        : "one layout: ids differ as long as node ids do");
    return;
  }
  if (same_bits(a, b) && a.epoch_ms() == b.epoch_ms() && a.tick_ms() == b.tick_ms()) {
    line("together", "ids of the same moment are equal wherever node ids are: give each layout node ids of its own");
    return;
  }
  const Side first{"the first", a, now_ms_}, second{"the second", b, now_ms_};
  const bool first_is_lower = first.now <= second.now;
  const Side& low = first_is_lower ? first : second;
  const Side& high = first_is_lower ? second : first;
  if (low.ended && !high.ended) {
    line("together", low.name + " has ended, and " + high.name + " is past all of its ids: no further ids are equal");
    return;
  }
  of_times(low, high);
  if (a.node_mask() == 0 || b.node_mask() == 0) {
    line("", "there are no node ids to keep them apart: use two columns");
  } else if (a.node_mask() == b.node_mask()) {
    line("", "node ids lie at the same bits: where no node id is used by both, no ids are equal");
  } else {
    line("", "node ids lie at other bits: they do not keep the ids apart; use two columns");
  }
}

// Whose ids come when. What the lower one issues from now on, the higher one has issued, or will never.
void Page::of_times(const Side& low, const Side& high) {
  if (low.ended) return line("together", "both have ended: ids that they have issued may be equal");
  if (!high.begun) return line("together", "neither has begun: once they have, their ids may be equal");
  const std::string from = low.begun ? "now" : to_utc(low.layout.epoch_ms());
  line("together", "from " + from + " on ids of " + low.name + " may equal those that " + high.name +
                       " has issued since " + high.instant_of(low.now));
  if (high.ended) return line("", high.name + " has ended: it issues no more");
  const std::string again = "ids that " + high.name + " issues now ";
  line("", again + (high.now <= low.last ? "may come again from " + low.name + " at " + low.instant_of(high.now)
                                         : "never come from " + low.name));
}

Outcome run_layout(Program& program, const LayoutOptions& options) {
  const Layout layout(options.text);
  Page page(program, options.now.ms());
  page.of(layout);
  if (!options.other) return kWell;
  const Layout other(*options.other);
  program.out.write("\n");
  page.of(other);
  program.out.write("\n");
  page.of_both(layout, other);
  return kWell;
}

}  // namespace

void add_layout_command(CLI::App& app, Program& program) {
  auto options = std::make_shared<LayoutOptions>();
  CLI::App* const command =
      add_command(app, program, "layout", "Say what a layout has room for, and whether two keep apart", kLayoutExamples,
                  options, run_layout);
  command->add_option("LAYOUT", options->text, "Preset or layout text")->type_name("")->capture_default_str();
  command->add_option("OTHER", options->other, "A second one: what becomes of ids of both in one place")->type_name("");
  add_now(*command, options->now);
}

}  // namespace polyflake::cli

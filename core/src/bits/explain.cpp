#include <polyflake/explain.hpp>

#include <algorithm>
#include <atomic>
#include <tuple>
#include <utility>

#include "base/made_once.hpp"
#include "bits/calendar.hpp"

namespace polyflake {
namespace {

unsigned bits_of(std::uint32_t value) {
  unsigned bits = 0;
  for (; value != 0; value >>= 1) ++bits;
  return bits;
}

struct Candidate {
  Explanation explanation;
  // Compared in this order: implausible; hexadecimal digits of the sequence and the node fields
  // together; the time, negated; the index of the preset.
  std::tuple<bool, unsigned, std::int64_t, std::size_t> rank;
};

std::optional<Implausible> why_not(const Layout& layout, std::int64_t time_ms, std::int64_t now_ms) {
  // Times are never negative, so subtracting a day cannot overflow.
  if (time_ms - calendar::kMsPerDay > now_ms) return Implausible::after_now;
  if (time_ms - layout.epoch_ms() < calendar::kMsPerDay) return Implausible::near_epoch;
  return {};
}

// Made once: a caller that explains a million ids must not parse the presets a million times.
const std::vector<Layout>& layouts_of(const std::vector<std::string>& presets) {
  static std::atomic<const std::vector<Layout>*> layouts{nullptr};
  return made_once(layouts, [&] {
    std::vector<Layout> made;
    made.reserve(presets.size());
    for (const std::string& preset : presets) made.push_back(Layout::preset(preset));
    return made;
  });
}

Candidate candidate(std::string preset, const Layout& layout, std::size_t row, std::uint64_t id, std::int64_t now_ms) {
  const Field& top = layout.fields().front();
  if (id > ones(top.shift + top.width)) {
    return {{std::move(preset), std::nullopt, Implausible::too_wide}, {true, 0, 0, row}};
  }
  Parts parts = layout.unpack(id);
  if (const auto reason = why_not(layout, parts.time_ms, now_ms)) {
    return {{std::move(preset), std::move(parts), reason}, {true, 0, 0, row}};
  }
  unsigned bits = bits_of(parts.sequence);
  for (const std::uint32_t field : parts.fields) bits += bits_of(field);
  const std::int64_t time_ms = parts.time_ms;
  return {{std::move(preset), std::move(parts), {}}, {false, bits / 4, -time_ms, row}};
}

}  // namespace

const char* name_of(Implausible reason) noexcept {
  switch (reason) {
    case Implausible::too_wide: return "too_wide";
    case Implausible::after_now: return "after_now";
    case Implausible::near_epoch: return "near_epoch";
  }
  return "";
}

std::vector<Explanation> explain(std::uint64_t id, std::int64_t now_ms) {
  std::vector<std::string> presets = Layout::preset_names();
  const std::vector<Layout>& layouts = layouts_of(presets);
  std::vector<Candidate> candidates;
  candidates.reserve(presets.size());
  for (std::size_t i = 0; i < presets.size(); ++i) {
    candidates.push_back(candidate(std::move(presets[i]), layouts[i], i, id, now_ms));
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
  std::vector<Explanation> explanations;
  explanations.reserve(candidates.size());
  for (Candidate& candidate : candidates) explanations.push_back(std::move(candidate.explanation));
  return explanations;
}

}  // namespace polyflake

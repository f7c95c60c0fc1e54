#include "folder_mark.hpp"

#include <polyflake/error.hpp>

#include <algorithm>

namespace polyflake {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

// A move is noted as a change that is none of the entries; some file systems note both a little apart.
bool was_changed_itself(const platform::FolderTimes& times) { return times.any_ns - times.entries_ns > 5 * kNsPerMs; }

bool was_moved(const platform::FolderTimes& before, const platform::FolderTimes& now) {
  return !(before == now) && was_changed_itself(now);
}

// Whoever makes a file in the folder writes `nodes` afterwards, and folders of other layouts come and go in the home. The
// allowance is for a writer that is held up between the two.
bool was_changed_after(const FolderMark::Times& times, std::int64_t written_ms) {
  constexpr std::int64_t kAllowanceMs = 250;
  const std::int64_t latest_ns = (written_ms + kAllowanceMs) * kNsPerMs;
  return times.folder.any_ns > latest_ns || (times.home.any_ns > latest_ns && was_changed_itself(times.home));
}

std::int64_t last_change_ms(const FolderMark::Times& times) {
  const std::int64_t home_ns = was_changed_itself(times.home) ? times.home.any_ns : 0;
  return std::max(times.folder.any_ns, home_ns) / kNsPerMs;
}

}  // namespace

bool FolderMark::moved(const Times& before, const Times& now) {
  return was_moved(before.folder, now.folder) || was_moved(before.home, now.home);
}

FolderMark::Standing FolderMark::standing_of(const NodeContent& content, const Times& times) {
  const bool believed = content.genuine && !content.damaged && !was_changed_after(times, content.record.written_ms);
  return {believed, content.record.used, content.record.until_ms, times};
}

FolderMark::Standing FolderMark::standing() const {
  const Times before = times();
  try {
    if (const auto content = NodeFile::look(path())) return standing_of(*content, before);
  } catch (const Error&) {
    // Looked at without its lock, it may be half written; mended() says what is wrong with it.
  }
  return {false, 0, 0, before};
}

std::unique_ptr<NodeFile> FolderMark::lock() const {
  constexpr std::int64_t kPatienceMs = 5000;
  return NodeFile::lock(path(), NodeFile::Missing::make, kPatienceMs);
}

FolderMark::Standing FolderMark::mended(NodeFile& nodes, const std::vector<std::uint64_t>& node_ids) const {
  const Times before = times();
  const Standing found = standing_of(nodes.content(), before);
  if (found.believed) return found;
  const std::uint64_t least = node_ids.empty() ? 0 : *std::max_element(node_ids.begin(), node_ids.end()) + 1;
  const std::int64_t floor_ms = std::max(quarantine_ms(last_change_ms(before)), found.floor_ms);
  nodes.write(floor_ms, std::max(found.used, least), NodeFile::Durable::yes);
  return {true, nodes.content().record.used, floor_ms, before};
}

void FolderMark::raise_used(NodeFile& nodes, std::uint64_t used) {
  const Record& record = nodes.content().record;
  if (used > record.used) nodes.write(record.until_ms, used, NodeFile::Durable::yes);
}

std::int64_t FolderMark::quarantine_ms(std::int64_t changed_ms) const {
  constexpr std::int64_t kCoarseMs = 10;  // times of files come from a clock that lags behind by one of its ticks
  const std::int64_t latest_ms = manual_ == nullptr ? std::max(now_ms(), changed_ms + kCoarseMs) : now_ms();
  return latest_ms + window_ms_;
}

}  // namespace polyflake

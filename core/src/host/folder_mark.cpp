#include "host/folder_mark.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <utility>

#include "base/nanoseconds.hpp"

namespace polyflake {
namespace {

// File times come from a clock that lags by up to one of its ticks.
constexpr std::int64_t kCoarseMs = 20;

std::int64_t end_of_change_ms(std::int64_t changed_ns) {
  return platform::latest_change_ns(changed_ns) / kNsPerMs + kCoarseMs;
}

// A move shows as a change of the folder without a change of its entries; some file systems record
// the two times slightly apart.
bool was_changed_itself(const platform::FolderTimes& times) { return times.any_ns - times.entries_ns > 5 * kNsPerMs; }

bool was_moved(const platform::FolderTimes& before, const platform::FolderTimes& now) {
  return !(before == now) && was_changed_itself(now);
}

// Folders of other layouts come and go in the home, so changes of its entries do not count.
std::int64_t last_change_of_folders_ns(const FolderMark::Times& times) {
  const std::int64_t home_ns = was_changed_itself(times.home) ? times.home.any_ns : 0;
  return std::max(times.folder.any_ns, home_ns);
}

std::int64_t last_change_ns(const FolderMark::Times& times) {
  return std::max(last_change_of_folders_ns(times), times.links.changed_ns);
}

bool is_fingerprint(const std::string& name) {
  return name.size() == 16 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

FolderMark::Times FolderMark::times() const {
  const std::int64_t latest_ns = (platform::file_clock_ms() + window_ms_) * kNsPerMs;
  return {platform::folder_times(folder_), platform::folder_times(home_), platform::links_on(folder_, latest_ns)};
}

bool FolderMark::Times::in_whole_seconds() const {
  using platform::is_whole_second;
  return is_whole_second(folder.any_ns) || is_whole_second(home.any_ns) || links.in_whole_seconds;
}

bool FolderMark::moved_since(State& seen) const {
  const Times now = times();
  if (was_moved(seen.times.folder, now.folder) || was_moved(seen.times.home, now.home)) return true;
  if (!(seen.times.links == now.links)) return true;
  // An entry that came or went hides a move. But the process that made it saw the move, and mended
  // the folder first.
  if (!(seen.times.folder == now.folder) && mended_ms() != seen.mended_ms) return true;
  seen.times = now;
  return false;
}

std::int64_t FolderMark::mended_ms() const {
  try {
    const auto content = NodeFile::look(path());
    return content ? content->record.until_ms : 0;
  } catch (const Unread&) {
    throw;
  } catch (const Error&) {
    return 0;  // it is damaged, so it has to be mended
  }
}

void FolderMark::note_before_making(const std::string& folder, const std::string& home) {
  // For example, there is no home yet.
  if (platform::find(folder) != platform::Found::no || platform::find(home) != platform::Found::yes) return;
  if (!was_changed_itself(platform::folder_times(home))) return;
  try {
    for (const std::string& name : platform::names_in(home)) {
      if (is_fingerprint(name)) platform::note_change(platform::inside(home, name));
    }
  } catch (const Error&) {
    // The home cannot be read, so no registry in it could be opened.
  }
}

// A process that makes a file in the folder writes `nodes` afterwards. The allowance is for a
// process that is held up between the two.
FolderMark::State FolderMark::state_of(const NodeContent& content, const Times& times) const {
  constexpr std::int64_t kAllowanceMs = 250;
  const std::int64_t folders_ms = last_change_of_folders_ns(times) / kNsPerMs, written_ms = content.record.written_ms;
  const bool moved = folders_ms > written_ms + kAllowanceMs && folders_ms <= platform::file_clock_ms() + window_ms_;
  // Only the floor proves that a link was seen: a write for a new node id may come over another
  // path, or be held up. A link with a time ahead of this clock is compared with the write, since
  // no floor of this clock reaches so far.
  const std::int64_t links_ms = times.links.changed_ns / kNsPerMs;
  const bool comparable = manual_ == nullptr && links_ms <= now_ms() + window_ms_;
  const bool switched =
      comparable ? links_ms + kCoarseMs + window_ms_ > content.record.until_ms : links_ms >= written_ms;
  // A floor far ahead was set under a clock that was set back since. It protects unseen holders
  // (seen ones have marks), so it must not close the folder for long.
  constexpr std::int64_t kLongestFloorMs = 10'000;
  const bool floor_is_near = content.record.until_ms <= quarantine_ms(last_change_ns(times)) + kLongestFloorMs;
  const bool believed = content.genuine && !content.damaged && !moved && !switched && floor_is_near;
  const std::int64_t floor_ms = std::max(floor_is_near ? content.record.until_ms : 0, unseen_until_ms(times));
  return {believed, content.record.used, floor_ms, content.record.until_ms, times};
}

FolderMark::State FolderMark::state() const {
  const Times before = times();
  try {
    if (const auto content = NodeFile::look(path())) return state_of(*content, before);
  } catch (const Error&) {
    // Without its lock the file may be half written; mended() reports real damage.
  }
  return {false, 0, 0, 0, before};
}

std::unique_ptr<NodeFile> FolderMark::lock() const {
  constexpr std::int64_t kPatienceMs = 5000;
  constexpr int kMostTurns = 6;
  const auto last_write = [this] {
    try {
      const auto content = NodeFile::look(path());
      return content ? content->record.nonce : "";
    } catch (const Error&) {
      return std::string();
    }
  };
  std::string seen = last_write();
  for (int turn = 0; turn < kMostTurns; ++turn) {
    if (auto nodes = NodeFile::lock(path(), NodeFile::Missing::make, kPatienceMs)) return nodes;
    std::string now = last_write();
    // Without a new write the holder is stuck; with one, other processes make progress.
    if (now == std::exchange(seen, now)) break;
  }
  return nullptr;
}

std::string FolderMark::why_locked() const {
  return "'" + path() + "' has been locked for seconds by " + platform::holder_of(NodeFile::holder(path())) +
         "; let that process go on, or end it";
}

FolderMark::State FolderMark::mended(NodeFile& nodes, const NodeIds& known) const {
  const Times before = times();
  const State found = state_of(nodes.content(), before);
  if (found.believed) return found;
  const std::vector<std::uint64_t> node_ids = known();
  const std::uint64_t least = node_ids.empty() ? 0 : *std::max_element(node_ids.begin(), node_ids.end()) + 1;
  const std::int64_t floor_ms = std::max(quarantine_ms(last_change_ns(before)), unseen_until_ms(before));
  nodes.write(floor_ms, std::max(found.used, least), NodeFile::Durable::yes);
  return {true, nodes.content().record.used, floor_ms, floor_ms, before};
}

void FolderMark::note_made(NodeFile& nodes, std::uint64_t node) {
  const Record& record = nodes.content().record;
  nodes.write(record.until_ms, std::max(record.used, node + 1), NodeFile::Durable::no);
}

bool FolderMark::links_changed_since(const State& seen) const { return !(times().links == seen.times.links); }

// A change further ahead does not help: the clock was set back by more than a quarantine covers.
bool FolderMark::is_comparable(std::int64_t changed_ns) const {
  return manual_ == nullptr && changed_ns / kNsPerMs <= now_ms() + window_ms_;
}

std::int64_t FolderMark::quarantine_ms(std::int64_t changed_ns) const {
  const std::int64_t now = now_ms();
  return (is_comparable(changed_ns) ? std::max(now, end_of_change_ms(changed_ns)) : now) + window_ms_;
}

std::int64_t FolderMark::unseen_until_ms(std::int64_t changed_ns) const {
  const bool may_hide = platform::is_whole_second(changed_ns) && is_comparable(changed_ns);
  return may_hide ? end_of_change_ms(changed_ns) + window_ms_ : 0;
}

// The home counts although layouts came to it: one of them may hide a move.
std::int64_t FolderMark::unseen_until_ms(const Times& times) const {
  return std::max(unseen_until_ms(times.folder.any_ns), unseen_until_ms(times.home.any_ns));
}

}  // namespace polyflake

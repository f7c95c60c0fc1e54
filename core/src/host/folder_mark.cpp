#include "host/folder_mark.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <utility>

#include "base/nanoseconds.hpp"

namespace polyflake {
namespace {

constexpr std::int64_t kCoarseMs = 20;  // times of files come from a clock that lags behind by one of its ticks

// A move is noted as a change that is none of the entries; some file systems note both a little apart.
bool was_changed_itself(const platform::FolderTimes& times) { return times.any_ns - times.entries_ns > 5 * kNsPerMs; }

bool was_moved(const platform::FolderTimes& before, const platform::FolderTimes& now) {
  return !(before == now) && was_changed_itself(now);
}

// Folders of other layouts come and go in the home.
std::int64_t last_change_of_folders_ms(const FolderMark::Times& times) {
  const std::int64_t home_ns = was_changed_itself(times.home) ? times.home.any_ns : 0;
  return std::max(times.folder.any_ns, home_ns) / kNsPerMs;
}

std::int64_t last_change_ms(const FolderMark::Times& times) {
  return std::max(last_change_of_folders_ms(times), times.links.changed_ns / kNsPerMs);
}

bool is_fingerprint(const std::string& name) {
  return name.size() == 16 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

FolderMark::Times FolderMark::times() const {
  const std::int64_t latest_ns = (platform::file_clock_ms() + window_ms_) * kNsPerMs;
  return {platform::folder_times(folder_), platform::folder_times(home_), platform::links_on(folder_, latest_ns)};
}

bool FolderMark::moved_since(Standing& seen) const {
  const Times now = times();
  if (was_moved(seen.times.folder, now.folder) || was_moved(seen.times.home, now.home)) return true;
  if (!(seen.times.links == now.links)) return true;
  // An entry that came or went hides a move. But whoever made it has seen that, and mended the folder first.
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
  // There is no home yet, say.
  if (platform::find(folder) != platform::Found::no || platform::find(home) != platform::Found::yes) return;
  if (!was_changed_itself(platform::folder_times(home))) return;
  try {
    for (const std::string& name : platform::names_in(home)) {
      if (is_fingerprint(name)) platform::note_change(platform::inside(home, name));
    }
  } catch (const Error&) {
    // It cannot be read, and nothing in it opened.
  }
}

// Whoever makes a file in the folder writes `nodes` afterwards; the allowance is for one that is held up between the two.
FolderMark::Standing FolderMark::standing_of(const NodeContent& content, const Times& times) const {
  constexpr std::int64_t kAllowanceMs = 250;
  const std::int64_t folders_ms = last_change_of_folders_ms(times), written_ms = content.record.written_ms;
  const bool moved = folders_ms > written_ms + kAllowanceMs && folders_ms <= platform::file_clock_ms() + window_ms_;
  // Only the floor tells that a link was seen: a write for a new node id may come over another path, or be held up. A link
  // from ahead of this clock is compared with the write, as no floor of this clock reaches so far.
  const std::int64_t links_ms = times.links.changed_ns / kNsPerMs;
  const bool comparable = manual_ == nullptr && links_ms <= now_ms() + window_ms_;
  const bool switched =
      comparable ? links_ms + kCoarseMs + window_ms_ > content.record.until_ms : links_ms >= written_ms;
  // A floor far ahead was set under a clock that was set back since. It is for holders that nobody sees, those that are seen
  // have marks, so it does not close the folder for long.
  constexpr std::int64_t kLongestFloorMs = 10'000;
  const bool floor_is_near = content.record.until_ms <= quarantine_ms(last_change_ms(times)) + kLongestFloorMs;
  const bool believed = content.genuine && !content.damaged && !moved && !switched && floor_is_near;
  return {believed, content.record.used, floor_is_near ? content.record.until_ms : 0, content.record.until_ms, times};
}

FolderMark::Standing FolderMark::standing() const {
  const Times before = times();
  try {
    if (const auto content = NodeFile::look(path())) return standing_of(*content, before);
  } catch (const Error&) {
    // Looked at without its lock, it may be half written; mended() says what is wrong with it.
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
    if (now == std::exchange(seen, now)) break;  // else a crowd moves on
  }
  return nullptr;
}

std::string FolderMark::why_locked() const {
  const std::string holder = NodeFile::holder(path()), life = platform::life_of(holder);
  const std::string who =
      holder.empty() ? "another process"
                     : "process " + polyflake::quoted(holder) + " (host/pid" + (life.empty() ? "" : ", " + life) + ")";
  return "'" + path() + "' has been locked for seconds by " + who + "; let that process go on, or end it";
}

FolderMark::Standing FolderMark::mended(NodeFile& nodes, const NodeIds& known) const {
  const Times before = times();
  const Standing found = standing_of(nodes.content(), before);
  if (found.believed) return found;
  const std::vector<std::uint64_t> node_ids = known();
  const std::uint64_t least = node_ids.empty() ? 0 : *std::max_element(node_ids.begin(), node_ids.end()) + 1;
  const std::int64_t floor_ms = quarantine_ms(last_change_ms(before));
  nodes.write(floor_ms, std::max(found.used, least), NodeFile::Durable::yes);
  return {true, nodes.content().record.used, floor_ms, floor_ms, before};
}

void FolderMark::note_made(NodeFile& nodes, std::uint64_t node) {
  const Record& record = nodes.content().record;
  nodes.write(record.until_ms, std::max(record.used, node + 1), NodeFile::Durable::no);
}

bool FolderMark::links_changed_since(const Standing& seen) const { return !(times().links == seen.times.links); }

std::int64_t FolderMark::quarantine_ms(std::int64_t changed_ms) const {
  const std::int64_t now = now_ms();
  // Further ahead it is no help: the clock was set back by more than a quarantine covers.
  const bool comparable = manual_ == nullptr && changed_ms <= now + window_ms_;
  return (comparable ? std::max(now, changed_ms + kCoarseMs) : now) + window_ms_;
}

}  // namespace polyflake

// The registry folder's own file, `nodes`: which node ids were ever handed out, and since when its files can be believed.
//
// A node id never handed out may start at once. What was handed out and has no file any more, and everything in a folder
// that is new, copied, moved or otherwise changed behind the registry's back, starts a window later: whoever used it unseen
// had reserved no more. Its lock is held until a new node file is made and written.
#pragma once

#include <polyflake/clock.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/node_file.hpp"
#include "os/os.hpp"

namespace polyflake {

class FolderMark {
 public:
  // folder: of one layout, in `home`. window_ms: no holder reserves more ahead of the clock. manual: null for the system
  // clock, whose times alone can be compared with those of files.
  FolderMark(std::string folder, std::string home, std::int64_t window_ms, const Clock* manual)
      : folder_(std::move(folder)), home_(std::move(home)), window_ms_(window_ms), manual_(manual) {}

  // The times of the folder, of its home, and of the symbolic links on the way. After a link was switched, others may hold
  // node ids in the folder that it led to before.
  struct Times {
    platform::FolderTimes folder, home;
    platform::Links links;
  };
  Times times() const;
  // A folder that is made in a home hides that the home was moved: so this is noted at the folders of other layouts, as a
  // change of each. Best effort. Blocks: I/O. Errors: registry_unusable.
  static void note_before_making(const std::string& folder, const std::string& home);

  // What a node id's start depends on. Read it after the node file is locked, and the clock before that.
  struct Standing {
    bool believed = false;       // false: what the node files say is not enough
    std::uint64_t used = 0;      // node ids below it were handed out at some time
    std::int64_t floor_ms = 0;   // Unix ms before which no node id begins
    std::int64_t mended_ms = 0;  // the floor as it is written: another one after the folder was mended
    Times times;                 // read before all of that
  };
  // Blocks: I/O. Errors: registry_unusable.
  Standing standing() const;

  // Returns true if since then the folder or its home was moved, a link on the way was switched, or the folder was mended;
  // if not, `seen` is as of now. Entries that came or went are the registry's own work.
  // Blocks: I/O. Errors: registry_unusable; Unread if a later call may tell.
  bool moved_since(Standing& seen) const;

  // Returns true if a link on the way was switched since then. Blocks: I/O. Errors: registry_unusable.
  bool links_changed_since(const Standing& seen) const;

  // The same, with the lock of `nodes` and after the folder was mended where it was not to be believed; null when another
  // process holds it for long. Blocks: I/O, and some seconds for the lock, longer while others get it. Errors: registry_unusable.
  std::unique_ptr<NodeFile> lock() const;
  std::string why_locked() const;  // for messages, after lock() gave null
  // known: gives the node ids that have a file.
  using NodeIds = std::function<std::vector<std::uint64_t>()>;
  Standing mended(NodeFile& nodes, const NodeIds& known) const;

  // Notes that this node id was handed out, and that the file made for it is the registry's own work: for all who look, but
  // durably only after nodes.flush(), which must come before anything is issued. Blocks: I/O. Errors: registry_unusable.
  static void note_made(NodeFile& nodes, std::uint64_t node);

  // Unix ms from which something is safe that an unseen holder may have used until now, or until the file system's time of
  // the last change.
  std::int64_t quarantine_ms(std::int64_t changed_ms) const;

  std::int64_t now_ms() const { return manual_ == nullptr ? SystemClock::read_ms() : manual_->now_ms(); }

 private:
  std::string path() const { return platform::inside(folder_, "nodes"); }
  Standing standing_of(const NodeContent& content, const Times& times) const;
  std::int64_t mended_ms() const;  // Errors: Unread

  const std::string folder_;
  const std::string home_;
  const std::int64_t window_ms_;
  const Clock* const manual_;
};

}  // namespace polyflake

// The registry folder's own file, `nodes`: the node ids that were ever handed out, and the time
// since which the folder's files can be believed.
//
// A node id that was never handed out may start at once. These start a window later: a node id that
// was handed out and has no file any more, and every node id in a folder that is new, copied, moved
// or changed behind the registry's back. An unseen holder has reserved no more than a window. The
// lock of `nodes` is held until a new node file is made and written.
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
  // folder: that of one layout, in `home`. window_ms: no holder reserves more ahead of the clock.
  // manual: null for the system clock, the only one that can be compared with file times.
  FolderMark(std::string folder, std::string home, std::int64_t window_ms, const Clock* manual)
      : folder_(std::move(folder)), home_(std::move(home)), window_ms_(window_ms), manual_(manual) {}

  // The times of the folder, of its home, and of the symbolic links on the path. After a link was
  // switched, other processes may hold node ids in the folder that it led to before.
  struct Times {
    platform::FolderTimes folder, home;
    platform::Links links;
    bool in_whole_seconds() const;  // is one of them
  };
  Times times() const;
  // Records that a folder is about to be made in `home`: it would hide that the home was moved, so
  // this is noted as a change of the folder of each other layout. Best effort. Blocks: I/O. Errors:
  // registry_unusable.
  static void note_before_making(const std::string& folder, const std::string& home);

  // The facts that decide a node id's start. Read the clock first, then lock the node file, then
  // read this.
  struct State {
    bool believed = false;       // false: the node files alone prove too little
    std::uint64_t used = 0;      // node ids below it were handed out at some time
    std::int64_t floor_ms = 0;   // Unix ms before which no node id begins
    std::int64_t mended_ms = 0;  // the floor as written: it differs after the folder was mended
    Times times;                 // read before the rest
  };
  // Blocks: I/O. Errors: registry_unusable.
  State state() const;

  // Returns true if since then the folder or its home was moved, a link on the path was switched,
  // or the folder was mended. If not, brings `seen` up to date. Entries that came or went are the
  // registry's own work. Blocks: I/O. Errors: registry_unusable; Unread if a later call may tell.
  bool moved_since(State& seen) const;

  // Returns true if a link on the path was switched since then. Blocks: I/O. Errors:
  // registry_unusable.
  bool links_changed_since(const State& seen) const;

  // Returns `nodes` locked, null if another process holds the lock for long. Blocks: I/O, and some
  // seconds for the lock, longer while others get it. Errors: registry_unusable.
  std::unique_ptr<NodeFile> lock() const;
  std::string why_locked() const;  // for messages, after lock() returned null
  // Mends the folder unless it can be believed, and returns its standing. nodes: from lock().
  // known: returns the node ids that have a file. Blocks: I/O. Errors: registry_unusable.
  using NodeIds = std::function<std::vector<std::uint64_t>()>;
  State mended(NodeFile& nodes, const NodeIds& known) const;

  // Notes that this node id was handed out, and that its new file is the registry's own work.
  // Others see the note at once, but it is durable only after nodes.flush(), which must precede the
  // first id. Blocks: I/O. Errors: registry_unusable.
  static void note_made(NodeFile& nodes, std::uint64_t node);

  // Returns the Unix ms from which it is safe to issue, although an unseen holder may have issued
  // until now, or until the last change by the file system's time, in Unix ns.
  std::int64_t quarantine_ms(std::int64_t changed_ns) const;
  // Returns the same if the file system records whole seconds, so that a later change may have the
  // same time. Else 0.
  std::int64_t unseen_until_ms(std::int64_t changed_ns) const;

  std::int64_t now_ms() const { return manual_ == nullptr ? SystemClock::read_ms() : manual_->now_ms(); }

 private:
  std::string path() const { return platform::inside(folder_, "nodes"); }
  State state_of(const NodeContent& content, const Times& times) const;
  std::int64_t mended_ms() const;  // Errors: Unread
  std::int64_t unseen_until_ms(const Times& times) const;
  bool is_comparable(std::int64_t changed_ns) const;

  const std::string folder_;
  const std::string home_;
  const std::int64_t window_ms_;
  const Clock* const manual_;
};

}  // namespace polyflake

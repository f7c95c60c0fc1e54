// The host registry: shares node ids among the processes of one host, without a server.
//
// A folder holds one file per node id: a lock, and a durable time mark below which ids may have
// been stamped. A window is reserved in the mark before any id is stamped in it. So the next
// process with this node id starts beyond the window, even after a crash or with the clock set
// back. Safe on one host only: two hosts, or two containers with folders of their own, know nothing
// of each other. Rules: docs/worker-ids.md.
#pragma once

#include <polyflake/clock.hpp>
#include <polyflake/layout.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "host/folder_mark.hpp"
#include "host/host_reservation.hpp"
#include "host/node_file.hpp"

namespace polyflake {

class HostRegistry {
 public:
  // Returns POLYFLAKE_HOME, else $XDG_STATE_HOME/polyflake, else ~/.local/state/polyflake.
  // Errors: registry_unusable (none of them is set, or the path is not absolute).
  static std::string default_home();

  // Opens the part of a registry folder that belongs to this layout, and creates it with mode 0700
  // if it is missing. manual: replaces the system's clock; it must outlive the registry and its
  // nodes.
  // Errors: registry_unusable, naming the folder.
  HostRegistry(const std::string& home, const Layout& layout, const Clock* manual = nullptr);

  // Returns the lowest free node id whose mark has passed, else one never used, else the one that
  // passes soonest. taken: returns true for node ids that this process already has or cannot use. A
  // node id whose file fails is skipped and reported to `failed`, if given.
  // Blocks: I/O. Errors: no_worker_free, registry_unusable, clock_before_epoch.
  using Question = std::function<bool(std::uint64_t node)>;
  using Report = std::function<void(std::uint64_t node)>;
  std::unique_ptr<HostReservation> acquire(const Question& taken, const Report& failed = nullptr);

  // Returns this node id. Blocks: I/O, and some ms while another process looks at the file.
  // Errors: worker_in_use (naming the holder's pid), registry_unusable, clock_before_epoch.
  std::unique_ptr<HostReservation> acquire(std::uint64_t node);

  const std::string& folder() const { return folder_; }

 private:
  class Search;

  std::string path_of(std::uint64_t node) const;
  enum class When { at_once, any };
  std::unique_ptr<HostReservation> stand(std::uint64_t node, std::unique_ptr<NodeFile> file, When when);
  std::unique_ptr<HostReservation> make(std::uint64_t node, NodeFile& nodes, std::int64_t patience_ms);
  static void make_durable(HostReservation& made, NodeFile& nodes);
  FolderMark::State mended(NodeFile& nodes) const;
  [[noreturn]] void refuse_in_use(std::uint64_t node) const;

  std::string folder_;
  Layout layout_;
  std::shared_ptr<const FolderMark> mark_;
};

}  // namespace polyflake

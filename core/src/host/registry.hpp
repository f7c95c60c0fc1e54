// The host registry: how the processes of one host share node ids, with nothing to run.
//
// A folder holds one file per node id: a lock, and a durable time mark below which ids may have been
// stamped. A window is reserved in the mark before anything is stamped in it, so whoever takes the node id
// next, after a crash or with the clock set back, starts beyond it. Safe on one host only: two hosts, or
// two containers with folders of their own, know nothing of each other. Rules: docs/worker-ids.md.
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
  // POLYFLAKE_HOME, else $XDG_STATE_HOME/polyflake, else ~/.local/state/polyflake.
  // Errors: registry_unusable (none of them set, or not an absolute path).
  static std::string default_home();

  // The part of a registry folder that belongs to this layout; created with mode 0700 when missing.
  // manual: a clock to go by instead of the system's; it must outlive the registry and its nodes.
  // Errors: registry_unusable, naming the folder.
  HostRegistry(const std::string& home, const Layout& layout, const Clock* manual = nullptr);

  // The lowest free node id whose mark has passed, else one never used, else the one that passes soonest. `taken` says
  // which node ids this process has already, or cannot use. A node id whose file fails is stepped over; `failed`, if given,
  // is told. Blocks: I/O. Errors: no_worker_free, registry_unusable, clock_before_epoch.
  using Question = std::function<bool(std::uint64_t node)>;
  using Report = std::function<void(std::uint64_t node)>;
  std::unique_ptr<HostReservation> acquire(const Question& taken, const Report& failed = nullptr);

  // This node id. Blocks: I/O, and some ms while another process looks at the file.
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
  FolderMark::Standing mended(NodeFile& nodes) const;
  [[noreturn]] void refuse_in_use(std::uint64_t node) const;

  std::string folder_;
  Layout layout_;
  std::shared_ptr<const FolderMark> mark_;
};

}  // namespace polyflake

// The host registry: how the processes of one host share node ids, with nothing to run.
//
// A folder holds one file per node id: a lock, and a durable time mark below which ids may have been
// stamped. A window is reserved in the mark before anything is stamped in it, so whoever takes the node id
// next, after a crash or with the clock set back, starts beyond it. Safe on one host only: two hosts, or
// two containers with folders of their own, know nothing of each other. Rules: docs/worker-ids.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <polyflake/grant.hpp>
#include <polyflake/layout.hpp>

namespace polyflake {

class NodeFile;

// A node id held by this process, with the first window reserved durably. No window ever reaches further than its
// length beyond the clock, so that whoever comes to a removed or copied registry and waits that long is safe.
class HostNode final : public GrantSource {
 public:
  HostNode(std::uint64_t node, std::unique_ptr<NodeFile> file, const Layout& layout, std::int64_t now_ms);
  ~HostNode() override;

  std::uint64_t node() const { return node_; }
  std::uint64_t start_tick() const { return start_tick_; }
  std::uint64_t until_tick() const { return until_tick_; }

  bool extend(Grant& grant, std::uint64_t tick, std::int64_t now_ms) override;
  void release(std::uint64_t last_tick) noexcept override;
  void abandon() noexcept override;

 private:
  void reserve(std::uint64_t until_tick);

  const std::uint64_t node_;
  const std::unique_ptr<NodeFile> file_;
  const Layout layout_;
  std::uint64_t start_tick_;
  std::uint64_t until_tick_ = 0;
};

class HostRegistry {
 public:
  // How far ahead of the clock the mark is reserved: about 2 s, and at least two ticks.
  static std::uint64_t window_ticks(const Layout& layout) {
    constexpr std::int64_t kWindowMs = 2000;
    const std::int64_t ticks = (kWindowMs + layout.tick_ms() - 1) / layout.tick_ms();
    return static_cast<std::uint64_t>(ticks < 2 ? 2 : ticks);
  }
  static std::int64_t window_ms(const Layout& layout) {
    return static_cast<std::int64_t>(window_ticks(layout)) * layout.tick_ms();
  }

  // POLYFLAKE_HOME, else $XDG_STATE_HOME/polyflake, else ~/.local/state/polyflake.
  // Errors: registry_unusable (none of them set, or not an absolute path).
  static std::string default_home();

  // The part of a registry folder that belongs to this layout; created with mode 0700 when missing.
  // Errors: registry_unusable, naming the folder.
  HostRegistry(const std::string& home, const Layout& layout);

  // The lowest free node id whose mark has passed, else the one that passes soonest; a node id never used here
  // counts as marked one window ahead, since its file may have been removed.
  // `taken` says which node ids this process has already. Blocking: I/O.
  // Errors: no_worker_free, registry_unusable, clock_before_epoch.
  std::unique_ptr<HostNode> acquire(std::int64_t now_ms, const std::function<bool(std::uint64_t)>& taken);

  // This node id. Errors: worker_in_use (naming the holder's pid), registry_unusable, clock_before_epoch.
  std::unique_ptr<HostNode> acquire(std::uint64_t node, std::int64_t now_ms);

 private:
  std::string path_of(std::uint64_t node) const;

  std::string folder_;
  Layout layout_;
};

}  // namespace polyflake

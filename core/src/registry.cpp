#include <polyflake/registry.hpp>

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include <dirent.h>

#include "ascii.hpp"
#include "node_file.hpp"
#include "platform.hpp"

namespace polyflake {
namespace {

std::int64_t ceil_div(std::int64_t value, std::int64_t by) { return value / by + (value % by == 0 ? 0 : 1); }

// The Unix ms from which a node id may be used, going by its file.
std::int64_t usable_from(const NodeFile& file, const Layout& layout, std::int64_t now_ms) {
  // Without a record of this very file nobody knows what was stamped: whoever held the node id under a file
  // that was removed, or that this one is a copy of, had reserved at most one window.
  const std::int64_t quarantine = file.blank() || !file.genuine() ? now_ms + HostRegistry::window_ms(layout) : 0;
  return std::max({file.until_ms(), quarantine});
}

// Node ids that have a file in the folder, ascending.
std::vector<std::uint64_t> node_ids_in(const std::string& folder, const Layout& layout) {
  std::vector<std::uint64_t> nodes;
  DIR* const entries = ::opendir(folder.c_str());
  if (entries == nullptr) {
    throw Error(ErrorCode::registry_unusable,
                "cannot read the registry folder '" + folder + "': " + std::generic_category().message(errno));
  }
  while (const dirent* const entry = ::readdir(entries)) {
    const auto node = ascii::decimal(entry->d_name);
    if (node && *node <= layout.largest_node()) nodes.push_back(*node);
  }
  ::closedir(entries);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

// The absolute path in an environment variable, "" when it is not set.
std::string path_from(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

}  // namespace

// --- HostNode ------------------------------------------------------------------------------------

HostNode::HostNode(std::uint64_t node, std::unique_ptr<NodeFile> file, const Layout& layout, std::int64_t now_ms)
    : node_(node), file_(std::move(file)), layout_(layout) {
  const std::int64_t from_ms = usable_from(*file_, layout, now_ms);
  const std::uint64_t now_tick = layout.tick_at(now_ms);
  if (from_ms <= now_ms) {
    start_tick_ = now_tick;
    reserve(now_tick + HostRegistry::window_ticks(layout));
  } else {
    // The window stays empty until its start has come: then the file is looked at again and the mark moved on.
    start_tick_ = static_cast<std::uint64_t>(ceil_div(from_ms - layout.epoch_ms(), layout.tick_ms()));
    reserve(start_tick_);
  }
}

HostNode::~HostNode() = default;

void HostNode::reserve(std::uint64_t until_tick) {
  until_tick_ = std::min(until_tick, layout_.end_tick());
  file_->write(layout_.time_of(until_tick_), NodeFile::Durable::yes);
}

bool HostNode::extend(Grant& grant, std::uint64_t tick, std::int64_t now_ms) {
  const std::uint64_t until_tick = layout_.tick_at(now_ms) + HostRegistry::window_ticks(layout_);
  if (tick >= until_tick) return false;
  reserve(until_tick);
  // Release: the mark is durable before any thread sees the window.
  grant.until.store(until_tick_, std::memory_order_release);
  return true;
}

void HostNode::release(std::uint64_t last_tick) noexcept {
  try {
    // Not flushed: should it be lost, the higher mark before it still stands.
    file_->write(layout_.time_of(last_tick + 1), NodeFile::Durable::no);
  } catch (...) {
    // The mark stays where it is, and the next holder waits for it.
  }
}

void HostNode::abandon() noexcept { file_->abandon(); }

// --- HostRegistry --------------------------------------------------------------------------------

std::string HostRegistry::default_home() {
  std::string home;
  if (std::getenv("POLYFLAKE_HOME") != nullptr) {
    home = path_from("POLYFLAKE_HOME");
  } else if (path_from("XDG_STATE_HOME").substr(0, 1) == "/") {  // a relative one is to be ignored (XDG base directories)
    home = path_from("XDG_STATE_HOME") + "/polyflake";
  } else if (!path_from("HOME").empty()) {
    home = path_from("HOME") + "/.local/state/polyflake";
  }
  if (home.substr(0, 1) == "/") return home;
  throw Error(ErrorCode::registry_unusable, "the registry folder " + quoted(home) +
                                                " is not an absolute path; set POLYFLAKE_HOME to a local folder");
}

HostRegistry::HostRegistry(const std::string& home, const Layout& layout) : layout_(layout) {
  folder_ = home + "/" + to_text(layout.fingerprint(), "hex");
  platform::make_folders(folder_);
}

std::string HostRegistry::path_of(std::uint64_t node) const { return folder_ + "/" + std::to_string(node); }

std::unique_ptr<HostNode> HostRegistry::acquire(std::uint64_t node, std::int64_t now_ms) {
  auto file = NodeFile::try_lock(path_of(node), NodeFile::Missing::make);
  if (file == nullptr) {
    const std::string owner = NodeFile::owner(path_of(node));
    throw Error(ErrorCode::worker_in_use, "node id " + std::to_string(node) + " is held by " +
                                              (owner.empty() ? "another process" : "process " + quoted(owner) + " (host/pid)") +
                                              "; use \"host\" to take any free one");
  }
  return std::make_unique<HostNode>(node, std::move(file), layout_, now_ms);
}

std::unique_ptr<HostNode> HostRegistry::acquire(std::int64_t now_ms, const std::function<bool(std::uint64_t)>& taken) {
  const std::uint64_t largest = layout_.largest_node();
  const std::vector<std::uint64_t> known = node_ids_in(folder_, layout_);
  std::string unusable;

  // Locks are given back while scanning, so that starting processes do not keep each other from free node ids.
  std::vector<std::pair<std::int64_t, std::uint64_t>> later;  // mark, node id
  for (const std::uint64_t node : known) {
    if (taken(node)) continue;
    try {
      auto file = NodeFile::try_lock(path_of(node), NodeFile::Missing::leave);
      if (file == nullptr) continue;
      const std::int64_t from_ms = usable_from(*file, layout_, now_ms);
      if (from_ms <= now_ms) return std::make_unique<HostNode>(node, std::move(file), layout_, now_ms);
      later.emplace_back(from_ms, node);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::registry_unusable) throw;
      unusable = error.what();  // reported if nothing else is free
    }
  }
  std::sort(later.begin(), later.end());

  // What passes soonest first: known node ids before the quarantine of a new one ends, then new ones.
  const std::int64_t quarantine_ends = now_ms + window_ms(layout_);
  const auto try_later = [&](bool before_new) -> std::unique_ptr<HostNode> {
    for (const auto& [from_ms, node] : later) {
      if ((from_ms <= quarantine_ends) != before_new) continue;
      auto file = NodeFile::try_lock(path_of(node), NodeFile::Missing::leave);
      if (file != nullptr) return std::make_unique<HostNode>(node, std::move(file), layout_, now_ms);
    }
    return nullptr;
  };
  if (auto node = try_later(true)) return node;
  auto next_known = known.begin();
  for (std::uint64_t node = 0;; ++node) {
    while (next_known != known.end() && *next_known < node) ++next_known;
    const bool is_new = next_known == known.end() || *next_known != node;
    if (is_new && !taken(node)) {
      auto file = NodeFile::try_lock(path_of(node), NodeFile::Missing::make);
      if (file != nullptr) return std::make_unique<HostNode>(node, std::move(file), layout_, now_ms);
    }
    if (node == largest) break;
  }
  if (auto node = try_later(false)) return node;
  if (!unusable.empty()) throw Error(ErrorCode::registry_unusable, unusable);
  throw Error(ErrorCode::no_worker_free, "all node ids, 0 to " + std::to_string(largest) + ", of layout '" + layout_.text() +
                                             "' are held on this host; end a process, or use a layout with a wider node field");
}

}  // namespace polyflake

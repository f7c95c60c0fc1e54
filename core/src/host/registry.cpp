#include "host/registry.hpp"

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "os/os.hpp"

namespace polyflake {
namespace {

// Returns the Unix ms from which a node id may be used, by its file. Without a record of this very
// file the stamps are unknown: a holder under a file that was removed, restored or damaged had
// reserved at most one window.
std::int64_t usable_from(const NodeContent& content, const FolderMark& folder, const FolderMark::State& state) {
  const bool believed = state.believed && content.genuine && !content.damaged;
  return std::max({content.record.until_ms, state.floor_ms,
                   believed ? folder.unseen_until_ms(content.changed_ns) : folder.quarantine_ms(content.changed_ns)});
}

// Returns the node ids that have a file in the folder, ascending.
std::vector<std::uint64_t> node_ids_in(const std::string& folder, const Layout& layout) {
  std::vector<std::uint64_t> nodes;
  for (const std::string& name : platform::names_in(folder)) {
    const auto node = ascii::decimal(name);
    if (node && *node <= layout.largest_node()) nodes.push_back(*node);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

// Returns the value of an environment variable, "" if it is not set.
std::string value_of(const char* variable) { return platform::environment(variable).value_or(""); }

}  // namespace

std::string HostRegistry::default_home() {
  std::string home;
  const char* variable = "POLYFLAKE_HOME";
  const char* const user_folder = platform::user_folder_variable();
  if (const auto chosen = platform::environment(variable)) {
    home = *chosen;
  } else if (platform::is_absolute(value_of("XDG_STATE_HOME"))) {  // XDG: else ignored
    home = platform::inside(value_of("XDG_STATE_HOME"), "polyflake");
  } else if (!value_of(user_folder).empty()) {
    variable = user_folder;
    home = platform::inside(value_of(variable), ".local/state/polyflake");
  } else {
    throw Error(ErrorCode::registry_unusable, std::string("there is no place for the registry folder: none of "
                                                          "POLYFLAKE_HOME, XDG_STATE_HOME and ") +
                                                  user_folder + " is set; set POLYFLAKE_HOME to a local folder");
  }
  if (platform::is_absolute(home)) return home;
  throw Error(ErrorCode::registry_unusable, "the registry folder " + polyflake::quoted_path(home) + ", from " +
                                                variable +
                                                ", is not an absolute path; set POLYFLAKE_HOME to a local folder");
}

HostRegistry::HostRegistry(const std::string& home, const Layout& layout, const Clock* manual)
    : folder_(platform::inside(home, to_text(layout.fingerprint(), "hex"))), layout_(layout) {
  FolderMark::note_before_making(folder_, home);
  platform::make_folders(folder_);
  mark_ = std::make_shared<const FolderMark>(folder_, home, HostReservation::window_ms(layout), manual);
}

std::string HostRegistry::path_of(std::uint64_t node) const { return platform::inside(folder_, std::to_string(node)); }

// Returns a reservation over a locked file. This order keeps it apart from unseen holders: read the
// clock, judge the folder, then (in the write) check that the file still exists. A quarantine
// counts from a reading after all that.
std::unique_ptr<HostReservation> HostRegistry::stand(std::uint64_t node, std::unique_ptr<NodeFile> file, When when) {
  const std::int64_t now_ms = mark_->now_ms();
  const FolderMark::State state = mark_->state();
  const std::int64_t from_ms = usable_from(file->content(), *mark_, state);
  if (when == When::at_once && from_ms > now_ms) return nullptr;
  return std::make_unique<HostReservation>(node, HostReservation::Guard{std::move(file), mark_, state}, layout_,
                                           from_ms, now_ms);
}

FolderMark::State HostRegistry::mended(NodeFile& nodes) const {
  return mark_->mended(nodes, [this] { return node_ids_in(folder_, layout_); });
}

// Makes a node id without a record, under the lock of `nodes`: one never handed out, or one whose
// record was lost. The caller must make it durable.
std::unique_ptr<HostReservation> HostRegistry::make(std::uint64_t node, NodeFile& nodes, std::int64_t patience_ms) {
  const std::int64_t now_ms = mark_->now_ms();
  const FolderMark::State state = mended(nodes);
  auto file = NodeFile::lock(path_of(node), NodeFile::Missing::make, patience_ms);
  if (file == nullptr) return nullptr;
  const bool never_used = node >= state.used && file->content().record.count == 0;
  const std::int64_t from_ms = never_used ? state.floor_ms : usable_from(file->content(), *mark_, state);
  auto made = std::make_unique<HostReservation>(node, HostReservation::Guard{std::move(file), mark_, state}, layout_,
                                                from_ms, now_ms, NodeFile::Durable::no);
  FolderMark::note_made(nodes, node);
  return made;
}

// Unlocks `nodes` first, so that processes that start at once do not wait for each other's flushes.
// Other processes see the write at once. A power failure may lose it, but no id was issued by then.
void HostRegistry::make_durable(HostReservation& made, NodeFile& nodes) {
  nodes.unlock();
  made.make_durable();
  nodes.flush();
}

void HostRegistry::refuse_in_use(std::uint64_t node) const {
  const std::string owner = NodeFile::owner(path_of(node));
  const char* const child = platform::life_of(owner) == "not running" ? ", perhaps by a child that it left behind" : "";
  throw Error(ErrorCode::worker_in_use, "node id " + std::to_string(node) + " is held by " +
                                            platform::holder_of(owner) + child + "; use \"host\" to take any free one");
}

std::unique_ptr<HostReservation> HostRegistry::acquire(std::uint64_t node) {
  constexpr std::int64_t kPatienceMs = 50;  // for a process that looks for a free node id
  const std::int64_t patience_ms = std::max(kPatienceMs, LockedFile::lingers_ms());
  if (auto file = NodeFile::lock(path_of(node), NodeFile::Missing::leave, patience_ms)) {
    if (file->content().record.count != 0) return stand(node, std::move(file), When::any);
  } else if (NodeFile::look(path_of(node))) {
    refuse_in_use(node);
  }
  const auto nodes = mark_->lock();
  if (nodes == nullptr) throw Error(ErrorCode::registry_unusable, mark_->why_locked());
  auto made = make(node, *nodes, patience_ms);
  if (made == nullptr) refuse_in_use(node);
  make_durable(*made, *nodes);
  return made;
}

// One search for any node id.
class HostRegistry::Search {
 public:
  Search(HostRegistry& registry, const Question& taken, const Report& failed)
      : registry_(registry), taken_(taken), failed_(failed), largest_(registry.layout_.largest_node()) {}

  std::unique_ptr<HostReservation> run() {
    known_ = node_ids_in(registry_.folder_, registry_.layout_);
    if (auto node = known_at_once()) return node;
    std::sort(later_.begin(), later_.end());
    for (int failures = -1; failures != failures_;) {  // after a failure another node id may do
      failures = failures_;
      if (auto node = new_or_sooner()) return node;
    }
    if (auto node = any_later(INT64_MAX)) return node;
    if (!unusable_.empty()) throw Error(ErrorCode::registry_unusable, unusable_);
    refuse_all();
  }

 private:
  // Many failures in a row are the disk's fault, not that of one file.
  static constexpr int kMostFailures = 16;

  [[noreturn]] void refuse_all() const {
    std::uint64_t own = 0, first_own = 0;  // node ids this process has by other means
    for (std::uint64_t node = largest_ + 1; node-- > 0;) {
      if (!taken_(node)) continue;
      ++own;
      first_own = node;
    }
    std::string who = " are held on this host", way_out;
    if (own != 0) {
      who += (own > largest_ ? "" : ", " + std::to_string(own) + " of them") +
             std::string(
                 " by this process itself (as numbers, through another folder, or by another copy of the library)");
      way_out = "pass \"host:" + std::to_string(first_own) + "\", ";
    }
    if (own <= largest_) way_out += "end a process, ";
    throw Error(ErrorCode::no_worker_free, "all node ids, 0 to " + std::to_string(largest_) + ", of layout '" +
                                               registry_.layout_.text() + "'" + who + "; " + way_out +
                                               "or use a layout with a wider node field");
  }

  // Returns null if the attempt fails, and reports the node id; rethrows after kMostFailures.
  template <class Attempt>
  std::unique_ptr<HostReservation> attempt(std::uint64_t node, const Attempt& attempt) {
    try {
      return attempt();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::registry_unusable) throw;
      unusable_ = error.what();
      if (failed_) failed_(node);
      if (++failures_ >= kMostFailures) throw;
      return nullptr;
    }
  }

  // Takes no lock, so that starting processes do not keep each other from free node ids.
  std::optional<NodeContent> look(std::uint64_t node) {
    try {
      return NodeFile::look(registry_.path_of(node));
    } catch (const Error& error) {
      unusable_ = error.what();
      return std::nullopt;
    }
  }

  std::unique_ptr<HostReservation> known_at_once() {
    const FolderMark::State state = registry_.mark_->state();
    for (const std::uint64_t node : known_) {
      if (taken_(node)) continue;
      const auto content = look(node);
      if (!content) continue;
      const std::int64_t from_ms = usable_from(*content, *registry_.mark_, state);
      if (from_ms > registry_.mark_->now_ms()) {
        later_.emplace_back(from_ms, node);
        continue;
      }
      auto found = attempt(node, [&]() -> std::unique_ptr<HostReservation> {
        auto file = NodeFile::lock(registry_.path_of(node), NodeFile::Missing::leave, 0);
        if (file == nullptr) return nullptr;
        auto stood = registry_.stand(node, std::move(file), When::at_once);
        if (stood == nullptr) later_.emplace_back(registry_.mark_->quarantine_ms(0), node);
        return stood;
      });
      if (found != nullptr) return found;
    }
    return nullptr;
  }

  // Returns a node id never used, which starts at the folder's floor, unless a known one passes
  // earlier. Else returns one whose record was lost.
  std::unique_ptr<HostReservation> new_or_sooner() {
    const FolderMark& mark = *registry_.mark_;
    const auto nodes = lock_nodes();
    if (nodes == nullptr) return nullptr;
    const FolderMark::State state = registry_.mended(*nodes);
    if (state.floor_ms > mark.now_ms()) {
      if (auto node = any_later(state.floor_ms - 1)) return node;
    }
    const auto has_no_record = [this](std::uint64_t node) {
      try {
        const auto content = NodeFile::look(registry_.path_of(node));
        return !content || content->record.count == 0;
      } catch (const Error& error) {
        unusable_ = error.what();
        return false;
      }
    };
    auto made = make_between(state.used, largest_, *nodes, has_no_record);
    if (made == nullptr) {
      if (auto node = any_later(mark.quarantine_ms(0))) return node;
    }
    if (made == nullptr && state.used != 0) {
      known_ = node_ids_in(registry_.folder_, registry_.layout_);
      const auto has_no_file = [this](std::uint64_t node) {
        return !std::binary_search(known_.begin(), known_.end(), node);
      };
      made = make_between(0, std::min(state.used - 1, largest_), *nodes, has_no_file);
    }
    if (made == nullptr) return nullptr;
    return attempt(made->id(), [&] {
      make_durable(*made, *nodes);
      return std::move(made);
    });
  }

  // Returns null if the lock cannot be had; then known node ids may do.
  std::unique_ptr<NodeFile> lock_nodes() {
    try {
      if (auto nodes = registry_.mark_->lock()) return nodes;
      unusable_ = registry_.mark_->why_locked();
    } catch (const Error& error) {
      unusable_ = error.what();
    }
    return nullptr;
  }

  std::unique_ptr<HostReservation> make_between(std::uint64_t least, std::uint64_t most, NodeFile& nodes,
                                                const Question& may_be_made) {
    for (std::uint64_t node = least; node <= most; ++node) {
      if (!taken_(node) && may_be_made(node)) {
        if (auto made = attempt(node, [&] { return registry_.make(node, nodes, 0); })) return made;
      }
      if (node == most) break;  // may be the largest integer
    }
    return nullptr;
  }

  std::unique_ptr<HostReservation> any_later(std::int64_t latest_ms) {
    for (const auto& [from_ms, node] : later_) {
      if (from_ms > latest_ms) break;
      auto found = attempt(node, [&, node = node]() -> std::unique_ptr<HostReservation> {
        auto file = NodeFile::lock(registry_.path_of(node), NodeFile::Missing::leave, 0);
        return file == nullptr ? nullptr : registry_.stand(node, std::move(file), When::any);
      });
      if (found != nullptr) return found;
    }
    return nullptr;
  }

  HostRegistry& registry_;
  const Question& taken_;
  const Report& failed_;
  const std::uint64_t largest_;
  std::vector<std::uint64_t> known_;
  // Unix ms from which a node id may be used, and the node id.
  std::vector<std::pair<std::int64_t, std::uint64_t>> later_;
  std::string unusable_;  // reported if nothing else is free
  int failures_ = 0;
};

std::unique_ptr<HostReservation> HostRegistry::acquire(const Question& taken, const Report& failed) {
  return Search(*this, taken, failed).run();
}

}  // namespace polyflake

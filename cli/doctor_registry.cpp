#include <polyflake/error.hpp>
#include <polyflake/registry_contents.hpp>
#include <polyflake/text.hpp>

#include <filesystem>
#include <optional>
#include <vector>

#include "machine.hpp"
#include "report.hpp"
#include "tree.hpp"

namespace polyflake::cli {
namespace {

void look_at_folder(Report& report, const RegistryHome& home) {
  namespace fs = std::filesystem;
  // The folder, or the one above it in which it would be made.
  const fs::path folder = fs::u8path(home.path);
  fs::path nearest = folder;
  std::error_code failed;
  while (fs::status(nearest, failed).type() == fs::file_type::not_found && nearest.has_relative_path()) {
    nearest = nearest.parent_path();
  }
  const auto system = machine::file_system(nearest);
  const std::string path = one_line(home.path);
  if (!fs::is_directory(nearest, failed) || !machine::may_use(nearest) || (system && system->of_the_kernel)) {
    report.wrong("registry", path + " cannot be made, or read and written: `host` is registry_unusable");
  } else {
    report.well("registry", path + (nearest == folder ? "" : ", not made yet"));
  }
  const std::string name = system ? system->name : "this one";
  if (home.shared) {
    report.wrong("file system",
                 name +
                     " is shared among hosts, to which locks of this one mean nothing: `host` is refused; "
                     "set POLYFLAKE_HOME to a local folder");
  } else if (home.container) {
    report.warned("file system",
                  name +
                      ": if this is a container, others issue the same ids; mount one folder into all of "
                      "them and name it in POLYFLAKE_HOME");
  } else if (!system || system->of_the_kernel) {
    report.told("file system", system ? name : "this system does not say");
  } else if (system->in_memory) {
    report.warned("file system",
                  name +
                      ": the registry is gone when the host restarts; a clock that is set back meanwhile "
                      "repeats ids");
  } else {
    report.well("file system", name);
  }
}

// The mark that lies farthest ahead of the limit of its layout, if any does. No mark is written
// farther ahead than the end of this tick and a window, 2 s or two ticks. One beyond that was
// written when the clock was later.
struct FarMark {
  std::int64_t until_ms;
  bool of_known_layout;
};

// Returns why no new node id can be handed out in the folder, or "".
std::string fault_of_list(const RegistryHome& home, const HostFolder& folder) {
  namespace fs = std::filesystem;
  if (!folder.unusable.empty()) return folder.unusable;
  const fs::path path = fs::u8path(home.path) / to_text(folder.fingerprint, "hex"), nodes = path / "nodes";
  std::error_code failed;
  if (!machine::may_use(path)) return path.u8string() + " cannot be read and written";
  if (fs::exists(nodes, failed) && !machine::may_write(nodes)) return nodes.u8string() + " cannot be read and written";
  return "";
}

// The files `nodes`, without which no new node id is handed out.
void look_at_lists(Report& report, const RegistryHome& home, const std::vector<HostFolder>& folders) {
  for (const HostFolder& folder : folders) {
    const std::string fault = fault_of_list(home, folder);
    if (fault.empty()) continue;
    return report.wrong("nodes", one_line(fault) +
                                     ": without this list of node ids `host` is registry_unusable, unless a known "
                                     "node id is free");
  }
  for (const HostFolder& folder : folders) {
    if (!folder.locked_by.empty()) {
      return report.warned("nodes", "process " + one_line(folder.locked_by) +
                                        " (host/pid) has locked this list of node ids: if it keeps the lock for "
                                        "seconds, `host` is registry_unusable");
    }
  }
  report.well("nodes", "new node ids can be handed out");
}

class Marks {
 public:
  Marks(const Layout& layout, std::int64_t now_ms) : layout_(layout), now_ms_(now_ms) {}

  void count(const HostFolder& folder) {
    const auto tick_ms = tick_of(folder.fingerprint);
    for (const HostNode& node : folder.nodes) {
      ++count_;
      held_ += node.held ? 1 : 0;
      if (!node.unusable.empty()) unusable_ = node.unusable;
      if (node.empty && !node.held) empty_.push_back(std::to_string(node.node));
      const bool ahead = is_ahead(node.until_ms, now_ms_, tick_ms.value_or(0));
      if (ahead && (!far_ || node.until_ms > far_->until_ms)) far_ = FarMark{node.until_ms, tick_ms.has_value()};
    }
  }

  void tell(Report& report) const {
    const std::string known = std::to_string(count_) + " node ids, " + std::to_string(held_) + " held";
    if (far_) {
      report.warned("marks",
                    known + "; one lies " + duration(static_cast<std::uint64_t>(far_->until_ms - now_ms_)) +
                        " ahead: " + (far_->of_known_layout ? "" : "more than three ticks of its layout means that ") +
                        "the clock was set back, and that node id rests until then");
    }
    if (!unusable_.empty()) report.warned("marks", known + "; " + one_line(unusable_));
    if (!empty_.empty()) {
      report.warned("marks", known + "; without a record: " + joined(empty_) +
                                 ": it was lost, or a disk was full; such a node id may rest for one window");
    }
    if (!far_ && unusable_.empty() && empty_.empty()) report.well("marks", known);
  }

 private:
  // Uses the layout that the user asked about, or the preset with this fingerprint.
  std::optional<std::int64_t> tick_of(std::uint64_t fingerprint) const {
    if (fingerprint == layout_.fingerprint()) return layout_.tick_ms();
    const auto preset = preset_of(fingerprint);
    if (!preset) return std::nullopt;
    return Layout::preset(*preset).tick_ms();
  }

  const Layout& layout_;
  const std::int64_t now_ms_;
  std::size_t count_ = 0, held_ = 0;
  std::optional<FarMark> far_;
  std::string unusable_;
  std::vector<std::string> empty_;
};

}  // namespace

void look_at_registry(Report& report, const Layout& layout, std::int64_t now_ms) {
  try {
    const RegistryHome home = registry_home();
    look_at_folder(report, home);
    const std::vector<HostFolder> folders = registry_contents();
    look_at_lists(report, home, folders);
    Marks marks(layout, now_ms);
    for (const HostFolder& folder : folders) marks.count(folder);
    marks.tell(report);
  } catch (const Error& error) {
    report.wrong("registry", one_line(error.what()));
  }
}

}  // namespace polyflake::cli

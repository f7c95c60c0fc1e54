#include <polyflake/error.hpp>
#include <polyflake/registry_contents.hpp>

#include <filesystem>
#include <optional>

#include "machine.hpp"
#include "report.hpp"

namespace polyflake::cli {
namespace {

void look_at_folder(Report& report, const RegistryHome& home) {
  namespace fs = std::filesystem;
  // Itself, or the one above it that it would be made in.
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

// The mark that lies farthest ahead of what its layout allows, if any does. No mark is written farther ahead than the end of
// this tick and a window, 2 s or two ticks: one that lies there was, when the clock was later.
struct FarMark {
  std::int64_t until_ms;
  bool of_known_layout;
};

class Marks {
 public:
  Marks(const Layout& layout, std::int64_t now_ms) : layout_(layout), now_ms_(now_ms) {}

  void count(const HostFolder& folder) {
    const auto tick_ms = tick_of(folder.fingerprint);
    for (const HostNode& node : folder.nodes) {
      ++count_;
      held_ += node.held ? 1 : 0;
      if (!node.unusable.empty()) unusable_ = node.unusable;
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
    if (!far_ && unusable_.empty()) report.well("marks", known);
  }

 private:
  // Of the layout that was asked about, or of a preset.
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
};

}  // namespace

void look_at_registry(Report& report, const Layout& layout, std::int64_t now_ms) {
  try {
    look_at_folder(report, registry_home());
    Marks marks(layout, now_ms);
    for (const HostFolder& folder : registry_contents()) marks.count(folder);
    marks.tell(report);
  } catch (const Error& error) {
    report.wrong("registry", one_line(error.what()));
  }
}

}  // namespace polyflake::cli

#include <polyflake/registry_contents.hpp>

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <algorithm>
#include <optional>

#include "base/ascii.hpp"
#include "host/node_file.hpp"
#include "host/registry.hpp"
#include "os/locked_file.hpp"
#include "os/os.hpp"

namespace polyflake {
namespace {

// Of a folder's name: 16 hex digits.
std::optional<std::uint64_t> fingerprint_of(const std::string& name) {
  try {
    return from_text(name, "hex");
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Nothing where the file was removed meanwhile.
std::optional<HostNode> node_in(const std::string& folder, std::uint64_t node) {
  const std::string path = platform::inside(folder, std::to_string(node));
  try {
    const bool held = LockedFile(path).try_lock(LockedFile::Missing::leave) == LockedFile::Try::held;
    const auto content = NodeFile::look(path);
    if (!content) return std::nullopt;
    return HostNode{node, content->record.until_ms, held, content->record.owner, ""};
  } catch (const Error& error) {
    return HostNode{node, 0, false, "", error.what()};
  }
}

template <class Entry, class Number>
void sort_by(std::vector<Entry>& entries, Number Entry::* number) {
  std::sort(entries.begin(), entries.end(), [=](const Entry& a, const Entry& b) { return a.*number < b.*number; });
}

}  // namespace

RegistryHome registry_home() {
  const std::string path = HostRegistry::default_home();
  const platform::FileSystem system = platform::file_system(path);
  return {path, system.shared, system.container_layer};
}

std::vector<HostFolder> registry_contents() {
  const platform::Uncancelled uncancelled;
  std::vector<HostFolder> folders;
  const std::string home = HostRegistry::default_home();
  if (platform::find(home) == platform::Found::no) return folders;
  for (const std::string& name : platform::names_in(home)) {
    const auto fingerprint = fingerprint_of(name);
    if (!fingerprint) continue;
    HostFolder folder{*fingerprint, {}};
    const std::string path = platform::inside(home, name);
    for (const std::string& entry : platform::names_in(path)) {
      const auto number = ascii::decimal(entry);
      const auto node = number ? node_in(path, *number) : std::nullopt;
      if (node) folder.nodes.push_back(*node);
    }
    sort_by(folder.nodes, &HostNode::node);
    folders.push_back(std::move(folder));
  }
  sort_by(folders, &HostFolder::fingerprint);
  return folders;
}

}  // namespace polyflake

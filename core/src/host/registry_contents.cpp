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

// Returns the fingerprint in a folder's name of 16 hex digits.
std::optional<std::uint64_t> fingerprint_of(const std::string& name) {
  try {
    return from_text(name, "hex");
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Returns nothing if the file was removed meanwhile.
std::optional<HostNode> node_in(const std::string& folder, std::uint64_t node) {
  const std::string path = platform::inside(folder, std::to_string(node));
  try {
    const bool held = LockedFile(path).try_lock(LockedFile::Missing::leave) == LockedFile::Try::held;
    const auto content = NodeFile::look(path);
    if (!content) return std::nullopt;
    return HostNode{node, content->record.until_ms, held, content->record.owner, "", content->record.count == 0};
  } catch (const Error& error) {
    return HostNode{node, 0, false, "", error.what()};
  }
}

// Returns why the folder's own file cannot be used, or "". Takes no lock, since opening generators
// wait for it.
std::string fault_of(const std::string& nodes) {
  try {
    NodeFile::look(nodes);
    return "";
  } catch (const Error& error) {
    return error.what();
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
    const std::string path = platform::inside(home, name), nodes = platform::inside(path, "nodes");
    HostFolder folder{*fingerprint, {}, fault_of(nodes), NodeFile::holder(nodes)};
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

// What stands in this host's registry: for people and monitoring. Only looks.
//
// Generators need none of this; what the registry is for and how it is kept: docs/worker-ids.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace polyflake {

// A node id that this host's registry has handed out at some time.
struct HostNode {
  std::uint64_t node;
  std::int64_t until_ms;  // Unix ms; nothing was or will be stamped at or after it, unless its holder moves it on
  bool held;              // by a process, as its lock says
  std::string holder;     // host/pid of whoever wrote it last, or ""; untrusted
  std::string unusable;   // why its file cannot be used, "" where it can; then nothing else is known of it
};

// Of one layout.
struct HostFolder {
  std::uint64_t fingerprint;    // Layout::fingerprint()
  std::vector<HostNode> nodes;  // ascending
};

// The registry's folder, whether it is there or not, and the file system that it lies on or would.
struct RegistryHome {
  std::string path;
  bool shared;     // among hosts, to which locks of this one mean nothing: `host` is refused
  bool container;  // of a container by itself, where `host` is safe in that container alone
};
// POLYFLAKE_HOME, else $XDG_STATE_HOME/polyflake, else ~/.local/state/polyflake.
// Blocks: file I/O. Errors: registry_unusable (none of them set, or not an absolute path).
RegistryHome registry_home();

// Ascending by fingerprint; empty where the folder is missing. To tell who holds a node id it takes its lock for a moment, as
// openings do: one of that moment goes on to the next node id, or waits.
// Blocks: file I/O. Thread safety: any thread. Errors: registry_unusable, where a folder cannot be read.
std::vector<HostFolder> registry_contents();

}  // namespace polyflake

// The contents of this host's registry, for people and monitoring. Read only.
//
// Generators do not need it. docs/worker-ids.md explains the registry and its files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace polyflake {

// A node id that this host's registry has handed out at some time.
struct HostNode {
  std::uint64_t node;
  // Unix ms; no id was stamped at or after it, and none will be unless the holder extends it. 0 if
  // `empty`.
  std::int64_t until_ms;
  bool held;             // a process holds the lock on its file
  std::string holder;    // host/pid of the last writer, or ""; untrusted
  std::string unusable;  // why its file cannot be used, or ""; if set, the rest is unknown
  // Its file has no record: the record was lost or never written. If `held`, it may be written
  // soon.
  bool empty = false;
};

// The node ids of one layout.
struct HostFolder {
  std::uint64_t fingerprint;    // Layout::fingerprint()
  std::vector<HostNode> nodes;  // ascending
  // Why the folder's file `nodes` cannot be used, or "". If set, no new node id is handed out.
  std::string unusable;
  // host/pid of the process that has the lock of `nodes` at this moment, "" if none or unknown. A
  // process keeps it for some ms.
  std::string locked_by;
};

// The registry's folder, which need not exist yet, and the file system that it is on, or would be.
struct RegistryHome {
  std::string path;
  bool shared;     // hosts share it and see no locks of each other: `host` is refused
  bool container;  // it is private to a container: `host` is safe only within it
};
// Returns POLYFLAKE_HOME, else $XDG_STATE_HOME/polyflake, else ~/.local/state/polyflake.
// Blocks: file I/O. Errors: registry_unusable (none of them is set, or it is not an absolute path).
RegistryHome registry_home();

// Returns the folders, ascending by fingerprint; none if the registry's folder is missing. To find
// the holder of a node id it briefly locks the id's file, as opening a generator does. A generator
// that is opened at that moment takes the next node id, or waits. It never locks `nodes`.
// Blocks: file I/O. Thread safety: any thread. Errors: registry_unusable (a folder cannot be read).
std::vector<HostFolder> registry_contents();

}  // namespace polyflake

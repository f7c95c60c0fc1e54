// A store in a folder of this host: one file per record, under the lock of the namespace's own
// file.
//
//   <folder>/<namespace>/names, <folder>/<namespace>/7, <folder>/<namespace>/counter-orders
//
// The incarnation consists of the identity of the namespace's file, the time of a change other than
// its last write if there was one, a mark if the file is damaged, and the symbolic links on the
// path to it. A file that was changed so, replaced by a copy, or damaged, is not intact: later
// promises may be lost. Then a namespace counts as not settled until it is settled again, and a
// node as missing.
#include <polyflake/clock.hpp>
#include <polyflake/error.hpp>
#include <polyflake/host_store.hpp>
#include <polyflake/text.hpp>

#include <algorithm>

#include "count/counter_options.hpp"
#include "count/record.hpp"
#include "host/record_file.hpp"
#include "lease/record.hpp"
#include "os/failure.hpp"
#include "os/os.hpp"

namespace polyflake {
namespace {

const std::string kCounterFile = "counter-";  // the name of the counter follows

std::string node_path(const std::string& folder, std::uint64_t node) {
  return platform::inside(folder, std::to_string(node));
}

std::unique_ptr<RecordFile> lock_space(const std::string& folder) {
  return RecordFile::lock(platform::inside(folder, "names"), {lease::namespace_fields()}, LockedFile::Missing::make);
}

std::unique_ptr<RecordFile> lock_node(const std::string& folder, std::uint64_t node, LockedFile::Missing missing) {
  return RecordFile::lock(node_path(folder, node), {lease::node_fields()}, missing);
}

template <class Record>
std::optional<Record> whole(std::optional<Record> record, const std::string& folder) {
  if (!record) platform::refuse(folder, "has a record of another version of this library");
  return record;
}

// A write keeps `settled` as it is read here. Only the second write of settling sets it.
std::optional<lease::NamespaceRecord> namespace_in(const RecordFile& file, const std::string& folder) {
  const auto fields = file.fields();
  if (!fields) return std::nullopt;
  auto space = whole(lease::namespace_of(*fields), folder);
  if (!file.is_intact()) space->settled = false;
  return space;
}

// file: null if there is none.
std::optional<lease::NodeRecord> node_in(const RecordFile* file, std::uint64_t node,
                                         const std::optional<lease::NamespaceRecord>& space,
                                         const std::string& folder) {
  const auto fields = file == nullptr ? std::nullopt : file->fields();
  if (!fields || (!file->is_intact() && lease::may_be_handed_out(node, space))) return std::nullopt;
  auto record = whole(lease::node_of(*fields), folder);
  const std::int64_t hidden_ms = file->may_hide_changes_until_ms();
  if (hidden_ms != 0 && space) record->until_ms = std::max(record->until_ms, hidden_ms + space->window_ms);
  return record;
}

// A record of a counter is longer than those of leases.
std::unique_ptr<RecordFile> lock_counter(const std::string& folder, const std::string& name,
                                         LockedFile::Missing missing) {
  count::check_name(name);
  const RecordFile::Form form{count::record_fields(), LockedFile::kLargestSlot};
  return RecordFile::lock(platform::inside(folder, kCounterFile + name), form, missing);
}

// file: null if there is none.
std::optional<count::Record> counter_in(const RecordFile* file, const std::string& folder) {
  const auto fields = file == nullptr ? std::nullopt : file->fields();
  return fields ? whole(count::record_of(*fields), folder) : std::nullopt;
}

// A counter's file shows by itself whether it was put back: the record is not intact then.
std::string links_to(const std::string& folder) { return to_text(platform::links_on(folder, INT64_MAX).mix, "hex"); }

// Carries out a request, and writes the record if it says so. may_write: decides about a record
// that is not intact.
template <class Request>
count::Answer step_in(const std::string& folder, const Request& request, bool may_write) {
  const auto space = lock_space(folder);
  auto file = lock_counter(folder, request.counter, LockedFile::Missing::leave);
  auto record = counter_in(file.get(), folder);
  const std::int64_t now_ms = SystemClock::read_ms();
  if (record && !file->is_intact() && !may_write) return {count::Outcome::incarnation, request.echo, 0, 0, now_ms};
  const auto names = namespace_in(*space, folder);
  const count::Answer answer = count::step(record, request, {names, links_to(folder), now_ms});
  if (answer.outcome != count::Outcome::ok) return answer;
  if (file == nullptr) file = lock_counter(folder, request.counter, LockedFile::Missing::make);
  space->check_at_path();
  file->write(count::fields_of(*record));
  return answer;
}

// Both files are locked: if a link leads elsewhere now, that is another store.
std::string incarnation_of(const RecordFile& space, const std::string& folder) {
  const std::uint64_t links = platform::links_on(folder, INT64_MAX).mix;
  return space.incarnation() + (links == 0 ? "" : ":" + to_text(links, "hex"));
}

}  // namespace

HostStore::HostStore(const std::string& folder, const std::string& name) : folder_(platform::inside(folder, name)) {
  platform::make_folders(folder_);
}

lease::Contents HostStore::read(const lease::Read& read) {
  const auto space = lock_space(folder_);
  lease::Contents contents;
  contents.space = namespace_in(*space, folder_);
  for (const std::uint64_t node : read.nodes) {
    const auto file = lock_node(folder_, node, LockedFile::Missing::leave);
    contents.nodes.push_back(node_in(file.get(), node, contents.space, folder_));
  }
  contents.incarnation = incarnation_of(*space, folder_);
  contents.store_ms = SystemClock::read_ms();
  return contents;
}

lease::Answer HostStore::cas(const lease::Cas& request) {
  const auto space = lock_space(folder_);
  lease::Tables tables;
  tables.space = namespace_in(*space, folder_);
  std::unique_ptr<RecordFile> node;
  if (request.node) {
    node = lock_node(folder_, *request.node, LockedFile::Missing::leave);
    if (auto record = node_in(node.get(), *request.node, tables.space, folder_)) tables.nodes[*request.node] = *record;
  }
  const std::string incarnation = incarnation_of(*space, folder_);
  // Read after the lock: an earlier reading would be compared with later writes.
  const std::int64_t now_ms = SystemClock::read_ms();
  const lease::Outcome outcome = tables.step(request, incarnation, now_ms);
  if (outcome != lease::Outcome::ok) return {outcome, request.echo, now_ms};
  if (request.node && node == nullptr) node = lock_node(folder_, *request.node, LockedFile::Missing::make);
  // Otherwise the path may have led to the node of another store.
  space->check_at_path();
  // Write the node first: a record above `used` is stepped over, and one below it that has no
  // holder waits for its end.
  if (request.node) node->write(lease::fields_of(request.record));
  if (request.space) space->write(lease::fields_of(*request.space));
  return {outcome, request.echo, now_ms};
}

count::Contents HostStore::read_counter(const std::string& name) {
  const auto space = lock_space(folder_);
  const auto file = lock_counter(folder_, name, LockedFile::Missing::leave);
  count::Contents contents;
  contents.space = namespace_in(*space, folder_);
  contents.record = counter_in(file.get(), folder_);
  contents.incarnation = links_to(folder_);
  contents.store_ms = SystemClock::read_ms();
  contents.may_fail_over = false;
  contents.put_back = contents.record && !file->is_intact();
  return contents;
}

count::Names HostStore::counter_names() {
  const auto space = lock_space(folder_);
  if (!namespace_in(*space, folder_)) return std::nullopt;
  std::vector<std::string> names;
  for (const std::string& file : platform::names_in(folder_)) {
    if (file.rfind(kCounterFile, 0) == 0) names.push_back(file.substr(kCounterFile.size()));
  }
  return names;
}

count::Answer HostStore::add(const count::Add& request) { return step_in(folder_, request, false); }
count::Answer HostStore::back(const count::Back& request) { return step_in(folder_, request, false); }

// An operator's word makes a record good again.
count::Answer HostStore::write_head(const count::WriteHead& request) {
  return step_in(folder_, request, request.record.term != request.term);
}

}  // namespace polyflake

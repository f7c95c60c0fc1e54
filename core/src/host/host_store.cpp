// A store in a folder of this host: one file per record, under the lock of the namespace's own
// file.
//
//   <folder>/<namespace>/names, <folder>/<namespace>/7
//       two slots each, written in turn, so that a torn write leaves the other
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

#include "base/ascii.hpp"
#include "base/hash.hpp"
#include "base/nanoseconds.hpp"
#include "lease/record.hpp"
#include "os/failure.hpp"
#include "os/locked_file.hpp"
#include "os/os.hpp"

namespace polyflake {
namespace {

constexpr std::int64_t kPatienceMs = 2000;
// For a writer that is held up between reading the time and writing.
constexpr std::int64_t kAllowanceMs = 250;

struct Slot {
  std::uint64_t count = 0;  // writes so far; the larger one is newer
  std::uint64_t written_ms = 0;
  std::string file;  // hash of the identity of the file that it was written to
  lease::Fields fields;
};

lease::FieldNames names_in_slot(const lease::FieldNames& fields) {
  using Type = lease::FieldType;
  lease::FieldNames table{{"count", Type::number, 0}, {"written_ms", Type::ms, 0}, {"file", Type::fingerprint, 16}};
  table.insert(table.end(), fields.begin(), fields.end());
  return table;
}

std::string print_slot(const lease::FieldNames& table, const Slot& slot) {
  lease::Fields fields{std::to_string(slot.count), std::to_string(slot.written_ms), slot.file};
  fields.insert(fields.end(), slot.fields.begin(), slot.fields.end());
  std::string text = lease::print(names_in_slot(table), fields);
  text += to_text(fnv1a(text), "hex");
  if (text.size() > LockedFile::kSlotSize) return {};
  text.resize(LockedFile::kSlotSize, ' ');
  return text;
}

std::optional<Slot> parse_slot(const lease::FieldNames& table, std::string_view text) {
  constexpr std::size_t kSum = 16;
  const std::size_t end = text.find_last_not_of(' ');
  if (end == std::string_view::npos || end < kSum) return std::nullopt;
  const std::string_view body = text.substr(0, end + 1 - kSum);
  if (text.substr(body.size(), kSum) != to_text(fnv1a(body), "hex")) return std::nullopt;
  const auto fields = lease::parse(names_in_slot(table), body);
  const auto count = fields ? ascii::decimal((*fields)[0]) : std::nullopt;
  const auto written_ms = fields ? ascii::decimal((*fields)[1]) : std::nullopt;
  if (!count || *count == 0 || !written_ms) return std::nullopt;
  return Slot{*count, *written_ms, (*fields)[2], {fields->begin() + 3, fields->end()}};
}

// Holds the lock while it lives.
class RecordFile {
 public:
  // Returns null if the file is missing and `missing` is `leave`. Blocks: two seconds at most.
  // Errors: registry_unusable, store_unavailable.
  static std::unique_ptr<RecordFile> lock(const std::string& path, const lease::FieldNames& table,
                                          LockedFile::Missing missing) {
    std::unique_ptr<RecordFile> made(new RecordFile(path, table));
    constexpr std::int64_t kPauseNs = 500'000;
    for (std::int64_t waited_ns = 0;; waited_ns += sleep_ns(kPauseNs)) {
      const LockedFile::Try result = made->file_.try_lock(missing);
      if (result == LockedFile::Try::missing) return nullptr;
      if (result == LockedFile::Try::locked) break;
      if (waited_ns > kPatienceMs * 1'000'000) {
        throw Error(ErrorCode::store_unavailable, "'" + path + "' is locked by another process for long");
      }
    }
    if (made->file_.is_shared())
      platform::refuse(path, "is on a network file system, where this host's lock means nothing");
    made->read();
    made->file_.prepare_writing();
    return made;
  }

  // Returns nothing if nothing was written.
  std::optional<lease::Fields> fields() const {
    return newest_.count == 0 ? std::nullopt : std::optional(newest_.fields);
  }

  // Returns false if the newest record may be lost: its promise is unknown.
  bool is_intact() const { return !damaged_ && !was_changed() && newest_.file == file_hash(); }

  std::string incarnation() const {
    return view_.identity + (was_changed() ? ":" + std::to_string(changed_ms()) : "") + (damaged_ ? ":damaged" : "");
  }

  // Returns the Unix ms from which a change has another recorded time than the last one; 0 if the
  // file system records parts of seconds.
  std::int64_t may_hide_changes_until_ms() const {
    const std::int64_t changed_ns = view_.changed_ns;
    return platform::is_whole_second(changed_ns) ? platform::latest_change_ns(changed_ns) / kNsPerMs + 1 : 0;
  }

  // Errors: registry_unusable, unless the path still leads to this file.
  void check_at_path() const { file_.check_at_path(); }

  // The record is durable on return.
  void write(lease::Fields fields) {
    check_at_path();
    const auto now_ms = static_cast<std::uint64_t>(platform::file_clock_ms());
    const Slot next{newest_.count + 1, now_ms, file_hash(), std::move(fields)};
    const std::string text = print_slot(table_, next);
    if (text.empty()) platform::refuse(file_.path(), "cannot hold its record");
    file_.write(text, LockedFile::kSlotOffsets[next.count % 2]);
    file_.flush();
  }

 private:
  RecordFile(const std::string& path, const lease::FieldNames& table) : table_(table), file_(path) {}

  std::string file_hash() const { return to_text(fnv1a(view_.identity), "hex"); }

  std::int64_t changed_ms() const { return view_.changed_ns / kNsPerMs; }

  bool was_changed() const {
    return newest_.count != 0 && changed_ms() > static_cast<std::int64_t>(newest_.written_ms) + kAllowanceMs;
  }

  void read() {
    char bytes[LockedFile::kSlotOffsets[1] + LockedFile::kSlotSize];
    view_ = file_.read(bytes, sizeof bytes);
    const std::string_view text(bytes, view_.size);
    bool damaged = false;
    for (const std::size_t offset : LockedFile::kSlotOffsets) {
      const std::string_view slot = text.substr(std::min(offset, text.size()), LockedFile::kSlotSize);
      auto found = parse_slot(table_, slot);
      damaged = damaged || (!found && slot.find_first_not_of('\0') != std::string_view::npos);
      if (found && found->count > newest_.count) newest_ = std::move(*found);
    }
    damaged_ = damaged;
    if (damaged && newest_.count == 0) {
      platform::refuse(file_.path(), "is corrupt; remove the namespace's folder when nobody has used it for a day");
    }
  }

  const lease::FieldNames table_;
  LockedFile file_;
  FileView view_;
  Slot newest_;
  bool damaged_ = false;  // a slot is invalid and not empty
};

std::string node_path(const std::string& folder, std::uint64_t node) {
  return platform::inside(folder, std::to_string(node));
}

std::unique_ptr<RecordFile> lock_space(const std::string& folder) {
  return RecordFile::lock(platform::inside(folder, "names"), lease::namespace_fields(), LockedFile::Missing::make);
}

std::unique_ptr<RecordFile> lock_node(const std::string& folder, std::uint64_t node, LockedFile::Missing missing) {
  return RecordFile::lock(node_path(folder, node), lease::node_fields(), missing);
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

}  // namespace polyflake

#include "host/node_file.hpp"

#include <polyflake/clock.hpp>
#include <polyflake/error.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/nanoseconds.hpp"
#include "os/failure.hpp"
#include "os/os.hpp"

namespace polyflake {

using platform::refuse;

namespace {

static_assert(kRecordSize == LockedFile::kSlotSize);

// Returns true if the slot was never written, or its write was lost with the power before it was
// durable: it promised nothing.
bool is_empty(std::string_view slot) { return slot.find_first_not_of('\0') == std::string_view::npos; }

// A restored backup keeps the file and its record, but the file system has recorded the time of the
// restore. The allowance is for a writer that is held up between reading the time and writing.
bool changed_after_its_write(const NodeContent& content) {
  constexpr std::int64_t kAllowanceMs = 250;
  return content.changed_ns / kNsPerMs > content.record.written_ms + kAllowanceMs;
}

// Returns the content. A file with content but no valid slot is corrupt: its promise is unknown.
NodeContent content_of(const FileView& file, const char* bytes, const std::string& path) {
  NodeContent content;
  content.identity = file.identity;
  content.changed_ns = file.changed_ns;
  const std::string_view text(bytes, file.size);
  for (const std::size_t offset : LockedFile::kSlotOffsets) {
    const std::string_view slot = text.substr(std::min(offset, text.size()), kRecordSize);
    auto record = parse_record(slot);
    content.damaged = content.damaged || (!record && !is_empty(slot));
    if (record && record->count > content.record.count) content.record = std::move(*record);
  }
  if (content.record.count == 0 && content.damaged) {
    refuse(path,
           "is corrupt: neither of its two records is valid, and what they promised is unknown. Remove the file "
           "when no process has used it for a day");
  }
  content.genuine =
      content.record.count != 0 && content.record.identity == content.identity && !changed_after_its_write(content);
  return content;
}

struct Bytes {
  char both[LockedFile::kSlotOffsets[1] + kRecordSize];
};

NodeContent content_of(const LockedFile& file) {
  Bytes bytes;
  return content_of(file.read(bytes.both, sizeof bytes.both), bytes.both, file.path());
}

}  // namespace

std::unique_ptr<NodeFile> NodeFile::lock(const std::string& path, Missing missing, std::int64_t patience_ms) {
  // Hundreds of processes may start at once: the longer a process waits, the less it polls, to
  // leave the processor to those at work.
  constexpr std::int64_t kFirstPauseNs = 300'000;
  constexpr std::int64_t kLongestPauseNs = 20'000'000;
  std::unique_ptr<NodeFile> file(new NodeFile(path));
  std::int64_t waited_ns = 0;
  using Try = LockedFile::Try;
  for (std::int64_t pause_ns = kFirstPauseNs;; pause_ns = std::min(pause_ns * 3 / 2, kLongestPauseNs)) {
    const Try result = file->file_.try_lock(missing);
    if (result == Try::locked) break;
    if (result == Try::missing || waited_ns >= patience_ms * 1'000'000) return nullptr;
    waited_ns += sleep_ns(pause_ns);
  }
  file->read();
  file->file_.prepare_writing();
  return file;
}

void NodeFile::read() {
  if (file_.is_shared()) {
    refuse(path(),
           "is on a network file system, where this host's lock means nothing to other hosts. Point "
           "POLYFLAKE_HOME at a local folder");
  }
  content_ = content_of(file_);
}

std::optional<NodeContent> NodeFile::look(const std::string& path) {
  Bytes bytes;
  const auto file = LockedFile::look(path, bytes.both, sizeof bytes.both);
  return file ? std::optional(content_of(*file, bytes.both, path)) : std::nullopt;
}

std::string NodeFile::owner(const std::string& path) {
  try {
    const auto content = look(path);
    return content ? content->record.owner : "";
  } catch (const Error&) {
    return {};  // a label for a message; this call does not judge the file
  }
}

void NodeFile::check_still_ours() const {
  file_.check_at_path();
  if (content_of(file_).record.nonce != content_.record.nonce) {
    refuse(path(), "was written by somebody else while this process held its lock");
  }
}

void NodeFile::write(std::int64_t until_ms, std::uint64_t used, Durable durable) {
  file_.check_execution();
  check_still_ours();
  Record next;
  next.count = content_.record.count + 1;
  next.until_ms = until_ms;
  next.used = used;
  next.nonce = platform::random_hex_128();
  next.identity = content_.identity;
  next.owner = platform::owner_label();
  if (!flushed_ && content_.record.count != 0 && durable == Durable::yes) {
    // A torn write here must not leave the other slot with a record that was given back without a
    // flush.
    flush();
  }
  next.written_ms = platform::file_clock_ms();
  const std::string text = print_record(next);
  if (text.empty()) refuse(path(), "cannot hold its record");
  file_.write(text, LockedFile::kSlotOffsets[next.count % 2]);
  if (durable == Durable::yes) flush();
  content_ = NodeContent{std::move(next), false, true, 0, content_.identity};
}

void NodeFile::flush() {
  file_.flush();
  flushed_ = true;
}

}  // namespace polyflake

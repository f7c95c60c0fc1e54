#include "host/record_file.hpp"

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/hash.hpp"
#include "base/nanoseconds.hpp"
#include "os/failure.hpp"
#include "os/os.hpp"

namespace polyflake {
namespace {

constexpr std::int64_t kPatienceMs = 2000;
// For a writer that is held up between reading the time and writing.
constexpr std::int64_t kAllowanceMs = 250;

lease::FieldNames names_in_slot(const lease::FieldNames& fields) {
  using Type = lease::FieldType;
  lease::FieldNames table{{"count", Type::number, 0}, {"written_ms", Type::ms, 0}, {"file", Type::fingerprint, 16}};
  table.insert(table.end(), fields.begin(), fields.end());
  return table;
}

}  // namespace

std::string RecordFile::print(const Slot& slot) const {
  lease::Fields fields{std::to_string(slot.count), std::to_string(slot.written_ms), slot.file};
  fields.insert(fields.end(), slot.fields.begin(), slot.fields.end());
  std::string text = lease::print(names_in_slot(form_.fields), fields);
  text += to_text(fnv1a(text), "hex");
  if (text.size() > form_.slot_size) return {};
  text.resize(form_.slot_size, ' ');
  return text;
}

std::optional<RecordFile::Slot> RecordFile::parse(std::string_view text) const {
  constexpr std::size_t kSum = 16;
  const std::size_t end = text.find_last_not_of(' ');
  if (end == std::string_view::npos || end < kSum) return std::nullopt;
  const std::string_view body = text.substr(0, end + 1 - kSum);
  if (text.substr(body.size(), kSum) != to_text(fnv1a(body), "hex")) return std::nullopt;
  const auto fields = lease::parse(names_in_slot(form_.fields), body);
  const auto count = fields ? ascii::decimal((*fields)[0]) : std::nullopt;
  const auto written_ms = fields ? ascii::decimal((*fields)[1]) : std::nullopt;
  if (!count || *count == 0 || !written_ms) return std::nullopt;
  return Slot{*count, *written_ms, (*fields)[2], {fields->begin() + 3, fields->end()}};
}

std::unique_ptr<RecordFile> RecordFile::lock(const std::string& path, const Form& form, LockedFile::Missing missing) {
  std::unique_ptr<RecordFile> made(new RecordFile(path, form));
  constexpr std::int64_t kPauseNs = 500'000;
  for (std::int64_t waited_ns = 0;; waited_ns += platform::sleep_ns(kPauseNs)) {
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
  made->file_.prepare_writing(form.slot_size);
  return made;
}

std::int64_t RecordFile::may_hide_changes_until_ms() const {
  const std::int64_t changed_ns = view_.changed_ns;
  return platform::is_whole_second(changed_ns) ? platform::latest_change_ns(changed_ns) / kNsPerMs + 1 : 0;
}

void RecordFile::write(lease::Fields fields) {
  check_at_path();
  const auto now_ms = static_cast<std::uint64_t>(platform::file_clock_ms());
  const Slot next{newest_.count + 1, now_ms, file_hash(), std::move(fields)};
  const std::string text = print(next);
  if (text.empty()) platform::refuse(file_.path(), "cannot hold its record");
  file_.write(text, LockedFile::kSlotOffsets[next.count % 2]);
  file_.flush();
}

std::string RecordFile::file_hash() const { return to_text(fnv1a(view_.identity), "hex"); }

std::int64_t RecordFile::changed_ms() const { return view_.changed_ns / kNsPerMs; }

bool RecordFile::was_changed() const {
  return newest_.count != 0 && changed_ms() > static_cast<std::int64_t>(newest_.written_ms) + kAllowanceMs;
}

void RecordFile::read() {
  char bytes[LockedFile::kSlotOffsets[1] + LockedFile::kLargestSlot];
  view_ = file_.read(bytes, LockedFile::kSlotOffsets[1] + form_.slot_size);
  const std::string_view text(bytes, view_.size);
  bool damaged = false;
  for (const std::size_t offset : LockedFile::kSlotOffsets) {
    const std::string_view slot = text.substr(std::min(offset, text.size()), form_.slot_size);
    auto found = parse(slot);
    damaged = damaged || (!found && slot.find_first_not_of('\0') != std::string_view::npos);
    if (found && found->count > newest_.count) newest_ = std::move(*found);
  }
  damaged_ = damaged;
  if (damaged && newest_.count == 0) {
    platform::refuse(file_.path(), "is corrupt; remove the namespace's folder when nobody has used it for a day");
  }
}

}  // namespace polyflake

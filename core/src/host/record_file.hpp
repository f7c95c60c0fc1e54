// A record in a file of this host: two slots, written in turn, so that a torn write leaves the
// other. Each says to which file it was written and when, so that a copy of the file, or a change
// by another program, shows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "lease/record.hpp"
#include "os/locked_file.hpp"

namespace polyflake {

// Holds the lock while it lives.
class RecordFile {
 public:
  // The fields of the record, and the bytes of a slot, which is long enough for every such record.
  struct Form {
    lease::FieldNames fields;
    std::size_t slot_size = LockedFile::kSlotSize;
  };

  // Returns null if the file is missing and `missing` is `leave`. Blocks: two seconds at most.
  // Errors: registry_unusable, store_unavailable.
  static std::unique_ptr<RecordFile> lock(const std::string& path, const Form& form, LockedFile::Missing missing);

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
  std::int64_t may_hide_changes_until_ms() const;

  // Errors: registry_unusable, unless the path still leads to this file.
  void check_at_path() const { file_.check_at_path(); }

  // The record is durable on return.
  void write(lease::Fields fields);

 private:
  struct Slot {
    std::uint64_t count = 0;  // writes so far; the larger one is newer
    std::uint64_t written_ms = 0;
    std::string file;  // hash of the identity of the file that it was written to
    lease::Fields fields;
  };

  RecordFile(const std::string& path, const Form& form) : form_(form), file_(path) {}

  std::string print(const Slot& slot) const;
  std::optional<Slot> parse(std::string_view text) const;
  std::string file_hash() const;
  std::int64_t changed_ms() const;
  bool was_changed() const;
  void read();

  const Form form_;
  LockedFile file_;
  FileView view_;
  Slot newest_;
  bool damaged_ = false;  // a slot is invalid and not empty
};

}  // namespace polyflake

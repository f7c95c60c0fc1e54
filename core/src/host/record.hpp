// The text of a record in the host registry: the content of one slot of a file. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polyflake {

// The same form serves the file of a node id and the folder's own file, `nodes`.
struct Record {
  std::uint64_t count = 0;  // writes so far, 1 or more; the larger of two valid slots is newer
  // Unix ms. Node id: nothing was or will be stamped at or after it. Folder: no node id begins
  // before it.
  std::int64_t until_ms = 0;
  std::uint64_t used = 0;       // folder: node ids below it were handed out; 0 for a node id
  std::int64_t written_ms = 0;  // Unix ms of the write, by the clock of files
  std::string nonce;            // 32 hex digits, fresh for every write
  // Identifies the file by device, inode, birth time and machine; a copy differs.
  std::string identity;
  std::string owner;  // host name and pid, for people
};

constexpr std::size_t kRecordSize = 512;

// Returns exactly kRecordSize characters, with a checksum and blanks at the end; "" if the record
// does not fit.
std::string print_record(const Record& record);

// Returns the record; nothing for any text that print_record() does not produce.
std::optional<Record> parse_record(std::string_view text);

}  // namespace polyflake

// The text of a record in the host registry: what one slot of a file says. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polyflake {

// One form for the file of a node id and for the folder's own file, `nodes`.
struct Record {
  std::uint64_t count = 0;      // writes so far, 1 or more; the larger of two valid slots is the newer one
  std::int64_t until_ms = 0;    // Unix ms. Node id: nothing was or will be stamped at or after it. Folder: no node id
                                // begins before it
  std::uint64_t used = 0;       // folder: node ids below it were handed out at some time; 0 for a node id
  std::int64_t written_ms = 0;  // Unix ms of the write, by the clock of files
  std::string nonce;            // 32 hex digits, fresh for every write
  std::string identity;         // which file this is: device, inode, birth time, machine; a copy is another one
  std::string owner;            // host name and pid, for people
};

constexpr std::size_t kRecordSize = 512;

// Exactly kRecordSize characters with a checksum, blanks at the end; "" where the record does not fit.
std::string print_record(const Record& record);

// Takes only what print_record() gives.
std::optional<Record> parse_record(std::string_view text);

}  // namespace polyflake

// What all sources of ids have in common, whatever the ids are: for code that is told a kind by its configuration.
#pragma once

#include <cstddef>
#include <string>

#include <polyflake/stats.hpp>

namespace polyflake {

// Thread safety of all of it: any number of threads, also while another one closes.
class IdSource {
 public:
  virtual ~IdSource();
  IdSource(const IdSource&) = delete;
  IdSource& operator=(const IdSource&) = delete;

  // "snowflake", "uuid7", ...
  virtual const char* kind() const = 0;

  // The next id as text: decimal, 8-4-4-4-12 or 24 hex digits. Blocks and errors: as next_id() of the source.
  virtual std::string next_id_string() = 0;

  // How many bytes fill_bytes() writes for an id: 8 (in the order of this machine), 16 or 12 (big endian).
  virtual std::size_t id_bytes() const = 0;

  // Writes n ids, which take n * id_bytes() bytes without gaps. Blocks and errors: as next_id() of the source; with an error
  // ids that were claimed are lost.
  virtual void fill_bytes(unsigned char* ids, std::size_t n) = 0;

  virtual void close() noexcept = 0;
  virtual bool closed() const noexcept = 0;
  virtual Stats stats() const = 0;

 protected:
  IdSource() = default;
};

}  // namespace polyflake

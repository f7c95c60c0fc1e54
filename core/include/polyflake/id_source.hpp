// IdSource: the interface of all sources of ids, for code that reads the kind from its
// configuration.
#pragma once

#include <cstddef>
#include <string>

#include <polyflake/stats.hpp>

namespace polyflake {

// Thread safety: any number of threads, also while another one closes the source.
class IdSource {
 public:
  virtual ~IdSource();
  IdSource(const IdSource&) = delete;
  IdSource& operator=(const IdSource&) = delete;

  // Returns "snowflake", "uuid7", ...
  virtual const char* kind() const = 0;

  // Returns the next id as text: a number in decimal, a UUID as 8-4-4-4-12 hex digits, ... Blocks
  // and errors: as next_id() of the source.
  virtual std::string next_id_string() = 0;

  // Returns the number of bytes that fill_bytes() writes for an id: 8 for a number (in the byte
  // order of this machine), 16 for a UUID (big endian), ...
  virtual std::size_t id_bytes() const = 0;

  // Writes n ids, which take n * id_bytes() bytes without gaps. Blocks and errors: as next_id() of
  // the source; after an error ids that were already claimed are lost.
  virtual void fill_bytes(unsigned char* ids, std::size_t n) = 0;

  virtual void close() noexcept = 0;
  virtual bool closed() const noexcept = 0;
  virtual Stats stats() const = 0;

 protected:
  IdSource() = default;
};

}  // namespace polyflake

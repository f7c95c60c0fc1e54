// Sources: ids of any kind as bytes, claimed and spelled in one execution of the process.
//
// A snowflake has 8 bytes in the byte order of this machine; ids of other kinds are big endian,
// such as the 16 bytes of a UUID. An id is written when it is claimed, and may be used when its
// tick has come; the caller waits as in claims.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <polyflake/claims.hpp>
#include <polyflake/stats.hpp>

#include "facade/options.hpp"

namespace polyflake::facade {

struct GeneratorState {
  std::string name;  // "starting", "open", "waiting", "lost" or "closed"
  std::string code;  // of the table: the reason why it cannot issue; "" if it can
};

// The progress of filling an array.
struct Filling {
  std::size_t done = 0;         // ids that are written
  std::uint64_t position = 0;   // the caller must wait for it, if `waits`
  bool waits = false;           // false: all ids are there
  std::uint64_t execution = 0;  // the one in which the first of them was claimed

  // Call it after the wait, and fill() again. due: wait_ns() returned 0; otherwise ids that were
  // claimed are void, and all are claimed again.
  void waited(bool due) {
    if (!due && position != 0) done = 0;
  }
};

enum class Claiming { now, slowly, unless_waiting };

// An open source of ids. Thread safety: any thread, also while another one closes it.
class Source {
 public:
  // Opens a source of the kind of the options. Never sleeps. Blocks: `host` sources do file I/O.
  static std::unique_ptr<Source> open(const Options& options);
  virtual ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // Returns true for a Generator, whose ids are positions or spelled from them.
  bool has_positions() const;

  // Returns true for a CountedSource.
  bool is_counted() const { return is_counted_; }

  // Returns true for ids that are UUIDs.
  bool has_uuids() const;

  // Returns the bytes of an id.
  virtual std::size_t id_bytes() const = 0;

  // Returns the characters of the text of an id; 0 for ids that are numbers. write_text() writes so
  // many, without an end mark. Requires: ids that are not numbers.
  std::size_t text_length() const;
  void write_text(const unsigned char* id, char* text) const;

  // Claims and writes one id. Returns what claim_now(), claim_slowly() or try_claim() of Claims
  // returns for its position. Errors: as those; registry_unusable (no random bits), option_invalid
  // (the given entropy is used up).
  virtual std::int64_t claim_id(Claiming how, unsigned char* id) = 0;

  // Claims and writes at most n ids, as Claims::claim_range(). Errors: as claim_id().
  virtual IdRange claim_ids(unsigned char* ids, std::size_t n) = 0;

  // Writes ids until all n are there or the caller must wait. Begins again in a copy of the
  // process. Requires: the same array until all are there; it may move. Errors: as claim_id(); then
  // none of the ids may be used.
  void fill(Filling& filling, unsigned char* ids, std::size_t n);

  // As the functions of Claims and polyflake::Generator. Ids without positions are never waited
  // for, and have no worker and no layout.
  virtual std::int64_t wait_ns(std::uint64_t position, std::int64_t waited_ns) = 0;
  // Returns true, once, after a call that claims, if a runner that sleeps must step now.
  virtual bool take_wake() { return false; }
  virtual void renew() = 0;
  virtual GeneratorState state() const = 0;
  virtual void close() noexcept = 0;
  virtual bool closed() const noexcept = 0;
  virtual std::uint64_t worker() const = 0;
  virtual std::string layout() const = 0;  // canonical text
  virtual polyflake::Stats stats() const = 0;

 protected:
  explicit Source(const Kind& kind);

 private:
  // Refuses n ids before they are claimed, if the given entropy does not suffice. Errors:
  // option_invalid.
  virtual void expect(std::size_t n) const = 0;

  const Kind& kind_;
  const bool is_counted_;  // of the kind, for calls whose cost matters
};

}  // namespace polyflake::facade

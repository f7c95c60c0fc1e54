// Sources: what a queue takes ids from. A source never blocks the event loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <polyflake/claims.hpp>
#include <polyflake/generator.hpp>
#include <polyflake/layout.hpp>

namespace polyflake::server {

class Source {
 public:
  virtual ~Source() = default;
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // Ids that may be used now. If there are none, ask again in wait_ns.
  struct Answer {
    IdRange ids;
    std::int64_t wait_ns;
  };

  // Takes 1 to n ids, above all taken before. At most one range is claimed ahead of its tick: it is
  // kept here until its time has come, so ids that other callers can have are not reserved for a
  // large request. Never blocks. Errors: those of the core.
  virtual Answer take(std::size_t n) = 0;

  // Drops a range that was claimed for callers who are gone: its ids would be issued late.
  virtual void drop() noexcept = 0;

  // Drops what it keeps of ids up to this one, which a caller has from another server: its time is
  // over, so the next range is above it.
  virtual void drop_up_to(std::uint64_t) noexcept {}

  // Returns the fastest rate at which it gives ids.
  virtual double ns_per_id() const = 0;

  // Returns the layout, or null if ids have none.
  virtual const Layout* layout() const = 0;

  // For /readyz and INFO: never blocks, issues nothing. code: of the next error, "" if none is
  // known. node: -1 if it has none. until_ms: Unix ms; 0 if it has no window.
  struct State {
    bool ready;
    std::string name;
    std::string code;
    std::int64_t node;
    std::int64_t until_ms;
  };
  virtual State state() = 0;

  // For metrics: never blocks. All are 0 where nothing is renewed.
  struct Renewals {
    std::uint64_t kept;       // calls of renew() that had work
    double kept_seconds;      // how long they took
    std::uint64_t confirmed;  // of a lease, by its store
    std::uint64_t failed;     // requests that the store did not answer
  };
  virtual Renewals renewals() const { return {}; }

  // Called every half second by a thread of its own. Blocks: I/O.
  virtual void renew() = 0;

  // Gives back what it holds. Blocks: I/O. Idempotent.
  virtual void close() noexcept = 0;
};

}  // namespace polyflake::server

// Claims: ids for callers that wait in their own way, such as bindings and event loops. Others use
// Generator.
//
// A claimed id is never given again, but may be used only when its tick has come ("claim, then
// wait"). A negative result is ~id: wait for that id. If id is 0, nothing could be claimed yet. One
// loop serves all:
//
//   Claims claims(generator);
//   std::int64_t id = claims.claim();
//   while (id < 0) {
//     std::int64_t ns, waited_ns = 0;
//     while ((ns = claims.wait_ns(~id, waited_ns)) > 0) waited_ns += my_sleep(ns);
//     id = ns == 0 ? ~id : claims.claim();    // ns < 0: claim again
//   }
#pragma once

#include <cstddef>
#include <cstdint>

#include <polyflake/generator.hpp>

namespace polyflake {

// Ids claimed in one piece: first, first + step, first + 2 * step, ...
struct IdRange {
  std::uint64_t first;
  std::uint64_t step;
  std::size_t count;  // 0: nothing can be claimed yet
  bool ready;         // false: wait for last() before using any of them

  // Returns the id to ask wait_ns() for: the last one, or 0.
  std::uint64_t last() const { return count == 0 ? 0 : first + step * (count - 1); }
  // Writes them to ids[0] ... ids[count - 1].
  void write(std::uint64_t* ids) const;
};

// Thread safety: as Generator, which must outlive it. Errors: functions that claim have those of
// Generator::next_id().
class Claims {
 public:
  explicit Claims(Generator& generator) : generator_(generator) {}

  // Returns an id (>= 0); ~id (< 0) if the caller must wait for that id; -1, which is ~0, if
  // nothing can be claimed yet. Id 0 is never issued, so ~0 is unambiguous. Blocks: I/O.
  POLYFLAKE_ALWAYS_INLINE std::int64_t claim() {
    const std::int64_t id = claim_now();
    return id >= 0 ? id : claim_slowly();
  }

  // The two halves of claim(), for callers that release a lock between them. claim_now() returns an
  // id, or -1 if it takes more: a wait, a lock, I/O, an error. The id is returned by value: through
  // a pointer, each id would have to reach memory before the clock is read again.
  POLYFLAKE_ALWAYS_INLINE std::int64_t claim_now() { return generator_.claim_now(); }
  std::int64_t claim_slowly() { return generator_.claim_slowly(); }

  // Returns an id, or -1 if claim() would have to wait; then nothing is claimed. Blocks: I/O.
  std::int64_t try_claim() {
    const std::int64_t id = claim_now();
    return id >= 0 ? id : generator_.claim_slowly(Generator::Patience::none);
  }

  // Claims at most n ids of one tick without writing them: for memory that must not be held during
  // I/O. Ranges follow each other as calls of claim() would. With n == 0 it only checks that the
  // generator is open. Blocks: I/O.
  IdRange claim_range(std::size_t n) { return generator_.claim_range(n); }

  // Returns 0 if the tick of this claimed id has come, else roughly how many nanoseconds to wait
  // before asking again. Returns -1 if the id must be discarded, since this process is a copy or
  // the node id was lost: claim again. For id 0, returns how long until anything can be claimed, or
  // -1 when it is time to try.
  // waited_ns: the time already waited for this id, so that a clock which does not move ends in
  // clock_behind. A manual clock is moved instead of letting the caller wait.
  std::int64_t wait_ns(std::uint64_t id, std::int64_t waited_ns) { return generator_.wait_ns(id, waited_ns); }

  // For callers whose waiting blocks others, such as an event loop. Returns the nanoseconds until
  // something can be claimed; 0: try now.
  // Errors: if that time is unknown, the reason: store_unavailable, lease_lost, and those of
  // wait_ns(0, ...).
  std::int64_t claimable_in_ns() { return generator_.claimable_in_ns(); }

 private:
  Generator& generator_;
};

}  // namespace polyflake

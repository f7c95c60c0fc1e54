// Claims: ids for callers that wait in their own way, such as bindings and event loops. Others use Generator.
//
// A claimed id is taken for good, but may be used only when its tick has come ("claim, then wait"). One loop serves all:
//
//   Claims claims(generator);
//   std::int64_t id = claims.claim();              // id >= 0: use it
//   while (id < 0) {                               // ~id is claimed and its tick has not come; ~0: nothing can be claimed yet
//     std::int64_t ns, waited_ns = 0;
//     while ((ns = claims.wait_ns(~id, waited_ns)) > 0) waited_ns += my_sleep(ns);
//     id = ns == 0 ? ~id : claims.claim();         // ns < 0: claim again
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
  bool ready;         // false: wait for last() before any of them is used

  // What to ask wait_ns() for: the last id, or 0.
  std::uint64_t last() const { return count == 0 ? 0 : first + step * (count - 1); }
  // Writes them to ids[0] ... ids[count - 1].
  void write(std::uint64_t* ids) const;
};

// Thread safety: as Generator, which must outlive it. Errors of what claims: those of Generator::next_id().
class Claims {
 public:
  explicit Claims(Generator& generator) : generator_(generator) {}

  // Returns an id (>= 0); ~id (< 0) for one that must be waited for; -1, which is ~0, where nothing can be claimed yet.
  // Id 0 is never issued: no position below 1 is. Blocks: I/O.
  std::int64_t claim() {
    const std::int64_t id = claim_now();
    return id >= 0 ? id : claim_slowly();
  }

  // The two halves of claim(), for callers that leave a lock in between. Returns an id, or -1 where there is more to it: a
  // wait, a lock, I/O, an error. By value: an id in memory would be one more store that the next reading of the clock
  // waits for.
  std::int64_t claim_now() { return generator_.claim_now(); }
  std::int64_t claim_slowly() { return generator_.claim_slowly(); }

  // Returns an id, or -1 where claim() would have to wait; then nothing is claimed. Blocks: I/O.
  std::int64_t try_claim() {
    const std::int64_t id = claim_now();
    return id >= 0 ? id : generator_.claim_slowly(Generator::Patience::none);
  }

  // Claims at most n ids of one tick, not written anywhere yet: for memory that must not be held during I/O. Ranges
  // follow each other as calls of claim() would. For n == 0 it only asks whether the generator is open. Blocks: I/O.
  IdRange claim_range(std::size_t n) { return generator_.claim_range(n); }

  // Returns 0 when the tick of this claimed id has come, else about how many nanoseconds to wait before asking again, or
  // -1 where it must be discarded: this process is a copy, or the node id was lost; claim again. For id 0: how long until
  // anything can be claimed, -1 when it is time to try. waited_ns: what was waited for this id already, so that a clock
  // which stands still ends in clock_behind. Moves a manual clock instead of letting the caller wait.
  std::int64_t wait_ns(std::uint64_t id, std::int64_t waited_ns) { return generator_.wait_ns(id, waited_ns); }

  // For callers on which others wait, where nothing can be claimed yet: in how many nanoseconds it can be, 0: it is time to
  // try. Errors: where it is not known how long that takes, why nothing can be claimed: store_unavailable, lease_lost, and
  // what wait_ns(0, ...) ends in.
  std::int64_t claimable_in_ns() { return generator_.claimable_in_ns(); }

 private:
  Generator& generator_;
};

}  // namespace polyflake

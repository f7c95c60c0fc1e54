// Numbers of a counter as a source.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <polyflake/detail/range.hpp>

#include "facade/source.hpp"

namespace polyflake::count {
class Counter;
}  // namespace polyflake::count

namespace polyflake::facade {

class CountedSource final : public Source {
 public:
  // Requires: options with a counter.
  explicit CountedSource(const Options& options);

  std::size_t id_bytes() const override { return sizeof(std::uint64_t); }
  std::int64_t claim_id(Claiming how, unsigned char* id) override;
  IdRange claim_ids(unsigned char* ids, std::size_t n) override;
  // early: as in claim_number(). Errors: store_unavailable once the caller has waited timeout_ms.
  std::int64_t wait_ns(std::uint64_t early, std::int64_t waited_ns) override;
  bool take_wake() override;

  // Claims the next number that is held, as claim_id(Claiming::now), for calls whose cost matters.
  // Returns false if none is held, or the source is closed: claim_id() says which.
  bool claim_held(std::uint64_t& number) noexcept;

  // Returns the range of a segment, for a caller that takes numbers from it without a call. It
  // lasts as long as this object. The caller must check by itself that the source is not closed.
  // Null for dates: a call first drops numbers whose period is over.
  Range* range() const;

  // As claim_id(), but returns the number; a negative one if there is none. early: a number that
  // the caller took from range(), which does not hold it yet; 0 if it took none.
  std::int64_t claim_number(Claiming how, std::uint64_t early);

  // Claims a number; else notes that the call waits for one, and returns false. Errors: as
  // claim_id(); store_unavailable once the call has waited for timeout_ms. An error takes the note
  // back, as give_up() does.
  bool claim_or_note(WaitingCall& call, std::int64_t waited_ns, std::uint64_t& number);
  // Blocks until there may be a number for the call, at most so long. Returns the time blocked, at
  // least 1.
  std::int64_t await(const WaitingCall& call, std::int64_t ns) const;
  void give_up(WaitingCall& call);

  void renew() override {}
  GeneratorState state() const override;
  void close() noexcept override { closed_.store(true, std::memory_order_relaxed); }
  bool closed() const noexcept override { return closed_.load(std::memory_order_relaxed); }
  std::uint64_t worker() const override { return 0; }
  std::string layout() const override { return ""; }
  polyflake::Stats stats() const override;

 private:
  void expect(std::size_t /*n*/) const override {}
  void refuse_closed() const;
  Range::Numbers take(Claiming how, std::size_t n, std::uint64_t early = 0);
  bool is_late(std::int64_t waited_ns) const;
  [[noreturn]] void refuse_late() const;

  const std::shared_ptr<count::Counter> counter_;
  std::atomic<bool> closed_{false};
};

}  // namespace polyflake::facade

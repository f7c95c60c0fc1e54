// DateIds: numbers that begin with the date and start over each day, month or year, unique across
// all hosts that use one counter. For order numbers that people read.
//
//   polyflake::HostStore store;                                // or one of your own with a clock
//   polyflake::init_counter(store, "orders", 0, options);      // once; options.kind = "date"
//   polyflake::DateIds orders(store, {"orders", "ORD"});       // from then on, anywhere
//   std::string number = orders.next_id_string();              // "ORD20230414000001"
//
// The period is that of the store's clock, in one zone for all hosts. Numbers rise, and never carry
// into the date. The room of a period is 10^digits - 1 numbers: a failover of the store that may
// have lost writes costs about a tenth of them, so choose `digits` so that a tenth is the busiest
// day.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <polyflake/counter_store.hpp>
#include <polyflake/date_numbers.hpp>
#include <polyflake/id_source.hpp>
#include <polyflake/segment.hpp>

namespace polyflake {

struct DateOptions {
  std::string name;    // of the counter
  std::string prefix;  // of the texts, [A-Za-z0-9_-]{0,16}
  // The shape of the counter, which must be what init_counter() was given.
  std::string period = "yyyyMMdd";  // or "yyyyMM", "yyyy"
  std::uint64_t digits = 6;         // of the count within a period, 1 to 10
  std::string zone = "+00:00";      // an offset from UTC
  // The size of a fetch. 1: no gaps in normal running, at one round trip each; numbers are in the
  // order of calls, also across hosts, if each process makes one call at a time. The rest of a
  // larger one is dropped when the period ends.
  std::uint64_t step = 1;
  std::int64_t timeout_ms = 2000;  // the longest wait of one call for the store
  bool label = true;               // the record contains host and pid, for people
};

class DateIds final : public IdSource {
 public:
  // Blocks, requires and errors: as Segment; also option_invalid if the store has no clock.
  DateIds(CounterStore& store, const DateOptions& options);

  // Returns the next number: the label of the period, then the count. Blocks and errors: as
  // Segment; range_exhausted if the period has no more numbers, clock_behind if the store's clock
  // was set back into an earlier period. Thread safety: any number of threads.
  std::uint64_t next_id();
  // Like next_id(). If that would wait, returns nothing. Never does I/O.
  std::optional<std::uint64_t> try_next_id();
  // Give n rising numbers, which may be of two periods. Block and errors: as those of Segment.
  void fill(std::uint64_t* ids, std::size_t n);
  std::vector<std::uint64_t> next_ids(std::size_t n);
  // Returns the next number as it is printed, with the prefix.
  std::string next_id_string() override;

  // The numbers and their texts.
  const DateNumbers& numbers() const { return numbers_; }

  const char* kind() const override { return "date"; }
  std::size_t id_bytes() const override { return sizeof(std::uint64_t); }
  void fill_bytes(unsigned char* ids, std::size_t n) override;
  // As those of Segment. Stats::left is of the present period.
  void close() noexcept override { counter_.close(); }
  bool closed() const noexcept override { return counter_.closed(); }
  Stats stats() const override { return counter_.stats(); }

 private:
  const DateNumbers numbers_;
  Segment counter_;
};

}  // namespace polyflake

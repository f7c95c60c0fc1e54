// Options: the settings of a generator.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <polyflake/options.hpp>

#include "facade/lease.hpp"

namespace polyflake {
class IdSource;
class KindOptions;
class Spelling;
struct Kind;
}  // namespace polyflake

namespace polyflake::count {
class Counter;
}

namespace polyflake::facade {

class Counter;

// Copies share one clock. Thread safety: any thread.
class ManualClock {
 public:
  explicit ManualClock(std::int64_t time_ms);
  void set(std::int64_t time_ms);
  void advance(std::int64_t ms);
  std::int64_t time_ms() const;

 private:
  friend class Options;
  std::shared_ptr<polyflake::ManualClock> clock_;
};

// The spelling of options in a language: max_wait_ms, maxWaitMs, or maxWait in Java's builder.
enum class Spelling { snake, camel, builder };

// Returns the name of an option as a language spells it.
std::string spelled(const std::string& snake, Spelling spelling);

// Returns the names of the options of a kind that are whole numbers, in snake_case; those that end
// in _ms are times.
std::vector<std::string> number_options_of(const std::string& kind);

// Every option has a default; opening a generator checks them.
class Options {
 public:
  void set_layout(const std::string& text_or_preset);
  // At most one of the four. Without any: POLYFLAKE_WORKER, else "host".
  void set_worker_number(std::int64_t node_id);
  void set_worker_fields(const std::vector<std::string>& names, const std::vector<std::int64_t>& values);
  void set_worker_text(const std::string& source);
  // Requires: lease.granted(), until a generator is opened.
  void set_worker_lease(const Lease& lease);
  // Requires: counter.granted(), until a source of its kind is opened.
  void set_counter(const Counter& counter);
  // Sets one of number_options_of("snowflake"). Others keep the core's defaults. Errors:
  // option_invalid (no such option).
  void set_number(const std::string& name, std::int64_t value);
  // Accepts "strict" and "per_thread". Errors: option_invalid, at once.
  void set_ordering(const std::string& ordering);
  void set_clock(const ManualClock& clock);
  // "snowflake" if none is set.
  void set_kind(const std::string& kind);
  // For tests of a kind with a clock: words of 8 bytes, used instead of random bits.
  void set_entropy(const std::string& bytes);

 private:
  friend class Source;
  friend class Generator;
  friend class FreeSource;
  friend class CountedSource;
  // Errors: unknown_kind.
  const Kind& kind() const;
  // Open a source of the kind, and a spelling; null if ids of the kind are not spelled.
  std::unique_ptr<polyflake::IdSource> opened() const;
  std::unique_ptr<polyflake::Spelling> spelling() const;
  // Returns those that were set.
  KindOptions by_name() const;

  polyflake::Options options_;
  std::string kind_ = "snowflake";
  std::vector<std::pair<std::string, std::int64_t>> numbers_;  // as they were set
  std::optional<std::string> entropy_;
  bool has_layout_ = false;
  std::shared_ptr<count::Counter> counter_;
};

}  // namespace polyflake::facade

// Options: what a generator is opened with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <polyflake/options.hpp>

#include "facade/lease.hpp"

namespace polyflake::facade {

// Copies share one clock. Thread safe.
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

// How a language spells the options of a generator: max_wait_ms, maxWaitMs, or maxWait as Java's builder has it.
enum class Spelling { snake, camel, builder };

#if !defined(SWIG)
// An option that is a whole number: one row of the one table. An unset one keeps the core's default.
struct NumberOption {
  const char* snake;
  const char* camel;
  const char* builder;
  void (*set)(polyflake::Options& options, std::int64_t value);

  const char* name(Spelling spelling) const {
    return spelling == Spelling::snake ? snake : spelling == Spelling::camel ? camel : builder;
  }
};
// All there are: the one table that the languages take names from.
struct NumberOptions {
  const NumberOption* begin() const;
  const NumberOption* end() const;
};
inline NumberOptions number_options() { return {}; }
#endif

// Everything has a default; checks happen when a generator is opened.
class Options {
 public:
  void set_layout(const std::string& text_or_preset);
  // At most one of the four; without any: POLYFLAKE_WORKER, else "host".
  void set_worker_number(std::int64_t node_id);
  void set_worker_fields(const std::vector<std::string>& names, const std::vector<std::int64_t>& values);
  void set_worker_text(const std::string& source);
  // Requires: lease.granted(), until a generator is opened.
  void set_worker_lease(const Lease& lease);
  // One of number_options(), by its snake_case name. Errors: option_invalid where there is none.
  void set_number(const std::string& name, std::int64_t value);
  // "strict" or "per_thread". Errors: option_invalid, at once.
  void set_ordering(const std::string& ordering);
  void set_clock(const ManualClock& clock);
  // "uuid7" or "objectid": positions are for ids of this kind. Without it for those of a snowflake.
  void set_kind(const std::string& kind);
  // For tests with a clock, of a kind: words of 8 bytes that stand for random bits.
  void set_entropy(const std::string& bytes);

 private:
  friend class Generator;
  friend class RandomUuids;
  polyflake::Options options_;
  std::string kind_ = "snowflake";
  std::optional<std::string> entropy_;
  bool has_layout_ = false;
};

}  // namespace polyflake::facade

// The one surface that the Python, Node and Java bindings see.
//
// Plain types only: integers, std::string, std::vector, small structs. Bindings convert a language's
// values to these, call, and convert back; whatever concerns ids is decided below this line. Every
// function may throw; a binding catches everything at its entry and asks current_failure() what it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <polyflake/polyflake.hpp>

namespace polyflake::facade {

std::string version();

// Names of the presets, in the order of their table.
std::vector<std::string> preset_names();

// --- failures ------------------------------------------------------------------------------------

struct Failure {
  std::string code;     // from the table of error.hpp; "out_of_memory" or "internal" for what is not ours
  std::string kind;     // "argument", "clock", "worker", "state", "lease"; "" for what is not ours
  std::string message;
};

// How a language spells the options of a generator: max_wait_ms, maxWaitMs, or maxWait as Java's builder has it.
enum class Spelling { snake, camel, builder };

// Describes the exception being handled; call it inside a catch block. The message spells options like the caller.
// Never throws.
Failure current_failure(Spelling spelling = Spelling::snake) noexcept;

// Every code of the table with its kind, message empty: for tests that compare languages.
std::vector<Failure> error_table();

// Raises an Error with the code of this name: how a language package refuses what it could not even
// convert (a float for a node id). The name must be one of the table.
[[noreturn]] void raise(const std::string& code, const std::string& message);

// --- text ----------------------------------------------------------------------------------------

// Codecs: "decimal" (canonical, 1 to 20 digits) and "hex" (exactly 16 lower-case digits).
// Errors: option_invalid (unknown codec), text_invalid, id_out_of_range (decimal >= 2^64).
std::string to_text(std::uint64_t id, const std::string& codec);
std::uint64_t from_text(const std::string& text, const std::string& codec);

#if !defined(SWIG)
// The decimal text where it is wanted: up to kLongestDecimal characters, no end mark; returns the length.
using polyflake::kLongestDecimal;
using polyflake::write_decimal;
#endif

// --- layouts -------------------------------------------------------------------------------------

struct Parts {
  std::int64_t time_ms = 0;  // Unix ms of the beginning of the tick
  std::uint64_t tick = 0;
  std::uint32_t sequence = 0;
  std::uint64_t node = 0;              // the node fields as one number
  std::vector<std::uint32_t> fields;  // their values, in the order of node_fields()
};

class Layout {
 public:
  // A layout text (it contains ':') or the name of a preset.
  explicit Layout(const std::string& text_or_preset);

  std::string text() const;                       // canonical
  std::vector<std::string> field_names() const;   // all fields, most significant first
  std::vector<int> field_widths() const;          // in bits, same order
  std::vector<std::string> node_fields() const;   // names, most significant first
  std::int64_t tick_ms() const;
  std::int64_t epoch_ms() const;

  // `names` and `values` have equal lengths; node fields not named are 0.
  // Errors: field_out_of_range, unknown_field.
  std::uint64_t encode_tick(std::int64_t tick, std::int64_t sequence, const std::vector<std::string>& names,
                            const std::vector<std::int64_t>& values) const;
  std::uint64_t encode_time(std::int64_t unix_ms, std::int64_t sequence, const std::vector<std::string>& names,
                            const std::vector<std::int64_t>& values) const;
  Parts decode(std::uint64_t id) const;
  std::uint64_t first_id(std::int64_t unix_ms) const;
  std::uint64_t last_id(std::int64_t unix_ms) const;

 private:
  std::uint64_t encode(std::uint64_t tick, std::int64_t sequence, const std::vector<std::string>& names,
                       const std::vector<std::int64_t>& values) const;
  polyflake::Layout layout_;
};

// --- generators ----------------------------------------------------------------------------------

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

// Sleeps for about this long, or less when a signal is delivered; returns how long.
std::int64_t sleep_ns(std::int64_t ns);

// What a generator is opened with. Everything has a default; checks happen when it is opened.
class Options {
 public:
  void set_layout(const std::string& text_or_preset);
  // At most one of the three; without any: POLYFLAKE_WORKER, else "host".
  void set_worker_number(std::int64_t node_id);
  void set_worker_fields(const std::vector<std::string>& names, const std::vector<std::int64_t>& values);
  void set_worker_text(const std::string& source);
  void set_max_wait_ms(std::int64_t ms);
  void set_max_lead_ms(std::int64_t ms);
  void set_sequence_spread(std::int64_t spread);
  // "strict" or "per_thread". Errors: option_invalid, at once.
  void set_ordering(const std::string& ordering);
  void set_clock(const ManualClock& clock);

 private:
  friend class Generator;
  polyflake::Options options_;
};

struct Stats {
  std::uint64_t issued = 0;
  std::uint64_t waits = 0;
  double waited_ms = 0;
  std::uint64_t sequence_exhaustions = 0;
  std::uint64_t clock_steps_back = 0;
  std::int64_t largest_step_back_ms = 0;
  std::int64_t lead_ms = 0;      // how far the last id is ahead of the clock; 0 when it is not
  std::int64_t until_ms = 0;     // Unix ms at which the current grant ends
  double years_left = 0;         // until the layout's last tick
};

struct GeneratorState {
  std::string name;  // "starting", "open", "waiting", "lost" or "closed"
  std::string code;  // of the table: what stops it; "" when nothing does
};

// What the language's channel for warnings is to say after a generator was opened, "" when nothing. The same text is
// given to one caller in the process only.
std::string take_warning();

// For the end of a process that runs no exit handlers of C (multiprocessing's children): gives the `host` node ids back.
// No `host` generator of the process issues afterwards. Never throws.
void release_all() noexcept;

// An open generator. All calls are safe from any thread, also while another closes it.
//
// Issuing never sleeps in here: an id that is claimed but whose tick has not come is handed out together with the duty to wait,
// because only the language knows how to wait. The loop is that of claims.hpp; contracts of what follows are those of Claims.
//
// Opening never sleeps. The first call waits for what is left of a start (a `host` node id after a quarantine).
class Generator {
 public:
  // Blocks: `host` sources do file I/O; never sleeps.
  explicit Generator(const Options& options);

  std::int64_t claim() { return claims_.claim(); }
  std::int64_t claim_now() { return claims_.claim_now(); }
  std::int64_t claim_slowly() { return claims_.claim_slowly(); }
  std::int64_t try_claim() { return claims_.try_claim(); }
  polyflake::IdRange claim_range(std::size_t n) { return claims_.claim_range(n); }
  std::int64_t wait_ns(std::uint64_t id, std::int64_t waited_ns) { return claims_.wait_ns(id, waited_ns); }

  // Moves the window on ahead of need, so that no call for an id meets the flush for about a window (`host`); nothing
  // to do for static numbers. Blocking: I/O. Errors: as claim().
  void renew() { generator_.renew(); }

  // For health checks; issues nothing, never blocks or throws.
  GeneratorState state() const;

  void close() noexcept { generator_.close(); }  // idempotent; later claims raise generator_closed
  bool closed() const noexcept { return generator_.closed(); }
  std::uint64_t worker() const;                  // node id
  std::string layout() const;                    // canonical text
  Stats stats() const;

 private:
  polyflake::Generator generator_;
  polyflake::Claims claims_;
};

// Another number in a copy of this process: what was claimed before it was made belongs to the original.
std::uint64_t execution();

}  // namespace polyflake::facade

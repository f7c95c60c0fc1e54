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
  std::int64_t until_ms = 0;     // Unix ms at which the present grant ends
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
// Issuing never sleeps in here: an id that is claimed but whose tick has not come is handed out
// together with the duty to wait ("claim, then wait"), because only the language knows how to wait.
// The loop is the same in all of them:
//
//     id = claim();                      if (id >= 0) return id;
//     id = ~id, waited = 0;              // claimed, its tick has not come; 0: nothing can be claimed yet
//     while ((ns = wait_ns(id, waited)) > 0) { wait about ns nanoseconds; waited += ns; }
//     if (ns == 0) return id;            // ns < 0: try again now, or we are a forked copy and the id is the parent's
//     start again
//
// Opening never sleeps. The first call waits for what is left of a start (a `host` node id after a quarantine).
class Generator {
 public:
  // Blocking: `host` sources do file I/O; never sleeps.
  explicit Generator(const Options& options);

  // The cheap part of claim(): an id, or -1 where claim() has more to do (I/O every 2 s with `host`, or where a forked
  // child takes its node id). For callers that leave a lock first.
  std::int64_t claim_now() { return generator_.claim_now(); }

  // An id (>= 0) that is ready; ~id (< 0) for one that must be waited for; -1, which is ~0, where nothing can be
  // claimed yet: then wait_ns(0, ...) says for how long. Blocking: I/O, never sleeps.
  std::int64_t claim() { return generator_.claim().word(); }

  // An id (>= 0), or -1 where claim() would have to wait; then nothing is claimed.
  std::int64_t try_claim();

  // Claims up to n ids into out. Returns k > 0: k are ready (k == n unless waiting is needed); k < 0: -k
  // were written and the last of them must be waited for before any of the batch is used; 0: n is 0, or nothing can be
  // claimed yet and wait_ns(0, ...) says for how long; then the batch goes on. A negative wait_ns() of an id says that this
  // process is a copy: the whole batch, earlier pieces too, must be started again. Raises generator_closed for any n.
  std::int64_t claim_run(std::uint64_t* out, std::size_t n);

  // The same in one piece of at most n ids, not written anywhere yet: for memory that must not be held during I/O.
  // count 0: as claim_run's 0. Raises generator_closed for any n.
  polyflake::IdRange claim_ids(std::size_t n) { return generator_.claim_ids(n); }

  // For an id claimed from this generator: 0 when its tick has come, else about how many nanoseconds
  // to wait before asking again; -1 if this process is a copy that must discard it. For id 0: how long until anything
  // can be claimed, -1 when claim() is to be called again. waited_ns: the sum of what was waited for this id so far, so
  // that a clock which stands still ends in clock_behind. On a ManualClock it moves the clock instead and returns 0 or -1.
  std::int64_t wait_ns(std::uint64_t id, std::int64_t waited_ns) { return generator_.wait_ns(id, waited_ns); }

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
};

}  // namespace polyflake::facade

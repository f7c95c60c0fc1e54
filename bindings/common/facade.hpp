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

// Describes the exception being handled; call it inside a catch block. Never throws.
Failure current_failure() noexcept;

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
  // With false the constructor does not sleep, and the caller waits until start_ns() is 0 before it issues.
  void set_wait_for_start(bool wait);

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

// An open generator. All calls are safe from any thread, also while another closes it.
//
// Issuing never sleeps in here: an id that is claimed but whose tick has not come is handed out
// together with the duty to wait ("claim, then wait"), because only the language knows how to wait.
// The loop is the same in all of them:
//
//     id = claim();                      if (id >= 0) return id;
//     id = ~id, waited = 0;              // claimed, its tick has not come
//     while ((ns = wait_ns(id, waited)) > 0) { wait about ns nanoseconds; waited += ns; }
//     if (ns == 0) return id;            // ns < 0: we are a forked copy, the id belongs to the parent
//     start again
class Generator {
 public:
  // Blocking: `host` sources do file I/O. Unless told otherwise, sleeps until the window of the node id begins:
  // one tick for a static number, up to 2 s for a `host` node id used for the first time on this machine or
  // held by a process killed a moment ago.
  explicit Generator(const Options& options);

  // About how many nanoseconds until the window begins; 0 when it has. waited_ns: the sum of what was waited for
  // it so far, so that a clock which stands still is given up; next_id() then says so.
  std::int64_t start_ns(std::int64_t waited_ns) const;

  // The cheap part of claim(): an id, or -1 where claim() has more to do (I/O every 2 s with `host`, or up to 2 s of
  // sleep where a forked child takes its node id). For callers that leave a lock first.
  std::int64_t claim_now() { return generator_.claim_now(); }

  // An id (>= 0) that is ready, or ~id (< 0) for one that must be waited for.
  std::int64_t claim() { return generator_.claim().word(); }

  // An id (>= 0), or -1 where claim() would have to wait; then nothing is claimed.
  std::int64_t try_claim();

  // Claims up to n ids into out. Returns k > 0: k are ready (k == n unless waiting is needed); k < 0: -k
  // were written and the last of them must be waited for before any of the batch is used. After a
  // negative wait_ns() the whole batch, earlier pieces too, must be started again. n == 0 gives 0. Raises
  // generator_closed for any n.
  std::int64_t claim_run(std::uint64_t* out, std::size_t n);

  // Claims between 1 and n ids (none for n == 0), not written anywhere yet: for memory that must not be held during
  // I/O. Raises generator_closed for any n.
  polyflake::IdRun claim_ids(std::size_t n) { return generator_.claim_ids(n); }

  // For an id claimed from this generator: 0 when its tick has come, else about how many nanoseconds
  // to wait before asking again; -1 if this process is a copy that must discard it. waited_ns: the sum of what
  // was waited for this id so far, so that a clock which stands still ends in clock_behind.
  // On a ManualClock it moves the clock instead and returns 0.
  std::int64_t wait_ns(std::uint64_t id, std::int64_t waited_ns) { return generator_.wait_ns(id, waited_ns); }

  void close() noexcept { generator_.close(); }  // idempotent; later claims raise generator_closed
  bool closed() const noexcept { return generator_.closed(); }
  std::uint64_t worker() const;                  // node id
  std::string layout() const;                    // canonical text
  Stats stats() const;

 private:
  polyflake::Generator generator_;
};

}  // namespace polyflake::facade

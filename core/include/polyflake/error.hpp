// Errors of Polyflake: one table of codes for every language.
//
// Each failure is a polyflake::Error with a code from the table below and a message that says what
// was given, what is allowed and what to do. The code crosses every language border unchanged; test
// vectors name it. Messages are for people and may change, codes may not.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace polyflake {

// What a code is about; bindings choose the exception type by it.
enum class ErrorKind {
  argument,  // the caller passed something outside its documented range
  clock,     // the clock is where no id may be issued
  worker,    // no node id could be had from the worker source
  state,     // this generator may not issue (closed, or copied by a fork)
  lease,     // a coordination store refused, or could not be reached
};

// The one list of codes: X(code, kind).
#define POLYFLAKE_ERROR_CODES(X)      \
  X(layout_invalid, argument)         \
  X(layout_too_wide, argument)        \
  X(unknown_preset, argument)         \
  X(field_out_of_range, argument)     \
  X(unknown_field, argument)          \
  X(id_out_of_range, argument)        \
  X(text_invalid, argument)           \
  X(option_invalid, argument)         \
  X(clock_before_epoch, clock)        \
  X(clock_behind, clock)              \
  X(time_exhausted, clock)            \
  X(worker_in_use, worker)            \
  X(no_worker_free, worker)           \
  X(worker_source_invalid, argument)  \
  X(registry_unusable, worker)        \
  X(forked_generator, state)          \
  X(generator_closed, state)          \
  X(lease_lost, lease)                \
  X(store_unavailable, lease)         \
  X(clock_skew, lease)                \
  X(layout_mismatch, lease)           \
  X(namespace_not_initialised, lease) \
  X(wrong_namespace, lease)           \
  X(unknown_kind, argument)

enum class ErrorCode {
#define POLYFLAKE_ENUMERATOR(code, kind) code,
  POLYFLAKE_ERROR_CODES(POLYFLAKE_ENUMERATOR)
#undef POLYFLAKE_ENUMERATOR
};

struct ErrorInfo {
  ErrorCode code;
  const char* name;  // the spelling used by every language, e.g. "clock_behind"
  ErrorKind kind;
};

inline constexpr ErrorInfo kErrorTable[] = {
#define POLYFLAKE_ROW(code, kind) {ErrorCode::code, #code, ErrorKind::kind},
    POLYFLAKE_ERROR_CODES(POLYFLAKE_ROW)
#undef POLYFLAKE_ROW
};

constexpr const ErrorInfo& info(ErrorCode code) { return kErrorTable[static_cast<std::size_t>(code)]; }

// "argument", "clock", "worker", "state" or "lease".
const char* name(ErrorKind kind) noexcept;

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message);
  Error(ErrorCode code, const std::string& message, std::size_t position);

  ErrorCode code() const noexcept { return code_; }
  const char* code_name() const noexcept { return info(code_).name; }
  ErrorKind kind() const noexcept { return info(code_).kind; }

  // Where text is at fault: the index of its first character that cannot stand there, or its length where more was due.
  // Nothing where an error is not about one place in a text. Of readers of ids and of key files alone.
  std::optional<std::size_t> position() const noexcept { return position_; }

 private:
  ErrorCode code_;
  std::optional<std::size_t> position_;
};

// Untrusted text as it may appear in a message: quoted, ASCII, control and non-ASCII bytes as \xNN,
// cut after 32 characters of input.
std::string quoted(std::string_view untrusted);

}  // namespace polyflake

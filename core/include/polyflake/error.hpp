// Errors of Polyflake: one table of codes for every language.
//
// Each failure is a polyflake::Error with a code from the table below and a message that says what
// was given, what is allowed and what to do. The code is the same in every language; test vectors
// name it. Messages are for people and may change; codes may not.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace polyflake {

// The subject of a code; bindings choose the exception type by it.
enum class ErrorKind {
  argument,  // the caller passed something outside its documented range
  clock,     // the clock shows a time at which no id may be issued
  worker,    // the worker source gave no node id
  state,     // this generator may not issue (closed, or copied by a fork)
  lease,     // a coordination store refused, or could not be reached
};

// The list of codes: X(code, kind).
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
  X(unknown_kind, argument)           \
  X(range_exhausted, lease)           \
  X(store_went_back, lease)           \
  X(store_misconfigured, lease)

enum class ErrorCode {
#define POLYFLAKE_ENUMERATOR(code, kind) code,
  POLYFLAKE_ERROR_CODES(POLYFLAKE_ENUMERATOR)
#undef POLYFLAKE_ENUMERATOR
};

struct ErrorInfo {
  ErrorCode code;
  const char* name;  // the same in every language, e.g. "clock_behind"
  ErrorKind kind;
};

inline constexpr ErrorInfo kErrorTable[] = {
#define POLYFLAKE_ROW(code, kind) {ErrorCode::code, #code, ErrorKind::kind},
    POLYFLAKE_ERROR_CODES(POLYFLAKE_ROW)
#undef POLYFLAKE_ROW
};

constexpr const ErrorInfo& info(ErrorCode code) { return kErrorTable[static_cast<std::size_t>(code)]; }

// Returns "argument", "clock", "worker", "state" or "lease".
const char* name(ErrorKind kind) noexcept;

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message);
  Error(ErrorCode code, const std::string& message, std::size_t position);

  ErrorCode code() const noexcept { return code_; }
  const char* code_name() const noexcept { return info(code_).name; }
  ErrorKind kind() const noexcept { return info(code_).kind; }

  // Returns the index of the first wrong character of a text, or the text's length if more was
  // expected; nullopt if no one character is at fault. Only functions that read the text of an id,
  // the name of a kind or a key file set it.
  std::optional<std::size_t> position() const noexcept { return position_; }

 private:
  ErrorCode code_;
  std::optional<std::size_t> position_;
};

// Returns untrusted text for a message: in quotes if it is a word of 1 to 24 characters A-Z a-z 0-9
// _ . -, or a word, a colon and digits. Any other text may hold a secret, such as the address of a
// store with its password, so it is not shown: only its length, and the first position that no word
// has.
std::string quoted(std::string_view untrusted);

// Returns the end of a path for a message: its last part, in quotes, if that is a word. A path
// without a separator and of 20 or more characters may be a key that was passed for its file, so
// only its length is shown.
std::string quoted_path(std::string_view path);

}  // namespace polyflake

#include <polyflake/options.hpp>

#include <polyflake/error.hpp>

namespace polyflake {

Ordering parse_ordering(std::string_view text) {
  if (text == "strict") return Ordering::strict;
  if (text == "per_thread") return Ordering::per_thread;
  throw Error(ErrorCode::option_invalid, "ordering is " + quoted(text) + "; it may be \"strict\" or \"per_thread\"");
}

}  // namespace polyflake

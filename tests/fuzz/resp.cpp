// Replies of a Redis: they mean the same in pieces of any size, or are refused in all of them.
#include "open/resp.hpp"

#include <optional>
#include <string>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

// Returns "refused", "waits" or the values of the text, in pieces of this many bytes.
std::string read(std::string_view text, std::size_t piece) {
  resp::Reply reply;
  try {
    for (std::size_t at = 0; at < text.size(); at += piece) {
      if (!reply.take(text.substr(at, piece))) continue;
      if (at + piece < text.size()) return "refused";  // more came than one reply
      std::string said = "values";
      for (const auto& value : reply.values()) said += value ? " " + *value : " null";
      return said;
    }
    return "waits";
  } catch (const lease::CommandFailure& failure) {
    hold_for_message(failure.what());
    hold(failure.code().find(' ') == std::string::npos, "a code is one word");
    return "refused";
  }
}

void run(std::string_view text) {
  const std::string whole = read(text, text.size() + 1);
  for (const std::size_t piece : {1U, 2U, 7U}) hold(read(text, piece) == whole, "pieces change nothing");
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}

// Texts that name a kind: what is taken is put together again from its parts, and no refusal shows a store.
#include <polyflake/kind_text.hpp>

#include <string>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

void run(std::string_view text) {
  const std::vector<std::string> own = {"orders", "segment", "a", "abcdefghijklmnopqrstuvwxyz_01234"};
  KindText kind;
  const bool taken = accepts([&] { kind = parse_kind(text, own); },
                             {ErrorCode::text_invalid, ErrorCode::unknown_kind, ErrorCode::option_invalid});
  if (taken) {
    hold(text == kind.name + (kind.store ? ":" + *kind.store : ""), "the parts are the text");
    hold(!kind.store || !kind.store->empty(), "a store is something");
    accepts([&] { check_new_kind(kind.name, own); }, {ErrorCode::option_invalid});
  }
  const std::string with_secret = std::string(text) + "hunter2";
  try {
    parse_kind(with_secret, own);
  } catch (const Error& error) {
    const bool in_name = text.find(':') == text.npos || text.substr(0, text.find(':')).find("hunter2") != text.npos;
    hold(in_name || std::string_view(error.what()).find("hunter2") == std::string_view::npos, "a store is not shown");
    hold(error.code() != ErrorCode::text_invalid || *error.position() <= with_secret.size(), "a position in the text");
  }
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}

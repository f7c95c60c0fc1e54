// Texts of Sqids: what is read has a text, which is this one, or was it before its words were blocked. The first byte chooses
// the options.
#include <polyflake/sqids.hpp>

#include <string>
#include <vector>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

SqidsOptions options_by(unsigned char choice) {
  SqidsOptions options;
  if (choice % 3 == 1) options.alphabet = "abc";
  if (choice % 3 == 2) options.alphabet = "0123456789abcdef";
  options.min_length = choice / 3 % 4 * 10;
  if (choice / 12 % 3 == 1) options.blocklist = std::vector<std::string>{};
  if (choice / 12 % 3 == 2)
    options.blocklist = std::vector<std::string>{"aaa", "abca", "bab1", "cafe", "86Rf07", "se8ojk"};
  return options;
}

// False where every text is blocked.
bool has_text(const Sqids& sqids, const std::vector<std::uint64_t>& ids, std::string& text) {
  return accepts([&] { text = sqids.encode(ids); }, {ErrorCode::option_invalid});
}

void run(unsigned char choice, std::string_view text) {
  const SqidsOptions options = options_by(choice);
  const Sqids sqids(options);
  std::vector<std::uint64_t> ids;
  if (!reads(text, [&] { ids = sqids.decode(text); })) return;
  hold(ids.empty() == text.empty(), "a text has ids");
  hold(text.empty() || text.size() >= static_cast<std::size_t>(options.min_length), "a text is filled up");
  std::string written;
  if (!has_text(sqids, ids, written)) return;
  hold(sqids.decode(written) == ids, "ids are read back");
  if (written == text) return;
  SqidsOptions more = options;
  if (!more.blocklist) more.blocklist = Sqids::default_blocklist();
  more.blocklist->push_back(written);
  std::string later;
  hold(written.size() < 3 || !has_text(Sqids(more), ids, later) || later != written, "what is blocked is not written");
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 0) polyflake::fuzz::run(data[0], polyflake::fuzz::text_of(data + 1, size - 1));
  return 0;
}

// Slots of the registry's files: what is taken prints back to the same bytes. A checksum stands before everything else, so
// each input is tried as it is and with its checksum made right, where it has one.
#include <string>

#include "base/hash.hpp"
#include "host/record.hpp"
#include "property.hpp"

#include <polyflake/text.hpp>

namespace polyflake::fuzz {
namespace {

// Filled up to the size of a slot, and with the checksum that its text should have.
std::string made_right(std::string_view text) {
  constexpr std::string_view kKey = "\nsum=";
  std::string slot(text.substr(0, kRecordSize));
  slot.resize(kRecordSize, ' ');
  const std::size_t key = slot.find(kKey);
  if (key == std::string::npos) return slot;
  const std::size_t begin = key + 1;
  const std::string sum = "sum=" + to_text(fnv1a(slot.substr(0, begin)), "hex") + "\n";
  return slot.replace(begin, sum.size(), sum).substr(0, kRecordSize);
}

void run(std::string_view text) {
  const auto record = parse_record(text);
  if (!record) return;
  hold(text.size() == kRecordSize, "a record fills its slot");
  hold(record->count >= 1 && record->until_ms >= 0 && record->written_ms >= 0, "a record was written, after 1970");
  hold(print_record(*record) == text, "a record prints back to its text");
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = polyflake::fuzz::text_of(data, size);
  polyflake::fuzz::run(text);
  polyflake::fuzz::run(polyflake::fuzz::made_right(text));
  return 0;
}

#include "id_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::hold_for_id_text(polyflake::fuzz::text_of(data, size), "decimal");
  return 0;
}

// Answers of etcd's JSON gateway, and dates of HTTP: what is taken has the rows that were asked for.
#include "open/etcd_texts.hpp"

#include <string>

#include "open/base64.hpp"
#include "open/http_exchange.hpp"
#include "property.hpp"

namespace polyflake::fuzz {
namespace {

void read_answer(const std::string& text) {
  const lease::Command command{"txn",
                               {{"compare", "a", "create", "0"}, {"put", "a", "b"}, {"get", "a"}, {"keys", "a", "b"}}};
  try {
    const lease::Reply rows = etcd::rows_of(text, http_date_ms(text), command);
    hold(rows.size() == 3, "a row for the header and each question");
    hold(rows[0].size() == 4, "the header has four words");
    hold(rows[1].empty() || rows[1].size() == 2, "a record has a value and its revision");
  } catch (const lease::CommandFailure&) {
  }
}

void run(std::string_view text) {
  read_answer(std::string(text));
  hold(from_base64(to_base64(text)) == std::string(text), "base64 is undone");
  if (const auto bytes = from_base64(text)) hold(to_base64(*bytes) == text, "and has one form");
  try {
    hold(!etcd::token_in(std::string(text)).empty(), "a token is a word");
  } catch (const lease::CommandFailure&) {
  }
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}

// Records as text: what is written is read back, and nothing else is taken for a record.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lease/record.hpp"

namespace polyflake::lease {
namespace {

NamespaceRecord some_namespace() {
  NamespaceRecord space;
  space.uuid = {1, UINT64_MAX};
  space.nonce = {2, 3};
  space.term = {4, 5};
  space.layout = UINT64_MAX;
  space.window_ms = INT64_MAX;
  space.tolerance_ms = INT64_MAX - 1;
  space.settled = true;
  space.incarnation = "a=b c";
  space.floor_ms = INT64_MAX;
  space.used = INT64_MAX;
  return space;
}

NodeRecord some_node() {
  NodeRecord node;
  node.nonce = {6, 7};
  node.owner = {8, 9};
  node.layout = 1;
  node.until_ms = 1;
  node.label = "host=1/2 \"'\\";
  return node;
}

Fields with(Fields fields, std::size_t i, std::string value) {
  fields.at(i) = std::move(value);
  return fields;
}

std::size_t at(const FieldNames& space, std::string_view name) {
  const auto is_it = [name](const FieldName& field) { return field.name == name; };
  return static_cast<std::size_t>(std::find_if(space.begin(), space.end(), is_it) - space.begin());
}

TEST(LeaseRecords, are_read_back_as_written) {
  const Fields space = fields_of(some_namespace()), node = fields_of(some_node());
  ASSERT_EQ(space.size(), namespace_fields().size());
  ASSERT_EQ(node.size(), node_fields().size());
  EXPECT_EQ(fields_of(namespace_of(space).value()), space);
  EXPECT_EQ(fields_of(node_of(node).value()), node);
  EXPECT_EQ(parse(namespace_fields(), print(namespace_fields(), space)), space);
  EXPECT_EQ(parse(node_fields(), print(node_fields(), node)), node);
}

TEST(LeaseRecords, of_a_namespace_are_whole_or_refused) {
  const Fields fields = fields_of(some_namespace());
  const auto refuses = [&](std::string_view name, const std::string& value) {
    EXPECT_FALSE(namespace_of(with(fields, at(namespace_fields(), name), value))) << name << " " << value;
  };
  for (const auto& [name, type, longest] : namespace_fields()) {
    if (name != "incarnation") refuses(name, "");
    refuses(name, "\x80");
    refuses(name, "1\n2");
    refuses(name, std::string(129, '1'));
  }
  refuses("format", "polyflake 2");
  refuses("uuid", std::string(32, 'A'));
  refuses("uuid", std::string(31, 'a'));
  refuses("layout", "0x23456789abcdef");
  for (const char* const name : {"window_ms", "tolerance_ms", "floor_ms", "used"}) {
    for (const char* const value : {"-1", "+1", "01", "1.0", " 1", "9223372036854775808"}) refuses(name, value);
  }
  for (const char* const value : {"2", "01", "true", " 1"}) refuses("settled", value);
  refuses("window_ms", "0");
  refuses("tolerance_ms", std::to_string(INT64_MAX));
  Fields fewer = fields, more = fields;
  fewer.pop_back();
  more.emplace_back("1");
  EXPECT_FALSE(namespace_of(fewer));
  EXPECT_FALSE(namespace_of(more));
}

TEST(LeaseRecords, of_a_node_are_whole_or_refused) {
  const Fields fields = fields_of(some_node());
  const auto refuses = [&](std::string_view name, const std::string& value) {
    EXPECT_FALSE(node_of(with(fields, at(node_fields(), name), value))) << name << " " << value;
  };
  for (const auto& [name, type, longest] : node_fields()) {
    if (name != "label") refuses(name, "");
    refuses(name, "\x1f");
    refuses(name, std::string(129, '1'));
  }
  refuses("until_ms", "9223372036854775808");
  EXPECT_TRUE(node_of(with(fields, at(node_fields(), "label"), std::string(128, '~'))));
  EXPECT_FALSE(node_of({}));
}

TEST(LeaseRecords, as_text_have_one_form) {
  const std::string text = print(node_fields(), fields_of(some_node()));
  const auto refuses = [](const std::string& other) { EXPECT_FALSE(parse(node_fields(), other)) << other; };
  refuses("");
  refuses(text + "\n");
  refuses(text + "more=1\n");
  refuses(text.substr(0, text.size() - 1));
  refuses(text.substr(text.find('\n') + 1));
  refuses(" " + text);
  refuses(std::string(text).replace(text.find('='), 1, ":"));
  refuses(std::string(text).replace(text.find('\n'), 1, "\r\n") + "\n");
  refuses(std::string(3000, 'x'));
  EXPECT_FALSE(parse(namespace_fields(), text));
}

TEST(LeaseRecords, have_words_of_32_digits) {
  const std::string text = "0123456789abcdef0000000000000001";
  EXPECT_EQ(to_text(word_of(text).value()), text);
  EXPECT_EQ(word_of(text)->high, 0x0123456789abcdefU);
  for (const char* const other : {"", "0123456789abcdef000000000000000", "0123456789abcdef00000000000000012",
                                  "0123456789ABCDEF0000000000000001", "0123456789abcdeg0000000000000001"}) {
    EXPECT_FALSE(word_of(other)) << other;
  }
}

}  // namespace
}  // namespace polyflake::lease

// Properties of codecs that hold for all of them; single cases are in the vectors.
#include <polyflake/text.hpp>

#include <gtest/gtest.h>

#include <string>

#include "expect_error.hpp"

namespace polyflake {
namespace {

TEST(Text, every_codec_reads_what_it_prints) {
  for (const std::string& codec : codec_names()) {
    for (const std::uint64_t id : {std::uint64_t{0}, std::uint64_t{820674996357211477}, ~std::uint64_t{0}}) {
      EXPECT_EQ(from_text(to_text(id, codec), codec), id) << codec;
    }
  }
}

TEST(Text, the_first_codec_is_the_default) {
  EXPECT_EQ(to_text(10), to_text(10, codec_names().front()));
  EXPECT_EQ(from_text("10"), from_text("10", codec_names().front()));
}

TEST(Text, an_unknown_codec_is_refused_with_the_names_that_there_are) {
  for (const std::string& failure :
       {test::error_of([] { to_text(1, "Hex"); }), test::error_of([] { from_text("1", ""); })}) {
    EXPECT_EQ(test::code_in(failure), "option_invalid");
    for (const std::string& codec : codec_names()) EXPECT_NE(failure.find(codec), std::string::npos) << failure;
  }
}

}  // namespace
}  // namespace polyflake

// Properties of codecs that hold for all of them; single cases are in the vectors.
#include <polyflake/text.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/closest.hpp"
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

TEST(Names, that_are_misspelled_have_a_closest_one) {
  const std::vector<std::string> known{"worker", "layout", "ordering", "clock", "max_wait_ms", "maxLeadMs"};
  const auto meant = [&](std::string_view given) { return closest(given, known); };
  EXPECT_EQ(meant("wroker"), "worker");
  EXPECT_EQ(meant("Layout"), "layout");
  EXPECT_EQ(meant("clok"), "clock");
  EXPECT_EQ(meant("order"), "ordering");
  EXPECT_EQ(meant("maxWaitMs"), "max_wait_ms");
  EXPECT_EQ(meant("max-lead-ms"), "maxLeadMs");
  EXPECT_EQ(meant("max_lead"), "maxLeadMs");
  for (const char* const name : {"", "x", "la", "timeout", "spread", "lay_zzz"}) EXPECT_EQ(meant(name), "") << name;
  EXPECT_EQ(meant(std::string(100'000, 'w')), "");
  EXPECT_EQ(closest("worker", {}), "");
}

}  // namespace
}  // namespace polyflake

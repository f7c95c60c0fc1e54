// Marks that all copies of the library in a process see, or all processes of a host, made twice in one copy.
#include "issue/process_mark.hpp"

#include <polyflake/process.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include "issue/number_mark.hpp"

namespace polyflake {
namespace {

TEST(ProcessMarks, are_had_by_one_holder_at_a_time) {
  if (ProcessName::process().empty()) GTEST_SKIP() << "there are no such marks here";
  constexpr std::uint64_t kFingerprint = 0x1234, kNode = 7;
  ProcessMark one, two;
  EXPECT_TRUE(one.take(kFingerprint, kNode));
  EXPECT_TRUE(one.take(kFingerprint, kNode)) << "it has it";
  EXPECT_FALSE(two.take(kFingerprint, kNode));
  EXPECT_FALSE(two.take(kFingerprint, kNode));
  EXPECT_TRUE(two.take(kFingerprint, kNode + 1)) << "a refusal leaves it as it was";
  ProcessMark three;
  EXPECT_TRUE(three.take(kFingerprint + 1, kNode)) << "of another layout";
}

TEST(NumberMarks, that_another_process_has_are_told_once) {
  if (ProcessName::process().empty()) GTEST_SKIP() << "there are no such marks here";
  const auto fingerprint = static_cast<std::uint64_t>(::getpid());  // no other test process has it
  NumberMark one, two, three;
  one.take(fingerprint, 7);
  one.take(fingerprint, 7);
  EXPECT_EQ(take_warning(), "") << "its own";
  two.take(fingerprint, 8);
  EXPECT_EQ(take_warning(), "") << "of another node id";
  three.take(fingerprint, 7);
  EXPECT_NE(take_warning().find("has opened node id 7 of this layout by its number, too"), std::string::npos);
  three.take(fingerprint, 8);
  EXPECT_EQ(take_warning(), "") << "once in a process";
}

}  // namespace
}  // namespace polyflake

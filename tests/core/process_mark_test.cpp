// Marks that all copies of the library in a process see, made twice in one copy.
#include "issue/process_mark.hpp"

#include <polyflake/process.hpp>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace polyflake

// Marks that all processes of a host see, made twice in one. A program of its own: a process warns
// once, and in another one some test may have opened a number that a process beside it has, too.
#include "issue/number_mark.hpp"

#include <polyflake/process.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

namespace polyflake {
namespace {

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

// Which settings of PostgreSQL make a failover lose nothing that was confirmed, and what is said once of others.
#include <polyflake/process.hpp>

#include <gtest/gtest.h>

#include <utility>

#include "lease/standbys.hpp"
#include "lease/store_warning.hpp"

namespace polyflake::lease {
namespace {

TEST(Standbys, confirm_by_majority_where_enough_of_them_are_named) {
  for (const char* const names : {"ANY 1 (a, b)", "any 1 (a,b)", "ANY 2 (a, b, c, d)", "ANY 1 (a)",
                                  " ANY  1(a , \"b c\") ", "ANY 1 (\"a,b\", c)", "ANY 3 (a, b, c)"}) {
    EXPECT_TRUE(confirms_by_majority(names, 1)) << names;
  }
}

TEST(Standbys, confirm_nothing_where_others_may_be_promoted) {
  for (const char* const names : {"",
                                  "*",
                                  "a",
                                  "a, b",
                                  "1 (a, b)",
                                  "FIRST 1 (a, b)",
                                  "ANY 1 (*)",
                                  "ANY 1 (a, *)",
                                  "ANY 1 (\"*\")",
                                  "ANY 1 (a, b, c)",
                                  "ANY 2 (a)",
                                  "ANY 1 (a, A, b, c)",
                                  "ANY 0 (a)",
                                  "ANY 1 ()",
                                  "ANY 1 (a, )",
                                  "ANY x (a)",
                                  "ANY 1 a",
                                  "ANY",
                                  "(",
                                  ")"}) {
    EXPECT_FALSE(confirms_by_majority(names, 2)) << names;
  }
  EXPECT_FALSE(confirms_by_majority("ANY 1 (a, b)", 3)) << "a stranger may be promoted, too";
}

TEST(Standbys, that_may_lose_leases_are_said_once) {
  EXPECT_EQ(take_store_warning(), "");
  warn_of_store("");
  warn_of_store("the first");
  warn_of_store("the second");
  EXPECT_EQ(take_warning(), "the first");
  warn_of_store("the third");
  EXPECT_EQ(take_warning(), "");
}

}  // namespace
}  // namespace polyflake::lease

// Two copies of the library in one process know nothing of each other: a number that one of them has is refused to the
// other.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <dlfcn.h>

#include "../core/copies.hpp"
#include "../core/fresh_home.hpp"

namespace polyflake::test {
namespace {

using Take = const char* (*)(int number, std::uint64_t* ids, int count);

class TwoCopies : public testing::Test {
 protected:
  TwoCopies() : first(load("first.so")), second(load("second.so")) {}

  static std::string take(Take copy, int number) {
    std::uint64_t ids[20];
    return copy(number, ids, 20);
  }

  const FreshHome home;
  const Take first, second;

 private:
  // The loader knows files, so each copy is one.
  Take load(const std::string& name) const {
    const std::string file = home.beside(name);
    std::filesystem::copy_file(POLYFLAKE_COPY, file, std::filesystem::copy_options::overwrite_existing);
    void* const module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) std::abort();
    return reinterpret_cast<Take>(::dlsym(module, "polyflake_take"));
  }
};

TEST_F(TwoCopies, do_not_issue_under_one_number) {
  ASSERT_NE(first, second);
  EXPECT_EQ(take(first, 5), "none");
  EXPECT_EQ(take(second, 5), "worker_in_use");
  EXPECT_EQ(take(second, 6), "none");
  EXPECT_EQ(take(first, 6), "worker_in_use");
  EXPECT_EQ(take(first, 5), "none");
}

TEST_F(TwoCopies, do_not_issue_under_one_number_after_a_fork_either) {
  ASSERT_EQ(take(first, 7), "none");
  for (const Fork fork : {plain_fork, bare_fork, raw_clone}) {
    const std::string said = in_copy(fork, [&] {
      std::string sayings = take(second, 8);
      sayings += " " + take(first, 8);
      sayings += " " + take(first, 9);
      return sayings + " " + take(second, 9);
    });
    EXPECT_EQ(said, "none worker_in_use none worker_in_use");
  }
}

}  // namespace
}  // namespace polyflake::test

// Two copies of the library in one process know nothing of each other's nodes. A node id that one of them holds is
// refused to the other, whichever way each came by it; or they share it.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <dlfcn.h>

#include "copies.hpp"
#include "fresh_home.hpp"

namespace polyflake::test {
namespace {

// One of the shared objects made of library_copy.cpp; it stays loaded.
class Library {
 public:
  explicit Library(const char* path) : handle_(::dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw std::runtime_error(::dlerror());
  }
  std::string open(const char* worker) { return function<const char*(const char*)>("copy_open")(worker); }
  std::string issue(std::uint64_t* ids, std::size_t count) {
    return function<const char*(std::uint64_t*, std::size_t)>("copy_issue")(ids, count);
  }

 private:
  template <class Signature>
  Signature* function(const char* name) const {
    return reinterpret_cast<Signature*>(::dlsym(handle_, name));
  }
  void* handle_;
};

// A node id, and who holds it, stays with a process for its life, so each test has a process of its own.
std::string in_new_process(const std::function<std::string(Library&, Library&)>& work) {
  return in_copy(plain_fork, [&] {
    Library one(POLYFLAKE_COPY_ONE), two(POLYFLAKE_COPY_TWO);
    return work(one, two);
  });
}

// "worker_in_use" when the second is refused; else how many ids were issued by both.
std::string second_opening(Library& one, Library& two, const char* worker_of_one, const char* worker_of_two) {
  if (const std::string code = one.open(worker_of_one); !code.empty()) return "the first: " + code;
  if (const std::string code = two.open(worker_of_two); !code.empty()) return code;
  std::vector<std::uint64_t> ids, others;
  for (int turn = 0; turn < 2000; ++turn) {
    std::uint64_t few[20];
    one.issue(few, 10);
    two.issue(few + 10, 10);
    ids.insert(ids.end(), few, few + 10);
    others.insert(others.end(), few + 10, few + 20);
  }
  std::vector<std::uint64_t> both;
  std::set_intersection(ids.begin(), ids.end(), others.begin(), others.end(), std::back_inserter(both));
  return std::to_string(both.size()) + " of " + std::to_string(ids.size() + others.size()) + " equal";
}

std::string second_opening_in_new_process(const char* worker_of_one, const char* worker_of_two) {
  const FreshHome home;
  const std::string said = in_new_process(
      [&](Library& one, Library& two) { return second_opening(one, two, worker_of_one, worker_of_two); });
  return said == "0 of 40000 equal" ? "worker_in_use" : said;  // sharing it is as good
}

TEST(LibraryCopies, static_number_that_another_copy_holds_is_refused) {
  EXPECT_EQ(second_opening_in_new_process("3", "3"), "worker_in_use");
}

TEST(LibraryCopies, static_number_beside_the_same_node_id_of_the_registry_is_refused) {
  EXPECT_EQ(second_opening_in_new_process("host:0", "0"), "worker_in_use");
}

TEST(LibraryCopies, node_id_of_the_registry_beside_the_same_static_number_is_refused) {
  EXPECT_EQ(second_opening_in_new_process("0", "host:0"), "worker_in_use");
}

TEST(LibraryCopies, host_passes_over_the_static_number_of_another_copy) {
  EXPECT_EQ(second_opening_in_new_process("0", "host"), "worker_in_use");
}

TEST(LibraryCopies, distinct_numbers_are_nobodys_business) {
  const FreshHome home;
  const std::string said = in_new_process([](Library& one, Library& two) { return one.open("3") + two.open("4"); });
  EXPECT_EQ(said, "");
}

TEST(LibraryCopies, either_may_come_first_and_goes_on_when_the_other_was_refused) {
  const FreshHome home;
  const std::string said = in_new_process([](Library& one, Library& two) {
    std::uint64_t ids[20];
    std::string codes;
    for (const std::string& code :
         {one.open("5"), two.open("5"), two.open("6"), one.open("6"), one.issue(ids, 20), two.issue(ids, 20)}) {
      codes += code.empty() ? "none " : code + " ";
    }
    return codes;
  });
  EXPECT_EQ(said, "none worker_in_use none worker_in_use none none ");
}

TEST(LibraryCopies, copies_in_a_copy_of_the_process_are_told_apart_as_well) {
  const FreshHome home;
  for (const Fork fork : {plain_fork, bare_fork, raw_clone}) {
    const std::string said = in_new_process([&](Library& one, Library& two) {
      one.open("3");
      return in_copy(fork,
                     [&] { return second_opening(one, two, "4", "4") + ", " + second_opening(two, one, "5", "5"); });
    });
    EXPECT_EQ(said, "worker_in_use, worker_in_use");
  }
}

}  // namespace
}  // namespace polyflake::test

// Carried stores in copies of the process: what is asked over which connection.
#include <polyflake/carrier.hpp>

#include <gtest/gtest.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "copies.hpp"
#include "expect_error.hpp"
#include "lease/record.hpp"

namespace polyflake::test {
namespace {

// The reply of a Redis without the namespace.
lease::Reply nothing_found() {
  lease::Row row{"reign", "1700000000000", "", "",
                 "role:master\r\nconnected_slaves:0\r\nmaster_repl_offset:7\r\nsecond_repl_offset:-1\r\n"};
  row.resize(row.size() + lease::namespace_fields().size(), "");
  return {row};
}

class Noting : public Carrier {
 public:
  lease::Reply carry(const lease::Command&, std::int64_t) override {
    note('c');
    if (meanwhile) meanwhile();
    return nothing_found();
  }
  void drop() override { note('d'); }

  std::string notes;
  std::function<void()> meanwhile;

 protected:
  void note(char what) { notes += what; }
};

class Forkable final : public Noting {
 public:
  void forked() override {
    note('f');
    if (failures-- > 0) throw std::runtime_error("no connection yet");
  }
  int failures = 0;
};

TEST(CopiesOfAStore, ask_nothing_over_a_carrier_that_knows_no_copies) {
  const auto carrier = std::make_shared<Noting>();
  const auto store = carried_store("redis", "orders", carrier);
  store->read({});
  for (const Fork fork : kForks) {
    EXPECT_EQ(code_in(in_copy(fork,
                              [&] {
                                store->read({});
                                return std::string("read");
                              })),
              "store_unavailable");
    const std::string notes = in_copy(fork, [&] {
      error_of([&] { store->counter_names(); });
      error_of([&] { store->forked(); });
      return carrier->notes;
    });
    EXPECT_EQ(notes, carrier->notes);
  }
  EXPECT_FALSE(store->read({}).space);
}

TEST(CopiesOfAStore, tell_the_carrier_once_before_they_ask) {
  const auto carrier = std::make_shared<Forkable>();
  const auto store = carried_store("redis", "orders", carrier);
  store->read({});
  for (const Fork fork : kForks) {
    const auto in_this_copy = [&](const std::function<void()>& work) {
      return in_copy(fork, [&] {
        carrier->notes.clear();
        work();
        return carrier->notes;
      });
    };
    EXPECT_EQ(in_this_copy([&] {
                store->read({});
                store->read({});
              }),
              "fcc");
    EXPECT_EQ(in_this_copy([&] {
                store->forked();
                store->forked();
                store->read({});
                store->forked();
              }),
              "fc");
    EXPECT_EQ(in_this_copy([&] {
                carrier->failures = 2;
                EXPECT_THROW(store->forked(), std::runtime_error);
                EXPECT_THROW(store->read({}), std::runtime_error);
                store->read({});
              }),
              "fffc");
    // A copy of a copy.
    EXPECT_EQ(in_this_copy([&] {
                store->read({});
                carrier->notes += in_copy(fork, [&] {
                  store->read({});
                  return carrier->notes;
                });
              }),
              "fcfcfc");
  }
  EXPECT_EQ(carrier->notes, "c");
}

TEST(CopiesOfAStore, that_is_asked_meanwhile_do_not_wait_for_the_original) {
  const auto carrier = std::make_shared<Forkable>();
  const auto store = carried_store("redis", "orders", carrier);
  std::mutex mutex;
  std::condition_variable changed;
  bool inside = false, ends = false;
  carrier->meanwhile = [&] {
    std::unique_lock<std::mutex> lock(mutex);
    inside = true;
    changed.notify_all();
    changed.wait(lock, [&] { return ends; });
  };
  std::thread asker([&] { store->read({}); });
  {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return inside; });
  }
  for (const Fork fork : kForksBesideThreads) {
    EXPECT_EQ(in_copy(fork,
                      [&] {
                        carrier->meanwhile = nullptr;
                        return std::string(store->read({}).space ? "a namespace" : "none");
                      }),
              "none");
  }
  {
    const std::lock_guard<std::mutex> lock(mutex);
    ends = true;
    changed.notify_all();
  }
  asker.join();
}

// As by a signal handler.
TEST(CopiesOfAStore, made_while_they_ask_get_no_answer_of_the_original) {
  const auto carrier = std::make_shared<Forkable>();
  const auto store = carried_store("redis", "orders", carrier);
  for (const Fork fork : kForks) {
    Copy copy{};
    carrier->meanwhile = [&] {
      int ends[2];
      ASSERT_EQ(::pipe(ends), 0);
      copy = {fork(), ends[0]};
      ::close(copy.pid == 0 ? ends[0] : ends[1]);
      if (copy.pid == 0) copy.from = ends[1];
    };
    const std::string failure = error_of([&] { store->read({}); });
    carrier->meanwhile = nullptr;
    if (copy.pid == 0) {
      std::string said = code_in(failure);
      carrier->notes.clear();
      if (error_of([&] { store->read({}); }) == "none") said += ", then " + carrier->notes;
      ::_exit(::write(copy.from, said.data(), said.size()) < 0 ? 1 : 0);
    }
    EXPECT_EQ(failure, "none");
    EXPECT_EQ(said_by(copy), "store_unavailable, then fc");
  }
}

}  // namespace
}  // namespace polyflake::test

// Generators over a store of C++: what opening, closing, failing stores and copies of the process come to.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../examples/cpp/file_store.hpp"
#include "../faults/stopped_leases.hpp"
#include "copies.hpp"
#include "expect_error.hpp"
#include "stores_in_trouble.hpp"
#include "together.hpp"

namespace polyflake::test {
namespace {

class LeasedWorkers : public StoppedLeases {};

TEST_F(LeasedWorkers, issue_at_once_in_a_fresh_namespace) {
  Generator generator(on(memory()));
  const std::uint64_t first = generator.next_id();
  EXPECT_EQ(generator.worker(), 0U);
  EXPECT_EQ(generator.layout().unpack(first).node, 0U);
  EXPECT_GT(generator.next_id(), first);
}

TEST_F(LeasedWorkers, of_one_store_have_different_node_ids) {
  const auto store = memory();
  init_namespace(*store, "polyflake", {}, true);
  constexpr int kGenerators = 8;
  std::vector<std::unique_ptr<Generator>> generators(kGenerators);
  const auto ids = together(kGenerators, [&](int i, Ids& mine) {
    let_own_timed_waits_pass_time();
    auto& generator = generators[static_cast<std::size_t>(i)];
    generator = std::make_unique<Generator>(on(store));
    for (std::size_t n = 0; n < scaled(20'000); ++n) mine.push_back(generator->next_id());
  });
  EXPECT_EQ(expect_unique(ids), kGenerators * scaled(20'000));
  EXPECT_EQ(leases(*store, "polyflake").size(), static_cast<std::size_t>(kGenerators));
}

TEST_F(LeasedWorkers, are_renewed_for_longer_than_a_window) {
  Generator generator(on(memory(), fresh(400)));
  const auto begin = Steady::now();
  std::uint64_t last = 0;
  while (since(begin) < milliseconds(1500)) {
    const std::uint64_t id = generator.next_id();
    ASSERT_GT(id, last);
    last = id;
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_EQ(generator.worker(), 0U) << "no other node id was needed";
}

TEST_F(LeasedWorkers, give_their_node_id_back_when_closed) {
  const auto store = memory();
  Generator generator(on(store));
  const std::uint64_t last = generator.next_id();
  ASSERT_EQ(leases(*store, "polyflake").size(), 1U);
  generator.close();
  EXPECT_TRUE(comes([&] { return leases(*store, "polyflake").empty(); }));
  EXPECT_ERROR(generator.next_id(), generator_closed);
  Generator next(on(store));
  EXPECT_EQ(next.worker(), 0U);
  EXPECT_GT(next.next_id(), last);
}

TEST_F(LeasedWorkers, say_at_once_what_is_wrong) {
  const auto store = memory();
  Options unmade;
  unmade.worker = Worker(store);
  EXPECT_ERROR(Generator(unmade), namespace_not_initialised);
  EXPECT_ERROR(Generator(on(std::shared_ptr<MemoryStore>())), worker_source_invalid);
  const std::string uuid = init_namespace(*store, "polyflake");
  EXPECT_EQ(init_namespace(*store, "polyflake"), uuid);
  EXPECT_ERROR(init_namespace(*store, "twitter"), layout_mismatch);
  Options other = on(store);
  other.layout = "twitter";
  EXPECT_ERROR(Generator(other), layout_mismatch);
  LeaseOptions pinned;
  pinned.uuid = std::string(32, 'a');
  EXPECT_ERROR(Generator(on(store, pinned)), wrong_namespace);
  pinned.uuid = "a";
  EXPECT_ERROR(Generator(on(store, pinned)), option_invalid);
  for (const auto time : {&LeaseOptions::window_ms, &LeaseOptions::tolerance_ms, &LeaseOptions::acquire_timeout_ms,
                          &LeaseOptions::renew_wait_ms}) {
    for (const std::int64_t ms : {std::int64_t{-1}, std::int64_t{1} << 31, INT64_MAX}) {
      LeaseOptions out_of_range;
      out_of_range.*time = ms;
      EXPECT_ERROR(Generator(on(store, out_of_range)), option_invalid);
    }
  }
  Options manual = on(store);
  manual.clock = std::make_shared<ManualClock>(0);
  EXPECT_ERROR(Generator(manual), option_invalid);
}

TEST_F(LeasedWorkers, of_a_clock_far_from_the_stores_are_refused) {
  const auto store = std::make_shared<MemoryStore>([] { return SystemClock::read_ms() - 60'000; });
  EXPECT_ERROR(Generator(on(store)), clock_skew);
}

TEST_F(LeasedWorkers, whose_layout_is_used_up_say_so_and_ask_for_nothing) {
  const auto store = memory();
  Options used_up;
  used_up.worker = Worker(store);
  used_up.layout = "baidu";
  EXPECT_ERROR(Generator(used_up), time_exhausted);
  EXPECT_ERROR(leases(*store, "baidu"), namespace_not_initialised);
}

// A store whose node ids are all held, as large as the layout.
class Full final : public Store {
 public:
  explicit Full(std::uint64_t node_ids) : node_ids_(node_ids) {}
  lease::Contents read(const lease::Read& request) override {
    largest_ = std::max(largest_.load(), request.nodes.size());
    return tables_.read(request, "full", SystemClock::read_ms());
  }
  lease::Answer cas(const lease::Cas& request) override {
    const auto outcome = tables_.step(request, "full", SystemClock::read_ms());
    for (std::uint64_t node = 0; node < node_ids_; ++node) tables_.nodes[node].until_ms = INT64_MAX;
    tables_.space->used = node_ids_;
    return {outcome, request.echo, SystemClock::read_ms()};
  }
  std::size_t largest() const { return largest_; }

 private:
  const std::uint64_t node_ids_;
  std::atomic<std::size_t> largest_{0};
  lease::Tables tables_;
};

TEST_F(LeasedWorkers, ask_for_no_more_records_at_once_than_a_store_must_give) {
  const auto store = std::make_shared<Full>(1024);
  init_namespace(*store, "polyflake", {}, true);
  LeaseOptions lease;
  lease.acquire_timeout_ms = 300;
  const std::string failure = error_of([&] { Generator generator(on(store, lease)); });
  EXPECT_EQ(code_in(failure), "no_worker_free");
  EXPECT_NE(failure.find("all node ids of the namespace are held (1024)"), std::string::npos) << failure;
  EXPECT_GT(store->largest(), 1U);
  EXPECT_LE(store->largest(), lease::Read::kMostNodes);
}

TEST_F(LeasedWorkers, of_another_layout_are_refused_with_the_names_of_both) {
  const auto store = memory();
  Options twitter = on(store);
  twitter.layout = "twitter";
  const std::string presets = error_of([&] { Generator generator(twitter); });
  EXPECT_EQ(code_in(presets), "layout_mismatch");
  EXPECT_NE(presets.find("belongs to the layout 'polyflake', and what was opened has the layout 'twitter'"),
            std::string::npos)
      << presets;
  Options own = on(store);
  own.layout = "timestamp:41 worker:5 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z";
  const std::string other = error_of([&] { Generator generator(own); });
  const std::string print = to_text(own.layout.fingerprint(), "hex");
  EXPECT_NE(other.find("a layout of the fingerprint " + print), std::string::npos) << other;
}

TEST_F(LeasedWorkers, of_no_namespace_are_told_how_to_make_one) {
  Options options;
  options.worker = Worker(std::make_shared<MemoryStore>());
  const std::string failure = error_of([&] { Generator generator(options); });
  EXPECT_EQ(code_in(failure), "namespace_not_initialised");
  for (const char* const way : {"polyflake init", "init_namespace()", "auto_init=1"})
    EXPECT_NE(failure.find(way), std::string::npos) << failure;
}

class OfWindow final : public Store {
 public:
  explicit OfWindow(std::int64_t window_ms) : window_ms_(window_ms) {}
  lease::Contents read(const lease::Read& request) override {
    lease::Contents contents = store_->read(request);
    if (contents.space) contents.space->window_ms = window_ms_;
    return contents;
  }
  lease::Answer cas(const lease::Cas& request) override { return store_->cas(request); }

 private:
  const std::int64_t window_ms_;
  const std::shared_ptr<MemoryStore> store_ = memory();
};

TEST_F(LeasedWorkers, of_a_namespace_with_a_window_that_none_has_are_refused) {
  for (const std::int64_t window_ms : {INT64_MIN, std::int64_t{0}, std::int64_t{1} << 31, INT64_MAX}) {
    const std::string failure = error_of([&] { Generator generator(on(std::make_shared<OfWindow>(window_ms))); });
    EXPECT_EQ(code_in(failure), "store_unavailable");
    EXPECT_NE(failure.find("damaged"), std::string::npos) << failure;
  }
}

TEST_F(LeasedWorkers, show_operators_their_holders) {
  const auto store = memory();
  Generator named(on(store));
  LeaseOptions unnamed = fresh();
  unnamed.label = false;
  Generator other(on(store, unnamed));
  const auto held = leases(*store, "polyflake");
  ASSERT_EQ(held.size(), 2U);
  EXPECT_EQ(held[0].node, named.worker());
  EXPECT_NE(held[0].label.find("/"), std::string::npos);
  EXPECT_GT(held[0].until_ms, SystemClock::read_ms());
  EXPECT_EQ(held[1].label, "");
}

TEST_F(LeasedWorkers, go_on_above_a_floor_that_was_raised) {
  const auto store = memory();
  LeaseOptions lease = fresh(400);
  Options options = on(store, lease);
  options.max_wait_ms = 5000;
  Generator generator(options);
  generator.next_id();
  const std::int64_t floor_ms = SystemClock::read_ms() + 700;
  raise_floor(*store, "polyflake", floor_ms);
  EXPECT_TRUE(comes([&] {
    try {
      return generator.layout().unpack(generator.next_id()).time_ms >= floor_ms;
    } catch (const Error&) {
      return false;
    }
  }));
}

TEST_F(LeasedWorkers, take_a_floor_in_ms_of_the_layouts_time_alone) {
  const auto store = memory();
  init_namespace(*store, "polyflake", {}, true);
  const std::int64_t now_ms = SystemClock::read_ms();
  EXPECT_ERROR(raise_floor(*store, "polyflake", now_ms / 1000), field_out_of_range);
  EXPECT_ERROR(raise_floor(*store, "polyflake", now_ms * 1000), field_out_of_range);
}

TEST_F(LeasedWorkers, show_no_password_of_an_address_that_is_for_other_languages) {
  for (const char* const address : {"redis://u:secret@h?namespace=a", "postgres://u:secret@h"}) {
    Options options;
    options.worker = address;
    const std::string failure = error_of([&] { Generator generator(options); });
    EXPECT_EQ(code_in(failure), "worker_source_invalid");
    EXPECT_EQ(failure.find("sec"), std::string::npos) << failure;
  }
}

TEST_F(LeasedWorkers, whose_store_fails_say_so_in_time) {
  const auto store = failing();
  LeaseOptions lease = fresh();
  lease.acquire_timeout_ms = 300;
  store->failure([] { throw std::runtime_error("the cable is out"); });
  const auto begin = Steady::now();
  const std::string failure = error_of([&] { Generator generator(on(store, lease)); });
  EXPECT_EQ(code_in(failure), "store_unavailable");
  EXPECT_NE(failure.find("the cable is out"), std::string::npos) << failure;
  EXPECT_LT(since(begin), milliseconds(5000));
  store->failure([] { throw 7; });  // NOLINT: what a store of somebody else may do
  EXPECT_ERROR(Generator(on(store, lease)), store_unavailable);
  store->failure([] { throw Error(ErrorCode::store_unavailable, "as an error of ours"); });
  EXPECT_ERROR(Generator(on(store, lease)), store_unavailable);
  store->failure(nullptr);
  EXPECT_EQ(Generator(on(store, lease)).worker(), 0U);
}

TEST_F(LeasedWorkers, whose_store_hangs_say_so_in_time_and_let_go_of_it_later) {
  auto store = failing();
  const std::weak_ptr<Troubled> watched = store;
  LeaseOptions lease = fresh();
  lease.acquire_timeout_ms = 300;
  auto options = std::make_unique<Options>(on(store, lease));
  store->hang();
  const auto begin = Steady::now();
  EXPECT_ERROR(Generator(*options), store_unavailable);
  EXPECT_LT(since(begin), milliseconds(5000));
  EXPECT_EQ(store->hanging(), 1);
  store->go_on();
  options.reset();
  store.reset();
  EXPECT_TRUE(comes([&] { return watched.expired(); }));
}

TEST_F(LeasedWorkers, whose_store_hangs_issue_to_the_end_of_their_window) {
  auto store = failing();
  const std::weak_ptr<Troubled> watched = store;
  LeaseOptions lease = fresh(1000);
  lease.renew_wait_ms = 100;
  auto generator = std::make_unique<Generator>(on(store, lease));
  generator->next_id();
  store->hang();
  ASSERT_TRUE(comes([&] { return store->hanging() == 1; }));
  generator->next_id();
  std::string failure;
  EXPECT_TRUE(comes([&] { return (failure = error_of([&] { generator->next_id(); })) != "none"; }));
  EXPECT_EQ(code_in(failure), "store_unavailable");
  const auto begin = Steady::now();
  generator.reset();
  EXPECT_LT(since(begin), milliseconds(3000)) << "half a second, on a machine that is busy with other things";
  store->go_on();
  store.reset();
  EXPECT_TRUE(comes([&] { return watched.expired(); }));
}

TEST_F(LeasedWorkers, recover_from_a_store_that_failed_for_a_while) {
  const auto store = failing();
  LeaseOptions lease = fresh(400);
  lease.renew_wait_ms = 50;
  Generator generator(on(store, lease));
  store->failure([] { throw std::runtime_error("gone"); });
  EXPECT_TRUE(comes([&] { return error_of([&] { generator.next_id(); }) != "none"; }));
  store->failure(nullptr);
  EXPECT_TRUE(comes([&] { return error_of([&] { generator.next_id(); }) == "none"; }));
}

// Holds node id 0 in this process by way of another client, once the window of the first holder is over.
class LeasesTakenOver : public StoppedLeases {
 protected:
  LeasesTakenOver() {
    former->next_id();
    way->failure([] { throw std::runtime_error("gone"); });
    lease.acquire_timeout_ms = 20'000;
    std::this_thread::sleep_for(milliseconds(500));
    holder = std::make_unique<Generator>(on(store, lease));
    last = holder->next_id();
  }
  void expect_that_the_holder_goes_on() {
    const auto begin = Steady::now();
    while (since(begin) < milliseconds(1000)) {
      const std::uint64_t id = holder->next_id();
      ASSERT_GT(id, last);
      last = id;
      std::this_thread::sleep_for(milliseconds(20));
    }
    EXPECT_EQ(holder->worker(), 0U);
  }

  LeaseOptions lease = fresh(400);
  const std::shared_ptr<MemoryStore> store = memory();
  const std::shared_ptr<Troubled> way = std::make_shared<Troubled>(store);
  std::unique_ptr<Generator> former = std::make_unique<Generator>(on(way, lease));
  std::unique_ptr<Generator> holder;
  std::uint64_t last = 0;
};

TEST_F(LeasesTakenOver, outlast_the_former_holder) {
  former.reset();
  expect_that_the_holder_goes_on();
}

TEST_F(LeasesTakenOver, outlast_that_the_former_holder_gets_another_one) {
  way->failure(nullptr);
  ASSERT_TRUE(comes([&] { return leases(*store, "polyflake").size() == 2; }));
  expect_that_the_holder_goes_on();
  former.reset();
  expect_that_the_holder_goes_on();
}

TEST_F(LeasedWorkers, recover_from_a_store_that_fails_as_a_generator_does) {
  const auto store = failing();
  LeaseOptions lease = fresh(400);
  lease.renew_wait_ms = 50;
  Generator generator(on(store, lease));
  store->failure([] { throw Error(ErrorCode::forked_generator, "one that the store uses itself"); });
  EXPECT_TRUE(comes([&] { return error_of([&] { generator.next_id(); }) != "none"; }));
  store->failure(nullptr);
  EXPECT_TRUE(comes([&] { return error_of([&] { generator.next_id(); }) == "none"; }));
}

class LeasesInCopies : public StoppedLeases, public testing::WithParamInterface<Fork> {
 protected:
  LeasesInCopies() { std::filesystem::create_directories(home.path()); }

  const std::shared_ptr<Troubled> store =
      std::make_shared<Troubled>(std::make_shared<FileStore>(home.path() + "/leases"));
};

TEST_P(LeasesInCopies, are_other_ones) {
  Generator generator(on(store));
  const std::uint64_t before = generator.next_id();
  const std::string said = in_copy(GetParam(), [&] {
    const std::uint64_t id = generator.next_id();
    generator.next_id();
    return std::to_string(generator.worker()) + (id > before ? " above" : " below") + " forked " +
           std::to_string(store->forked_times());
  });
  EXPECT_EQ(said, "1 above forked 1");
  EXPECT_EQ(generator.worker(), 0U);
  EXPECT_GT(generator.next_id(), before);
  EXPECT_EQ(store->forked_times(), 0);
}

// A store that cannot begin in a copy the first time.
class Unready final : public Store {
 public:
  explicit Unready(std::shared_ptr<Store> store) : store_(std::move(store)) {}
  lease::Contents read(const lease::Read& request) override { return store_->read(request); }
  lease::Answer cas(const lease::Cas& request) override { return store_->cas(request); }
  void forked() override {
    if (!std::exchange(asked_, true)) throw std::runtime_error("not yet");
  }

 private:
  const std::shared_ptr<Store> store_;
  bool asked_ = false;
};

TEST_P(LeasesInCopies, that_could_not_begin_are_tried_again) {
  Generator generator(on(std::make_shared<Unready>(store)));
  const std::uint64_t before = generator.next_id();
  const std::string said = in_copy(GetParam(), [&] {
    const std::string refused = error_of([&] { generator.next_id(); });
    return refused + (generator.next_id() > before ? ", then above" : ", then below");
  });
  EXPECT_EQ(said, "store_unavailable: not yet, then above");
}

TEST_P(LeasesInCopies, of_copies_are_others_again) {
  Generator generator(on(store));
  generator.next_id();
  const std::string said = in_copy(GetParam(), [&] {
    generator.next_id();
    const std::string deeper = in_copy(GetParam(), [&] {
      generator.next_id();
      return std::to_string(generator.worker());
    });
    generator.next_id();
    return std::to_string(generator.worker()) + " " + deeper;
  });
  EXPECT_EQ(said, "1 2");
}

TEST_P(LeasesInCopies, are_to_be_had_after_a_store_that_failed_there) {
  Generator generator(on(store));
  generator.next_id();
  store->fail_when_forked();
  const std::string said = in_copy(GetParam(), [&] {
    const std::string first = error_of([&] { generator.next_id(); });
    generator.next_id();
    return code_in(first) + " " + std::to_string(generator.worker());
  });
  EXPECT_EQ(said, "store_unavailable 1");
}

TEST_P(LeasesInCopies, are_the_originals_to_give_back) {
  Generator generator(on(store));
  generator.next_id();
  const std::string said = in_copy(GetParam(), [&] {
    generator.close();
    return std::to_string(leases(*store, "polyflake").size());
  });
  EXPECT_EQ(said, "1");
  generator.next_id();
}

TEST_P(LeasesInCopies, are_not_to_be_had_from_a_store_in_memory) {
  LeaseOptions lease = fresh();
  lease.renew_wait_ms = 100;
  Generator generator(on(memory(), lease));
  generator.next_id();
  const std::string said = in_copy(GetParam(), [&] { return std::to_string(generator.next_id()); });
  EXPECT_EQ(code_in(said), "store_unavailable") << said;
  generator.next_id();
}

TEST_P(LeasesInCopies, keep_no_process_from_its_end) {
  const auto begin = Steady::now();
  const std::string said = in_copy(GetParam(), [&]() -> std::string {
    auto* const leaked = new Generator(on(store));
    leaked->next_id();
    std::_Exit(leaked->closed() ? 1 : 0);
  });
  EXPECT_EQ(said, "");
  EXPECT_LT(since(begin), milliseconds(5000));
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LeasesInCopies);  // under ThreadSanitizer
INSTANTIATE_TEST_SUITE_P(ByEveryFork, LeasesInCopies, testing::ValuesIn(kForksBesideThreads));

// All that runs at the end of a process runs beside the thread of the lease.
TEST(LeasedWorkersDeathTest, end_with_their_process) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto end = [] {
    auto* const leaked = new Generator(on(memory(), fresh(100)));
    leaked->next_id();
    std::exit(0);
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace polyflake::test

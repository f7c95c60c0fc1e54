// What every source of node ids must hold to. The table of sources, and what to expect of each, is in sources.hpp; built
// twice, as fork_test.cpp is.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "on_source.hpp"

namespace polyflake::test {
namespace {

constexpr std::int64_t kLongMs = 3000;  // longer than any window
const std::size_t kIdsPerTick = std::size_t{1} << kLayout.sequence().width;

#if defined(POLYFLAKE_NO_WIPEONFORK)
constexpr Fork kWaysToCopy[] = {plain_fork};
#else
constexpr Fork kWaysToCopy[] = {plain_fork, bare_fork, raw_clone};
#endif

class ASource : public OnASource, public testing::WithParamInterface<Source> {
 protected:
  ASource() : OnASource(GetParam()) {}
};

// --- one generator --------------------------------------------------------------------------------

class AnySource : public ASource {};

TEST_P(AnySource, gives_ids_that_rise_strictly_whatever_is_called) {
  in_process([&] {
    Generator generator(options());
    std::mt19937_64 random(43);
    Ids ids;
    for (int i = 0; i < 1000; ++i) {
      if (random() % 8 == 0) pass_ms(static_cast<std::int64_t>(random() % 300));
      if (random() % 64 == 0) generator.renew();
      if (i % 3 == 0) {
        ids.push_back(generator.next_id());
      } else if (i % 3 == 1) {
        const Ids batch = generator.next_ids(random() % 40);
        ids.insert(ids.end(), batch.begin(), batch.end());
      } else if (const auto id = generator.try_next_id()) {
        ids.push_back(*id);
      }
    }
    EXPECT_GT(expect_unique({ids}), 5000U);
  });
}

TEST_P(AnySource, opens_without_sleeping_and_its_first_id_comes_after_the_start_of_its_window) {
  in_process([&] {
    const std::int64_t opened_ms = now_ms();
    const auto began = std::chrono::steady_clock::now();
    Generator generator(options());
    EXPECT_EQ(now_ms(), opened_ms) << "sleepers move the clock";
    EXPECT_TRUE(std::chrono::steady_clock::now() == began) << "and threads that wait";
    EXPECT_EQ(generator.try_next_id().has_value(), source.window_ms == 0);
    const std::uint64_t first = generator.next_id();
    EXPECT_GE(time_ms_of(first), opened_ms + source.window_ms);
    EXPECT_LE(time_ms_of(first), now_ms()) << "no id before its time";
    EXPECT_LE(now_ms(), opened_ms + source.window_ms + 1) << "and none waits longer than it must";
  });
}

TEST_P(AnySource, never_waits_where_it_only_tries_and_claims_nothing_then) {
  in_process([&] {
    Generator generator(options());
    std::uint64_t former = generator.next_id();
    pass_ms(1);
    const std::int64_t began_ms = now_ms();
    while (const auto id = generator.try_next_id()) former = *id;
    EXPECT_EQ(generator.stats().issued, 1U + kIdsPerTick);
    EXPECT_EQ(generator.try_next_id(), std::nullopt);
    EXPECT_EQ(generator.stats().issued, 1U + kIdsPerTick);
    EXPECT_EQ(now_ms(), began_ms);
    pass_ms(1);
    EXPECT_EQ(position_of(generator.try_next_id().value_or(former)), position_of(former) + 1);
  });
}

TEST_P(AnySource, gives_a_batch_what_as_many_calls_would_get) {
  in_process([&] {
    Generator generator(options());
    std::uint64_t position = position_of(generator.next_id());
    for (std::size_t n = 0; n < 100; ++n) {
      for (const std::uint64_t id : generator.next_ids(n))
        ASSERT_EQ(position_of(id), ++position) << "in a batch of " << n;
      ASSERT_EQ(position_of(generator.next_id()), ++position);
      ASSERT_EQ(time_ms_of(kLayout.pack(position / kIdsPerTick, 0, 0)), now_ms())
          << "it waits as long as its size needs";
    }
  });
}

TEST_P(AnySource, gives_nothing_to_a_generator_that_was_closed_and_leaves_what_can_be_read) {
  in_process([&] {
    Generator generator(options());
    Claims claims(generator);
    const std::uint64_t node = node_of(generator.next_id());
    pass_ms(1);
    generator.next_ids(kIdsPerTick);
    const std::int64_t waiting = claims.claim();
    ASSERT_LT(waiting, -1);
    EXPECT_FALSE(generator.closed());
    generator.close();
    generator.close();
    EXPECT_TRUE(generator.closed());
    for (int second = 0; second < 4; ++second, pass_ms(1000)) {
      EXPECT_ERROR(generator.next_id(), generator_closed);
      EXPECT_ERROR(generator.try_next_id(), generator_closed);
      EXPECT_ERROR(generator.next_ids(1), generator_closed);
      EXPECT_ERROR(generator.renew(), generator_closed);
      EXPECT_ERROR(claims.wait_ns(static_cast<std::uint64_t>(~waiting), 0), generator_closed);
    }
    EXPECT_EQ(generator.next_ids(0).size(), 0U);
    EXPECT_EQ(generator.worker(), node);
    EXPECT_EQ(generator.stats().issued, 2U + kIdsPerTick);
  });
}

TEST_P(AnySource, tells_its_state_without_issuing) {
  using Name = GeneratorState::Name;
  in_process([&] {
    Generator generator(options());
    EXPECT_EQ(generator.state().name, source.window_ms == 0 ? Name::open : Name::starting);
    EXPECT_EQ(generator.state().code, std::nullopt);
    const std::uint64_t first = generator.next_id();
    EXPECT_EQ(generator.state().name, Name::open);
    EXPECT_EQ(generator.state().code, std::nullopt);
    set_forward(-1);
    EXPECT_EQ(generator.state().name, Name::waiting);
    EXPECT_EQ(generator.state().code, ErrorCode::clock_behind);
    EXPECT_ERROR(generator.next_id(), clock_behind);
    set_forward(1);
    EXPECT_EQ(generator.state().name, Name::open);
    EXPECT_EQ(generator.stats().issued, 1U);
    EXPECT_EQ(position_of(generator.next_id()), position_of(first) + 1);
    generator.close();
    EXPECT_EQ(generator.state().name, Name::closed);
    EXPECT_EQ(generator.state().code, ErrorCode::generator_closed);
  });
}

TEST_P(AnySource, says_its_node_id_and_how_much_it_issued_and_until_when_it_may) {
  in_process([&] {
    Generator generator(options());
    EXPECT_EQ(generator.stats().issued, 0U);
    EXPECT_EQ(generator.stats().lead_ms, 0);
    const std::int64_t opened_ms = now_ms();
    EXPECT_EQ(node_of(generator.next_id()), generator.worker());
    EXPECT_EQ(generator.stats().waits != 0, source.window_ms != 0);
    EXPECT_NEAR(generator.stats().waited_ms, static_cast<double>(now_ms() - opened_ms), 1);
    std::uint64_t issued = 1;
    for (int i = 0; i < 50; ++i, pass_ms(100)) {
      const std::uint64_t id = generator.next_ids(100).back();
      issued += 100;
      EXPECT_EQ(generator.stats().issued, issued);
      EXPECT_EQ(node_of(id), generator.worker());
      EXPECT_GT(generator.stats().until_ms, time_ms_of(id));
    }
    EXPECT_EQ(generator.stats().sequence_exhaustions, 50U * (100 / kIdsPerTick));
    EXPECT_EQ(generator.stats().clock_steps_back, 0U);
    EXPECT_GT(generator.stats().years_left, 50);
  });
}

TEST_P(AnySource, may_be_renewed_which_issues_nothing_and_takes_no_time_from_its_window) {
  in_process([&] {
    Generator generator(options());
    generator.renew();
    std::uint64_t former = generator.next_id();
    for (int i = 0; i < 20; ++i, pass_ms(250)) {
      const Stats before = generator.stats();
      generator.renew();
      EXPECT_EQ(generator.stats().issued, before.issued);
      EXPECT_GE(generator.stats().until_ms, std::max(before.until_ms, now_ms() + source.window_ms));
      const std::uint64_t id = generator.next_id();
      EXPECT_GT(id, former);
      EXPECT_EQ(node_of(id), node_of(former));
      former = id;
    }
  });
}

TEST_P(AnySource, lets_ids_lead_the_clock_as_far_as_agreed_and_never_beyond_its_window) {
  in_process([&] {
    Options leading = options();
    leading.max_lead_ms = source.most_lead_ms;
    Generator generator(leading);
    std::uint64_t last = generator.next_id();
    const std::int64_t began_ms = now_ms();
    while (const auto id = generator.try_next_id()) last = *id;
    EXPECT_EQ(now_ms(), began_ms);
    EXPECT_EQ(time_ms_of(last), began_ms + source.most_lead_ms);
    EXPECT_EQ(generator.stats().lead_ms, source.most_lead_ms);
    EXPECT_GT(generator.stats().until_ms, time_ms_of(last));
    EXPECT_GT(generator.next_id(), last);
    EXPECT_EQ(now_ms(), began_ms + 1);
  });
}

// --- copies of the process ------------------------------------------------------------------------

const std::function<std::uint64_t(Generator&)> kWaysToIssue[] = {
    [](Generator& generator) { return generator.next_id(); },
    [](Generator& generator) { return generator.next_ids(9).back(); },
    [](Generator& generator) {
      std::optional<std::uint64_t> id;
      for (; !id; sleep_ns(1'000'000)) id = generator.try_next_id();
      return *id;
    },
    [](Generator& generator) {
      Claims claims(generator);
      for (;;) {
        const std::int64_t claimed = claims.claim();
        if (claimed >= 0) return static_cast<std::uint64_t>(claimed);
        if (claims.wait_ns(static_cast<std::uint64_t>(~claimed), 0) > 0) sleep_ns(1'000'000);
      }
    },
};

TEST_P(AnySource, gives_a_copy_nothing_under_the_right_of_its_original) {
  in_process([&] {
    Generator generator(options());
    std::uint64_t former = generator.next_id();
    const std::uint64_t node = generator.worker();
    std::uint64_t issued = 1;
    for (const Fork copy : kWaysToCopy) {
      for (const auto& issue : kWaysToIssue) {
        const auto answer_to_inherited = [&] { return answer(node, [&] { return issue(generator); }); };
        const auto answer_to_own = [&] {
          return answer(node, [&] {
            Generator own(options());
            return issue(own);
          });
        };
        EXPECT_EQ(in_copy(copy, answer_to_inherited), source.to_copy);
        EXPECT_EQ(in_copy(copy, answer_to_own), source.to_opening_copy);
        EXPECT_EQ(in_copy(copy, [&] { return in_copy(copy, answer_to_inherited); }), source.to_copy);
        const std::uint64_t id = generator.next_id();
        EXPECT_GT(id, former);
        EXPECT_EQ(node_of(id), node);
        EXPECT_EQ(generator.stats().issued, ++issued) << "the original has lost nothing";
        former = id;
      }
    }
  });
}

TEST_P(AnySource, gives_a_copy_of_a_copy_nothing_under_the_right_of_either) {
  in_process([&] {
    Generator generator(options());
    const std::uint64_t node = generator.worker();  // and issues nothing
    for (const Fork copy : kWaysToCopy) {
      const std::string said = in_copy(copy, [&] {
        const std::string to_copy = answer(node, [&] { return generator.next_id(); });
        const std::uint64_t node_of_copy = generator.worker();
        return to_copy + ", " +
               in_copy(copy, [&] { return answer(node_of_copy, [&] { return generator.next_id(); }); }) + ", " +
               in_copy(copy, [&] { return answer(node, [&] { return generator.next_id(); }); });
      });
      EXPECT_EQ(said, std::string(source.to_copy) + ", " + source.to_copy + ", " + source.to_copy);
    }
  });
}

TEST_P(AnySource, is_not_open_to_a_copy_that_looks_and_closed_to_one_of_a_closed_generator) {
  in_process([&] {
    Generator generator(options());
    generator.next_id();
    for (const Fork copy : kWaysToCopy) {
      const std::string state = in_copy(copy, [&] { return std::string(name_of(generator.state().name)); });
      EXPECT_EQ(state, source.to_copy == std::string("forked_generator") ? "lost" : "starting");
    }
    generator.close();
    for (const Fork copy : kWaysToCopy) {
      EXPECT_EQ(in_copy(copy, [&] { return answer(0, [&] { return generator.next_id(); }); }), "generator_closed");
    }
  });
}

// --- generators of one process --------------------------------------------------------------------

class SharedSource : public ASource {};

TEST_P(SharedSource, is_one_sequence_of_ids_for_all_generators_of_a_process) {
  in_process([&] {
    Generator one(options()), other(options());
    Ids ids;
    for (int i = 0; i < 500; ++i) {
      ids.push_back(one.next_id());
      ids.push_back(other.next_id());
    }
    EXPECT_EQ(expect_unique({ids}), 1000U);
    EXPECT_EQ(one.worker(), other.worker());
    EXPECT_EQ(one.stats().issued, 1000U);
    EXPECT_EQ(other.stats().issued, 1000U);
    one.close();
    EXPECT_GT(other.next_id(), ids.back()) << "closing one leaves the other alone";
  });
}

TEST_P(SharedSource, goes_on_above_the_ids_of_generators_that_are_gone) {
  in_process([&] {
    std::uint64_t former = 0;
    for (int i = 0; i < 1000; ++i) {
      Generator generator(options());
      const std::uint64_t id = generator.next_id();
      ASSERT_GT(id, former);
      ASSERT_TRUE(i == 0 || node_of(id) == node_of(former));
      former = id;
      if (i % 100 == 0) pass_ms(kLongMs);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Contract, SharedSource,
                         testing::ValuesIn(sources_that([](const Source& row) { return row.shared; })),
                         [](const auto& row) { return row.param.name; });

// --- processes after one another ------------------------------------------------------------------

class SuccessiveHolders : public ASource {};

TEST_P(SuccessiveHolders, never_repeat_the_ids_of_one_that_was_killed) {
  std::vector<std::unique_ptr<Sibling>> all;
  for (const std::int64_t gap_ms : {0, 1, 700, 2000, 0, 3000}) {
    all.push_back(process());
    ASSERT_EQ(all.back()->open(), "none") << "the node id is free, or another one is";
    EXPECT_EQ(all.back()->take(), "none");
    all.back()->kill();
    pass_ms(gap_ms);
  }
  std::vector<const Sibling*> everybody;
  for (const auto& one : all) everybody.push_back(one.get());
  EXPECT_EQ(duplicates_of(everybody).size(), 0U);
}

TEST_P(SuccessiveHolders, get_the_node_id_of_one_that_was_killed_again_when_its_window_is_over) {
  const auto one = process(), next = process();
  ASSERT_EQ(one->open(), "none");
  ASSERT_EQ(one->take(), "none");
  const std::string node = one->worker();
  one->kill();
  pass_ms(kLongMs);
  ASSERT_EQ(next->open(), "none");
  const std::int64_t opened_ms = now_ms();
  ASSERT_EQ(next->take(0, 1), "none");
  EXPECT_EQ(next->worker(), node);
  EXPECT_LE(now_ms(), opened_ms + 1) << "there is nothing to wait for";
}

TEST_P(SuccessiveHolders, of_one_process_never_repeat) {
  in_process([&] {
    std::vector<Ids> ids;
    for (int i = 0; i < 20; ++i) {
      ids.emplace_back();
      Generator generator(options());
      for (int n = 0; n < 40; ++n) ids.back().push_back(generator.next_id());
      if (i % 4 == 0) pass_ms(i % 8 == 0 ? 1 : kLongMs);
    }
    EXPECT_EQ(expect_unique(ids), 20U * 40);
  });
}

INSTANTIATE_TEST_SUITE_P(Contract, SuccessiveHolders, testing::ValuesIn(sources_that([](const Source& row) {
                           return row.among != Among::one_generator;
                         })),
                         [](const auto& row) { return row.param.name; });

// --- processes at the same time -------------------------------------------------------------------

TEST_P(AnySource, gives_a_second_process_at_the_same_time_what_its_row_says) {
  const auto one = process(), second = process();
  ASSERT_EQ(one->open(), "none");
  ASSERT_EQ(one->take(0, 1), "none");
  pass_ms(kLongMs);  // it rests, and has the node id all the same
  std::string said = code_in(second->open());
  if (said == "none") said = second->worker() == one->worker() ? kSameNodeId : kAnotherNodeId;
  EXPECT_EQ(said, source.to_second_process);
}

INSTANTIATE_TEST_SUITE_P(Contract, AnySource, testing::ValuesIn(all_sources()),
                         [](const auto& row) { return row.param.name; });

constexpr std::size_t kFew = 5, kMany = 4000;  // ids: not all of a tick; those of 250 ticks

class AllHolders : public ASource {};

TEST_P(AllHolders, never_repeat_an_id_at_the_same_time) {
  const auto one = process(), other = process(), third = process();
  ASSERT_EQ(one->open(), "none");
  other->open();
  third->open();
  for (int i = 0; i < 20; ++i, pass_ms(i % 4 == 0 ? 1000 : 1)) {
    EXPECT_EQ(one->take(0, kFew), "none") << "who came first is not disturbed";
    other->take(0, kFew);
    third->take(0, kFew);
  }
  one->kill();
  for (Sibling* const holder : {other.get(), third.get()}) {
    holder->open();  // once more, for who was refused
    holder->take(0);
    holder->take(1);
  }
  EXPECT_GT(other->ids().size() + third->ids().size(), 0U);
  EXPECT_EQ(duplicates_of({one.get(), other.get(), third.get()}).size(), 0U);
}

TEST_P(AllHolders, never_repeat_the_ids_of_one_that_was_killed_though_the_clock_was_set_back) {
  for (const long seconds : {1L, 2L, 3600L}) {
    const auto one = process(), next = process();
    ASSERT_EQ(one->open(), "none");
    for (int i = 0; i < 10; ++i) ASSERT_EQ(one->take(0, kMany), "none");
    one->kill();
    set_forward(-seconds);
    next->open();
    for (int i = 0; i < 10; ++i) next->take(0, kMany);
    EXPECT_EQ(duplicates_of({one.get(), next.get()}).size(), 0U) << seconds;
    next->kill();
    set_forward(seconds);
    pass_ms(2 * kLongMs);
  }
}

TEST_P(AllHolders, never_repeat_the_ids_with_which_one_led_the_clock_when_it_was_killed) {
  Options leading = options();
  leading.max_lead_ms = source.most_lead_ms;
  Sibling one(leading), next(leading);
  ASSERT_EQ(one.open(), "none");
  for (int i = 0; i < 8; ++i) ASSERT_EQ(one.take(0, kMany), "none");
  one.kill();
  ASSERT_EQ(next.open(), "none");
  for (int i = 0; i < 8; ++i) ASSERT_EQ(next.take(0, kMany), "none");
  EXPECT_EQ(duplicates_of({&one, &next}).size(), 0U);
}

TEST_P(AllHolders, get_a_node_id_that_was_given_back_at_once_and_nothing_is_issued_under_it_afterwards) {
  in_process([&] {
    const auto next = process();
    Generator generator(options());
    Ids ids = generator.next_ids(100);
    pass_ms(1);
    ASSERT_NE(source.given_back, GivenBack::never);
    if (source.given_back == GivenBack::by_closing) generator.close();
    if (source.given_back == GivenBack::by_release_all) {
      release_all();
      EXPECT_ERROR(Generator(options()), generator_closed);
    }
    const std::int64_t given_back_ms = now_ms();
    EXPECT_EQ(next->open(), "none");
    EXPECT_EQ(next->take(0, 100), "none");
    EXPECT_EQ(next->worker(), std::to_string(generator.worker()));
    EXPECT_EQ(time_ms_of(next->ids().front()), given_back_ms);
    for (int second = 0; second < 4; ++second, pass_ms(1000)) {
      EXPECT_EQ(generator.state().name, GeneratorState::Name::closed);
      EXPECT_ERROR(generator.next_id(), generator_closed);
      EXPECT_ERROR(generator.try_next_id(), generator_closed);
      EXPECT_ERROR(generator.next_ids(3), generator_closed);
      EXPECT_ERROR(generator.renew(), generator_closed);
    }
    ids.insert(ids.end(), next->ids().begin(), next->ids().end());
    expect_unique({ids});
  });
}

TEST_P(AllHolders, keep_their_node_id_though_a_copy_of_the_process_gives_all_back) {
  in_process([&] {
    const auto second = process();
    Generator generator(options());
    const std::uint64_t former = generator.next_id();
    for (const Fork copy : kWaysToCopy) {
      const std::string said = in_copy(copy, [&] {
        generator.close();
        release_all();
        return std::string("done");
      });
      EXPECT_EQ(said, "done");
    }
    pass_ms(kLongMs);  // its mark has passed
    std::string said = code_in(second->open());
    if (said == "none") said = second->worker() == std::to_string(generator.worker()) ? kSameNodeId : kAnotherNodeId;
    EXPECT_EQ(said, source.to_second_process);
    for (int i = 0; i < 4; ++i, pass_ms(1000)) {
      EXPECT_GT(generator.next_id(), former);
      EXPECT_EQ(generator.worker(), node_of(former));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Contract, AllHolders, testing::ValuesIn(sources_that([](const Source& row) {
                           return row.among == Among::all_holders;
                         })),
                         [](const auto& row) { return row.param.name; });

// --- what makes a source unusable -----------------------------------------------------------------

struct FaultOfSource {
  Source source;
  Fault fault;
};

void PrintTo(const FaultOfSource& one, std::ostream* out) { *out << one.source.name << ' ' << one.fault.name; }

std::vector<FaultOfSource> faults_of_all_sources() {
  std::vector<FaultOfSource> found;
  for (const Source& source : all_sources()) {
    for (const Fault& fault : source.faults) found.push_back({source, fault});
  }
  return found;
}

class AFault : public OnASource, public testing::WithParamInterface<FaultOfSource> {
 protected:
  AFault() : OnASource(GetParam().source) {}
  const Fault fault = GetParam().fault;
};

TEST_P(AFault, raises_its_code_to_a_holder_by_the_end_of_its_window_and_costs_no_id) {
  in_process([&] {
    const auto next = process();
    auto generator = std::make_unique<Generator>(options());
    Ids ids = generator->next_ids(100);
    const std::int64_t until_ms = generator->stats().until_ms;
    fault.begin(node_file(generator->worker()));
    std::string failure = "none";
    while (failure == "none" && now_ms() < until_ms + kLongMs) {
      failure = code_in(error_of([&] { ids.push_back(generator->next_id()); }));
      pass_ms(50);
    }
    ASSERT_EQ(failure, fault.to_holders);
    if (failure != "none") {
      EXPECT_LT(time_ms_of(ids.back()), until_ms);
      EXPECT_EQ(generator->state().name, GeneratorState::Name::lost);
      EXPECT_EQ(info(generator->state().code.value()).name, failure);
      for (int i = 0; fault.lasts && i < 3; ++i) EXPECT_EQ(code_in(error_of([&] { generator->next_id(); })), failure);
    }
    fault.end();
    const bool by_a_new_one = !source.shared && failure != "none";
    if (by_a_new_one) {
      EXPECT_EQ(code_in(error_of([&] { generator->next_id(); })), failure);
      generator = std::make_unique<Generator>(options());
    }
    Ids later;
    for (int i = 0; i < 100; ++i) later.push_back(generator->next_id());
    EXPECT_TRUE(by_a_new_one || later.front() > ids.back());
    EXPECT_EQ(generator->state().name, GeneratorState::Name::open);
    next->open();
    next->take();
    Ids of_next = next->ids();
    expect_unique({ids, later, of_next});
  });
}

TEST_P(AFault, raises_its_code_to_who_opens_and_passes) {
  std::string node;
  {
    const auto former = process();  // so that there is something to be unusable
    ASSERT_EQ(former->open(), "none");
    ASSERT_EQ(former->take(), "none");
    node = former->worker();
    former->end();
  }
  pass_ms(kLongMs);
  in_process([&] {
    fault.begin(node_file(std::stoull(node)));
    EXPECT_EQ(code_in(error_of([&] { Generator{options()}; })), fault.to_openers);
    EXPECT_EQ(code_in(error_of([&] { Generator{options()}; })), fault.to_openers);
    fault.end();
    Generator generator(options());
    EXPECT_EQ(node_of(generator.next_id()), generator.worker());
  });
}

INSTANTIATE_TEST_SUITE_P(Contract, AFault, testing::ValuesIn(faults_of_all_sources()), [](const auto& row) {
  return std::string(row.param.source.name) + "_" + row.param.fault.name;
});

}  // namespace
}  // namespace polyflake::test

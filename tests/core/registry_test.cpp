// The host registry within one process: its files, its marks, and disks that fail.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>

#include "broken_disk.hpp"
#include "expect_error.hpp"
#include "fresh_home.hpp"
#include "host/registry.hpp"
#include "node_files.hpp"
#include "os/os.hpp"
#include "system.hpp"

namespace polyflake::test {
namespace {

constexpr std::int64_t kNow = 1'767'225'600'000;
const Layout kLayout = "polyflake";
const std::int64_t kWindow = HostReservation::window_ms(kLayout);

class Registries : public testing::Test {
 protected:
  ~Registries() override { g_broken = Broken::none; }

  std::string path(std::uint64_t node) const { return node_path(home.path(), kLayout, node); }
  std::unique_ptr<HostReservation> acquire(std::uint64_t node, std::int64_t now_ms = kNow) const {
    clock.set(now_ms);
    return HostRegistry(home.path(), kLayout, &clock).acquire(node);
  }
  std::unique_ptr<HostReservation> acquire_any(std::int64_t now_ms = kNow) const {
    clock.set(now_ms);
    return HostRegistry(home.path(), kLayout, &clock).acquire([](std::uint64_t) { return false; });
  }
  // Asks for a window that contains this instant; where it ends, or -1 when it may not be had yet.
  std::int64_t extended_ms(HostReservation& node, std::int64_t instant_ms, std::int64_t now_ms) const {
    clock.set(now_ms);
    Grant grant(node.start_tick(), node.until_tick(), 12);
    const Extension extension = node.extend(grant, kLayout.tick_at(instant_ms));
    if (extension == Extension::lost) std::rethrow_exception(node.failure());
    return extension == Extension::done ? kLayout.time_of(grant.until) : -1;
  }
  static std::int64_t start_ms(const HostReservation& node) { return kLayout.time_of(node.start_tick()); }
  static std::int64_t until_ms(const HostReservation& node) { return kLayout.time_of(node.until_tick()); }

  const FreshHome home;
  mutable ManualClock clock{kNow};
};

TEST_F(Registries, keep_one_readable_file_per_node_id) {
  const auto node = acquire(7);
  const std::string slot = newest_slot(path(7));
  EXPECT_EQ(slot.size(), kSlotSize);
  EXPECT_EQ(slot.substr(0, 17), "polyflake-node 2\n");
  EXPECT_EQ(number_in(slot, "count"), 1);
  EXPECT_EQ(number_in(slot, "until_ms"), until_ms(*node));
  EXPECT_NE(slot.find("/" + std::to_string(this_process()) + "\n"), std::string::npos) << slot;
}

TEST_F(Registries, begin_one_window_after_a_folder_was_made) {
  const auto node = acquire(7);
  EXPECT_EQ(start_ms(*node), kNow + kWindow);
  EXPECT_EQ(until_ms(*node), kNow + kWindow) << "nothing is reserved beyond until then";
  EXPECT_EQ(extended_ms(*node, kNow + kWindow, kNow), -1);
  EXPECT_EQ(extended_ms(*node, kNow + kWindow, kNow + kWindow), kNow + 2 * kWindow);
}

TEST_F(Registries, start_a_node_id_that_was_never_used_at_once) {
  acquire(0);
  const std::int64_t later = kNow + kWindow;
  EXPECT_EQ(start_ms(*acquire(1, later)), later);
  EXPECT_EQ(start_ms(*acquire(9, later)), later);
  const auto held = acquire(0, later), one = acquire(1, later), nine = acquire(9, later);
  const auto any = acquire_any(later);
  EXPECT_EQ(any->id(), 10U) << "2 to 8 are below the mark of what was handed out";
  EXPECT_EQ(start_ms(*any), later);
}

void make_blank(const std::string& path) { std::ofstream file(path); }

// As a full disk leaves them: no id was issued under these.
TEST_F(Registries, start_blank_files_of_node_ids_that_were_never_used_at_once) {
  acquire(0);
  for (const std::uint64_t node : {1U, 2U, 3U}) make_blank(path(node));
  const std::int64_t later = kNow + kWindow;
  const auto zero = acquire(0, later), named = acquire(2, later);
  EXPECT_EQ(start_ms(*named), later);
  const auto any = acquire_any(later);
  EXPECT_EQ(any->id(), 3U) << "1 is below the mark of what was handed out";
  EXPECT_EQ(start_ms(*any), later);
  EXPECT_EQ(start_ms(*acquire(1, later)), later + kWindow) << "nobody knows that it was not";
}

TEST_F(Registries, quarantine_a_node_id_whose_file_was_lost) {
  acquire(3);
  ASSERT_TRUE(std::filesystem::remove(path(3)));
  const std::int64_t later = kNow + 3'600'000;
  EXPECT_EQ(start_ms(*acquire(3, later)), later + kWindow);
  EXPECT_EQ(start_ms(*acquire(2, later)), later + kWindow) << "nobody knows that it was not";
}

TEST_F(Registries, start_a_successor_at_the_mark_of_who_died) {
  const std::int64_t until = until_ms(*acquire(7));
  const auto successor = acquire(7, kNow - 3'600'000);
  EXPECT_EQ(start_ms(*successor), until) << "also with the clock set back an hour";
}

TEST_F(Registries, start_a_successor_right_after_the_last_tick_given_back) {
  const std::int64_t last_ms = [&] {
    const auto node = acquire(7);
    node->release(node->start_tick() + 9);
    return start_ms(*node) + 9;
  }();
  EXPECT_EQ(start_ms(*acquire(7)), last_ms + 1);
}

TEST_F(Registries, start_at_the_clock_where_the_mark_has_passed) {
  acquire(7);
  EXPECT_EQ(start_ms(*acquire(7, kNow + 100'000)), kNow + 100'000);
}

TEST_F(Registries, extend_durably_by_one_window_beyond_the_clock) {
  const auto node = acquire(7);
  for (const std::int64_t later : {kWindow, kWindow + 1, 2 * kWindow, 1'000'000 + kWindow}) {
    EXPECT_EQ(extended_ms(*node, kNow + later, kNow + later), kNow + later + kWindow);
    EXPECT_EQ(mark_in(path(7)), kNow + later + kWindow);
  }
}

TEST_F(Registries, never_reserve_an_instant_one_window_ahead_of_the_clock) {
  const auto node = acquire(7);
  const std::int64_t now = kNow + kWindow;
  EXPECT_EQ(extended_ms(*node, now + kWindow - 1, now), now + kWindow);
  EXPECT_EQ(extended_ms(*node, now + kWindow, now), -1);
  EXPECT_EQ(mark_in(path(7)), now + kWindow);
}

TEST_F(Registries, keep_a_mark_that_is_renewed_after_the_clock_went_back) {
  Options options;
  options.worker = "host:7";
  const auto shared = std::make_shared<ManualClock>(kNow);
  options.clock = shared;
  Generator generator(options);
  generator.next_id();
  const std::string file = node_path(home.path() + "/manual-clock", kLayout, 7);
  const std::int64_t mark = mark_in(file), until = generator.stats().until_ms;
  ASSERT_GT(mark, shared->time_ms());
  shared->advance(-3'600'000);
  for (int i = 0; i < 3; ++i) {
    generator.renew();
    EXPECT_EQ(mark_in(file), mark);
    EXPECT_EQ(generator.stats().until_ms, until);
    shared->advance(kWindow);
  }
}

TEST_F(Registries, survive_a_write_torn_at_any_length) {
  std::string before, after;
  std::int64_t mark_before = 0, mark_after = 0;
  {
    const auto node = acquire(7);
    extended_ms(*node, kNow + kWindow, kNow + kWindow);
    before = bytes_of(path(7));
    mark_before = mark_in(path(7));
    extended_ms(*node, kNow + 2 * kWindow, kNow + 2 * kWindow);
    after = bytes_of(path(7));
    mark_after = mark_in(path(7));
  }
  const std::size_t slot = before.compare(0, kSlotSize, after, 0, kSlotSize) != 0 ? kSlotOffsets[0] : kSlotOffsets[1];
  std::size_t old_marks = 0;
  for (std::size_t length = 0; length <= kSlotSize; ++length) {
    overwrite(path(7), before.substr(0, slot) + after.substr(slot, length) + before.substr(slot + length));
    const std::int64_t start = start_ms(*acquire(7));
    ASSERT_TRUE(start == mark_before || start == mark_after) << length;
    old_marks += start == mark_before ? 1 : 0;
  }
  EXPECT_GT(old_marks, 100U);
  EXPECT_LT(old_marks, kSlotSize);
}

TEST_F(Registries, go_by_the_other_slot_when_one_is_corrupt_and_refuse_when_both_are) {
  extended_ms(*acquire(7), kNow + kWindow, kNow + kWindow);
  const std::string intact = bytes_of(path(7));
  for (std::size_t at = 0; at < 200; ++at) {
    for (const std::size_t offset : kSlotOffsets) {
      std::string bytes = intact;
      bytes[offset + at] = static_cast<char>(bytes[offset + at] ^ 1);
      overwrite(path(7), bytes);
      const std::int64_t other =
          number_in(intact.substr(kSlotOffsets[0] + kSlotOffsets[1] - offset, kSlotSize), "until_ms");
      ASSERT_EQ(start_ms(*acquire(7)), other) << at;
      bytes[kSlotOffsets[0] + at] = static_cast<char>(intact[kSlotOffsets[0] + at] ^ 1);
      bytes[kSlotOffsets[1] + at] = static_cast<char>(intact[kSlotOffsets[1] + at] ^ 1);
      overwrite(path(7), bytes);
      const std::string failure = error_of([&] { acquire(7); });
      ASSERT_EQ(code_in(failure), "registry_unusable");
      ASSERT_NE(failure.find(path(7)), std::string::npos) << failure;
    }
  }
}

TEST_F(Registries, step_over_an_unusable_file_when_any_node_id_will_do) {
  acquire(0);
  overwrite(path(0), std::string(kSlotOffsets[1] + kSlotSize, '?'));
  EXPECT_EQ(acquire_any()->id(), 1U);
}

TEST_F(Registries, take_the_lowest_free_node_id_whose_mark_has_passed) {
  acquire(4);
  acquire(9);
  const auto held = acquire(2);
  EXPECT_EQ(acquire_any(kNow + 60'000)->id(), 4U);
  const auto four = acquire(4, kNow + 120'000);
  EXPECT_EQ(acquire_any(kNow + 120'000)->id(), 9U);
}

TEST_F(Registries, quarantine_the_copy_of_a_folder) {
  acquire(7);
  const std::string copy = home.beside("copy");
  std::filesystem::copy(home.path(), copy, std::filesystem::copy_options::recursive);
  const std::int64_t later = kNow + 3'600'000;
  EXPECT_EQ(start_ms(*acquire(7, later)), later) << "the original may go on at once";
  const auto copied = HostRegistry(copy, kLayout, &clock).acquire(7);
  EXPECT_EQ(kLayout.time_of(copied->start_tick()), later + kWindow);
}

TEST_F(Registries, refuse_to_extend_when_the_file_was_removed_or_replaced) {
  const std::int64_t later = kNow + 5 * kWindow;
  acquire(7);
  const auto removed = acquire(7, later);
  ASSERT_EQ(start_ms(*removed), later);
  const std::int64_t safe_until = until_ms(*removed);
  std::error_code refused;
  ASSERT_EQ(std::filesystem::remove(path(7), refused), kHeldFilesCanBeRemoved);
  if (!kHeldFilesCanBeRemoved) return;
  EXPECT_ERROR(extended_ms(*removed, later + kWindow, later + kWindow), registry_unusable);
  const auto replacement = acquire(7, later);
  EXPECT_ERROR(extended_ms(*removed, later + kWindow, later + kWindow), registry_unusable);
  EXPECT_GE(start_ms(*replacement), safe_until) << "windows may not overlap";
}

TEST_F(Registries, refuse_to_extend_when_somebody_else_wrote_the_record) {
  const auto node = acquire(7);
  const std::string stale = bytes_of(path(7));
  extended_ms(*node, kNow + kWindow, kNow + kWindow);
  overwrite(path(7), stale);
  EXPECT_ERROR(extended_ms(*node, kNow + 2 * kWindow, kNow + 2 * kWindow), registry_unusable);
}

TEST_F(Registries, name_the_folder_that_cannot_be_made) {
  const std::string impossible = kImpossibleFolder;
  const std::string failure = error_of([&] { HostRegistry(impossible, kLayout); });
  EXPECT_EQ(code_in(failure), "registry_unusable");
  EXPECT_NE(failure.find(impossible), std::string::npos) << failure;
}

TEST_F(Registries, refuse_a_home_that_is_empty_or_relative) {
  for (const char* const value : {"", "relative/folder", "~/polyflake", " /tmp"}) {
    set_variable("POLYFLAKE_HOME", value);
    EXPECT_ERROR(HostRegistry::default_home(), registry_unusable);
  }
}

TEST_F(Registries, follow_xdg_and_home_when_nothing_is_set) {
  const char* const user_folder = platform::user_folder_variable();
  const std::string before = platform::environment(user_folder).value_or("");
  unset_variable("POLYFLAKE_HOME");
  set_variable(user_folder, kSomewhere);
  set_variable("XDG_STATE_HOME", kElsewhere);
  EXPECT_EQ(HostRegistry::default_home(), platform::inside(kElsewhere, "polyflake"));
  set_variable("XDG_STATE_HOME", "not/absolute");
  EXPECT_EQ(HostRegistry::default_home(), platform::inside(kSomewhere, ".local/state/polyflake"));
  unset_variable("XDG_STATE_HOME");
  unset_variable(user_folder);
  EXPECT_ERROR(HostRegistry::default_home(), registry_unusable);
  set_variable(user_folder, before);
}

TEST_F(Registries, refuse_clocks_before_the_epoch_and_write_nothing) {
  EXPECT_NE(error_of([&] { acquire(7, kLayout.epoch_ms() - 1); }), "none");
  Options options;
  options.worker = "host:7";
  options.clock = std::make_shared<ManualClock>(kLayout.epoch_ms() - 1);
  EXPECT_ERROR(Generator(options), clock_before_epoch);
  EXPECT_EQ(mark_in(path(7)), -1);
}

class BrokenDisks : public Registries, public testing::WithParamInterface<Broken> {
 protected:
  BrokenDisks() {
    options.worker = "host:7";
    options.clock = shared;
  }

  // Generators on a manual clock have a registry apart.
  std::int64_t successor_ms() const {
    clock.set(kNow);
    return start_ms(*HostRegistry(home.path() + "/manual-clock", kLayout, &clock).acquire(7));
  }

  const std::shared_ptr<ManualClock> shared = std::make_shared<ManualClock>(kNow);
  Options options;
};

TEST_P(BrokenDisks, give_no_node_id) {
  g_broken = GetParam();
  EXPECT_ERROR(acquire(7), registry_unusable);
}

TEST_P(BrokenDisks, end_a_generator_at_the_window_that_is_safe_and_no_id_lies_beyond) {
  Generator generator(options);
  generator.next_id();
  const std::int64_t until = generator.stats().until_ms;
  ASSERT_GT(until, shared->time_ms());
  ASSERT_LE(until, shared->time_ms() + kWindow);
  g_broken = GetParam();
  std::uint64_t last = 0;
  std::string failure;
  while (failure.empty()) {
    shared->advance(10);
    try {
      last = generator.next_id();
    } catch (const Error& error) {
      failure = error.code_name();
    }
  }
  EXPECT_EQ(failure, "registry_unusable");
  EXPECT_LE(shared->time_ms(), until);
  EXPECT_GE(shared->time_ms(), until - kWindow / 4) << "it is not asked for sooner than need be";
  EXPECT_EQ(kLayout.unpack(last).time_ms, shared->time_ms() - 10);
  g_broken = Broken::none;
  EXPECT_ERROR(generator.next_id(), registry_unusable);  // what the disk holds is unknown
  EXPECT_GE(successor_ms(), until);
}

TEST_P(BrokenDisks, leave_the_mark_ahead_of_every_id_when_releasing) {
  auto generator = std::make_unique<Generator>(options);
  const std::uint64_t id = generator->next_id();
  g_broken = GetParam();
  generator.reset();
  g_broken = Broken::none;
  EXPECT_GT(successor_ms(), kLayout.unpack(id).time_ms);
}

TEST_F(Registries, let_ids_run_ahead_no_further_than_a_window) {
  Options options;
  options.worker = "host:7";
  options.clock = std::make_shared<ManualClock>(kNow);
  options.max_lead_ms = kWindow - 1;
  EXPECT_ERROR(Generator(options), option_invalid);
  options.max_lead_ms = kWindow - 2;
  options.max_wait_ms = 60'000;
  Generator generator(options);
  generator.next_ids(static_cast<std::size_t>(4096 * (kWindow + 500)));
  EXPECT_EQ(generator.stats().lead_ms, kWindow - 2);
}

TEST_F(Registries, issue_to_the_last_tick_of_a_layout_whose_last_window_cannot_grow) {
  const std::int64_t end_ms = kLayout.time_of(kLayout.end_tick());
  const auto shared = std::make_shared<ManualClock>(end_ms - 3 * kWindow);
  Options options;
  options.worker = "host:7";
  options.clock = shared;
  Generator generator(options);
  std::uint64_t last = 0;
  std::string failure;
  while (failure.empty()) {
    try {
      last = generator.next_id();
      shared->advance(10);
    } catch (const Error& error) {
      failure = error.code_name();
    }
  }
  EXPECT_EQ(failure, "time_exhausted");
  EXPECT_GE(kLayout.unpack(last).time_ms, end_ms - 10);
}

INSTANTIATE_TEST_SUITE_P(All, BrokenDisks, testing::Values(Broken::write, Broken::torn_write, Broken::flush));

}  // namespace
}  // namespace polyflake::test

// A signal handler at any instruction of a call for an id of a kind: it asks for ids of its own, or forks.
#include <polyflake/object_ids.hpp>
#include <polyflake/uuid4.hpp>
#include <polyflake/uuid7.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

#include "forks_in_calls.hpp"
#include "kinds/entropy.hpp"

namespace polyflake::test {
namespace {

using Bytes = std::array<std::uint8_t, 16>;
using Call = Bytes (*)();

Bytes stepped_through(Call call) {
  step_from_here();
  const Bytes result = call();
  step_no_more();
  return result;
}

Uuid7& uuid7() {
  static Uuid7 ids;
  return ids;
}
ObjectIds& object_ids() {
  static ObjectIds ids;
  return ids;
}

Uuid4& uuid4() {
  static Uuid4 ids;
  return ids;
}

Bytes call_uuid7() { return uuid7().next_id().bytes; }
Bytes call_try_uuid7() { return uuid7().try_next_id().value().bytes; }
Bytes call_uuid4() { return uuid4().next_id().bytes; }
Bytes call_object_id() {
  Bytes bytes{};
  const ObjectId id = object_ids().next_id();
  std::copy(id.bytes.begin(), id.bytes.end(), bytes.begin());
  return bytes;
}
// The first one and one that follows it: what comes after takes the same way.
Bytes call_fill() {
  Uuid ids[2];
  uuid7().fill(ids, 2);
  return ids[0].bytes;
}
// So many that they have a stream of their own.
Bytes call_fill_many() {
  Uuid ids[100];
  uuid7().fill(ids, 100);
  return ids[99].bytes;
}
Bytes call_fill_random() {
  static Uuid4 random;
  Uuid ids[50];
  random.fill(ids, 50);
  return ids[0].bytes;
}
Bytes call_bits() { return Uuid::of(entropy::bits(), 0).bytes; }

// --- ids in the handler ----------------------------------------------------------------------------

Call g_call = nullptr;
Bytes g_handlers_result;

void ask_on_step(int, siginfo_t*, void* context) {
  g_steps = g_steps + 1;
  if (g_steps != g_act_at) return;
  g_handlers_result = g_call();
  step_no_more(context);
}

void ask_everywhere(Call call, const std::function<void()>& prepare = [] {}, long stride = 1) {
  const StepHandler handler(ask_on_step);
  g_call = call;
  std::vector<Bytes> all;
  long at = 1;
  for (;; at += stride) {
    prepare();
    g_steps = 0;
    g_act_at = at;
    const Bytes result = stepped_through(call);
    if (g_steps < at) break;
    ASSERT_NE(result, g_handlers_result) << "instruction " << at;
    all.push_back(result);
    all.push_back(g_handlers_result);
  }
  EXPECT_GT(at, 20);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << "an id twice";
}

TEST(Handlers, that_ask_for_ids_get_others) {
  for (const Call call : {call_uuid7, call_uuid4, call_object_id}) {
    call();
    ask_everywhere(call);
  }
  for (const Call call : {call_try_uuid7, call_fill}) {  // they go the ways of next_id()
    call();
    ask_everywhere(call, [] {}, 3);
  }
}

TEST(Handlers, that_ask_for_random_bits_get_others) {
  call_bits();
  ask_everywhere(call_bits);
}

TEST(Handlers, that_ask_for_random_bits_in_a_refill_get_others) {
  const auto use_up = [] {
    for (int i = 0; i < 502; ++i) entropy::bits();
  };
  call_bits();
  long taken = 0;
  ask_everywhere(
      call_bits,
      [&] {
        if (taken++ % 3 != 0) use_up();  // at, before and after the end of the pool
      },
      13);
}

// --- forks in the handler --------------------------------------------------------------------------

// [own_from, own_to): where ids have random bits. So many calls share the places: forks take time, and a call that meets too
// many of them reads its clock again.
constexpr long kCalls = 16;

void fork_everywhere(Call call, std::ptrdiff_t own_from, std::ptrdiff_t own_to, long stride = 1) {
  const StepHandler handler(fork_on_step);
  long differ = 0, longest = 0;
  call();  // the first one of all takes other ways
  const long every = kCalls * stride;
  for (long first = 1; first <= every; first += stride) {
    for (const auto& outcome : forked_in_a_call<Bytes>(first, every, [call] { return stepped_through(call); })) {
      if (outcome.parent == outcome.child) {
        longest = std::max(longest, outcome.left);
        ASSERT_LE(outcome.left, kHandedOut) << "parent and child came to one id, forked at instruction " << outcome.at;
      } else {
        ++differ;
        ASSERT_FALSE(std::equal(outcome.parent.begin() + own_from, outcome.parent.begin() + own_to,
                                outcome.child.begin() + own_from))
            << "the child has random bits of its parent, forked at instruction " << outcome.at;
      }
    }
  }
  std::printf("%ld places where the copy has bits of its own, handed out %ld instructions before the end\n", differ,
              longest);
  EXPECT_GT(differ * stride, 20);
}

TEST(Forks, at_any_instruction_leave_uuids_of_version_7_with_tails_of_their_own) { fork_everywhere(call_uuid7, 9, 16); }
TEST(Forks, at_any_instruction_of_a_try_leave_uuids_with_tails_of_their_own) { fork_everywhere(call_try_uuid7, 9, 16); }
TEST(Forks, at_any_instruction_of_a_fill_leave_uuids_with_tails_of_their_own) { fork_everywhere(call_fill, 9, 16); }
TEST(Forks, at_any_instruction_of_a_long_fill_leave_uuids_with_tails_of_their_own) {
  fork_everywhere(call_fill_many, 9, 16, 23);
}
TEST(Forks, at_any_instruction_of_a_long_fill_leave_uuids_of_version_4_of_their_own) {
  fork_everywhere(call_fill_random, 0, 16, 23);
}
TEST(Forks, at_any_instruction_leave_uuids_of_version_4_of_their_own) { fork_everywhere(call_uuid4, 0, 16); }
TEST(Forks, at_any_instruction_leave_object_ids_with_process_bytes_of_their_own) {
  fork_everywhere(call_object_id, 4, 9);
}

}  // namespace
}  // namespace polyflake::test

#include "open/lease.hpp"

#include <polyflake/clock.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include "issue/current_tick.hpp"
#include "issue/node_table.hpp"
#include "lease/record.hpp"
#include "lease/store_url.hpp"
#include "os/os.hpp"

namespace polyflake::lease {

std::uint64_t SystemRandom::bits() { return word_of(platform::random_hex_128())->low; }

Time system_time() {
  const auto mono = std::chrono::steady_clock::now().time_since_epoch();
  return {SystemClock::read_ms(), std::chrono::duration_cast<std::chrono::milliseconds>(mono).count()};
}

namespace {

// Called with the last owner, the lease or a generator. A holding of another execution may be half
// written, so it is not freed.
void free_current(Current* current) {
  const HeldNodeId* const held = current->load(std::memory_order_acquire);
  if (held != nullptr && held->of_this_execution()) delete held;
  delete current;
}

}  // namespace

Lease::Lease(Layout layout, const LeaseOptions& options, std::string shown)
    : layout_(std::move(layout)),
      options_(options),
      shown_(std::move(shown)),
      current_(new Current(nullptr), free_current) {
  // A layout that is used up requests nothing. At a clock before the layout's epoch the store tells
  // how far the clock is off.
  const std::int64_t now_ms = SystemClock::read_ms();
  if (now_ms >= layout_.epoch_ms()) current_tick(layout_, now_ms);
  current_->store(make_held().release());
}

std::unique_ptr<HeldNodeId> Lease::make_held() {
  ProcessHooks hooks;
  hooks.execution_word = &Execution::word();
  hooks.execution = &Execution::current;
  // One namespace is one space, regardless of the address that leads to it.
  hooks.node = [this](std::uint64_t id) -> Node& {
    return NodeTable::current().find_or_add(layout_, id, to_text(current_->load()->machine().space()->uuid));
  };
  const Settings settings = settings_for(options_, layout_, platform::owner_label());
  return std::make_unique<HeldNodeId>(layout_, settings, random_, std::move(hooks), shown_, options_.renew_wait_ms);
}

void Lease::begin_anew() {
  if (!of_this_execution()) current_->store(make_held().release(), std::memory_order_release);
}

// Short enough for ids to flow again soon after a silence of the store, and for a second command
// within a window.
std::int64_t Lease::command_timeout_ms() const {
  constexpr std::int64_t kLongestMs = 1000;
  const std::int64_t window_ms = status()->window_ms.load(std::memory_order_relaxed);
  return window_ms == 0 ? options_.window_ms / 3 : std::min(window_ms / 3, kLongestMs);
}

std::string Lease::namespace_uuid() const {
  const Node* const node = current_->load(std::memory_order_acquire)->node();
  return node == nullptr ? "" : node->space();
}

Action Lease::poll() {
  HeldNodeId& held = *current_->load();
  if (hurried_.exchange(false, std::memory_order_relaxed)) held.hurry();
  return held.poll(system_time());
}

void Lease::deliver(std::uint64_t number, const Contents& contents) {
  current_->load()->deliver(number, contents, system_time());
}

void Lease::deliver(std::uint64_t number, const Answer& answer) {
  current_->load()->deliver(number, answer, system_time());
}

void Lease::deliver_nothing(std::uint64_t number, const std::string& reason) {
  current_->load()->deliver_nothing(number, reason, system_time());
}

}  // namespace polyflake::lease

#include "count/tickets.hpp"

#include <algorithm>

namespace polyflake::count {
namespace {

constexpr std::int64_t kFirstPauseMs = 1000, kLongestPauseMs = 30'000;
constexpr unsigned kMostDoublings = 5;
constexpr std::uint64_t kGreatest = INT64_MAX;

}  // namespace

std::optional<std::size_t> TicketServers::next(std::int64_t mono_ms) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    const Server& server = servers_[i];
    const bool free = server.is_up(mono_ms) && !server.is_asked;
    if (free && (!best || server.used < servers_[*best].used)) best = i;
  }
  if (!best) return std::nullopt;
  servers_[*best].used = ++calls_;
  servers_[*best].asked_again = false;
  servers_[*best].is_asked = true;
  return *best + 1;
}

TicketServers::Up TicketServers::up(std::int64_t mono_ms) const {
  Up up;
  for (const Server& server : servers_) {
    if (server.is_up(mono_ms)) ++(server.is_asked ? up.asked : up.free);
  }
  return up;
}

TicketServers::Verdict TicketServers::answered(std::size_t server, std::uint64_t number) {
  Server& answering = servers_[server - 1];
  const std::size_t m = servers_.size();
  answering.failures = 0;
  const bool is_own = number != 0 && number <= kGreatest && number % m == server % m;
  if (!is_own && !answering.asked_again) {
    answering.asked_again = true;
    return Verdict::again;
  }
  answering.out_for_good = !is_own || number <= answering.largest;
  if (answering.out_for_good) return is_own ? Verdict::went_back : Verdict::misconfigured;
  answering.largest = number;
  answering.asked_again = false;
  return Verdict::id;
}

void TicketServers::failed(std::size_t server, std::int64_t mono_ms) {
  Server& failing = servers_[server - 1];
  const std::int64_t pause_ms = kFirstPauseMs << std::min(failing.failures++, kMostDoublings);
  failing.out_until = mono_ms + std::min(pause_ms, kLongestPauseMs);
}

}  // namespace polyflake::count

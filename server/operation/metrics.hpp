// Metrics: what the server counts of its requests. metrics_page.hpp shows them.
//
// They are plain integers of the event loop, and the clock is read twice a run of requests, since a
// request costs 0.15 microseconds. They keep no text of a client: a refusal is counted by its code
// if that is known, else as `other`.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "network/run.hpp"

namespace polyflake::server {

// Counts values in buckets.
class Histogram {
 public:
  // bounds: the largest value of each bucket, rising. One more bucket has the values above.
  explicit Histogram(std::vector<double> bounds) : bounds_(std::move(bounds)), counts_(bounds_.size() + 1) {}

  void add(double value, std::uint64_t times);

  const std::vector<double>& bounds() const { return bounds_; }
  const std::vector<std::uint64_t>& counts() const { return counts_; }  // one more than bounds
  double sum() const { return sum_; }

 private:
  std::vector<double> bounds_;
  std::vector<std::uint64_t> counts_;
  double sum_ = 0;
};

// Thread safety: that of the event loop.
class Metrics {
 public:
  using Clock = std::chrono::steady_clock;

  // Requests of one protocol, by their result.
  struct Requests {
    std::uint64_t given = 0;     // got ids
    std::uint64_t answered = 0;  // wanted none
    std::uint64_t refused = 0;
  };

  Metrics();

  // Returns the counts of a protocol. protocol: text that lasts.
  Requests& requests_of(std::string_view protocol) { return protocols_[protocol]; }

  // Counts a request that wanted no ids. code: of its refusal, "" if it was answered.
  void count_answer(Requests& requests, std::string_view code);
  // Counts the requests of a run, all of which have their reply. since: when they had arrived.
  void count_run(Requests& requests, const Run& run, Clock::time_point since);

  void connected() { ++connections_; }
  void disconnected() { --connections_; }
  void turned_away() { ++turned_away_; }

  using ByName = std::map<std::string_view, std::uint64_t>;
  const std::map<std::string_view, Requests>& protocols() const { return protocols_; }
  const ByName& refusals() const { return refusals_; }  // each code that is known, and `other`
  const Histogram& seconds() const { return seconds_; }
  const Histogram& ids() const { return ids_; }
  std::uint64_t connections() const { return connections_; }
  std::uint64_t all_turned_away() const { return turned_away_; }

 private:
  void count_refused(Requests& requests, std::string_view code, std::uint64_t times);

  std::map<std::string_view, Requests> protocols_;
  ByName refusals_;
  Histogram seconds_;
  Histogram ids_;  // that a request wanted
  std::uint64_t connections_ = 0;
  std::uint64_t turned_away_ = 0;
};

}  // namespace polyflake::server

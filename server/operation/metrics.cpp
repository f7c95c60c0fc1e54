#include "operation/metrics.hpp"

#include <algorithm>

#include "ids/refusal.hpp"

namespace polyflake::server {
void Histogram::add(double value, std::uint64_t times) {
  const auto bucket = std::lower_bound(bounds_.begin(), bounds_.end(), value) - bounds_.begin();
  counts_[static_cast<std::size_t>(bucket)] += times;
  sum_ += value * static_cast<double>(times);
}

Metrics::Metrics()
    : seconds_({1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1, 3, 10}),
      ids_({1, 3, 10, 30, 100, 300, 1000, 3000, 10'000, 30'000, 100'000}) {
  for (const std::string_view code : refusal_codes()) refusals_[code] = 0;
  for (const std::string_view protocol : {"http", "resp", "thrift"}) requests_of(protocol);
}

void Metrics::count_answer(Requests& requests, std::string_view code) {
  if (code.empty()) ++requests.answered;
  else count_refused(requests, code, 1);
}

void Metrics::count_run(Requests& requests, const Run& run, Clock::time_point since) {
  if (run.empty()) return;
  const std::vector<Request>& all = run.requests();
  requests.given += all.size() - run.refused();
  if (run.refused() != 0) count_refused(requests, run.code(), run.refused());
  seconds_.add(std::chrono::duration<double>(Clock::now() - since).count(), all.size());
  if (run.ids() == all.size()) return ids_.add(1, all.size());
  for (const Request& one : all) ids_.add(one.ids, 1);
}

void Metrics::count_refused(Requests& requests, std::string_view code, std::uint64_t times) {
  requests.refused += times;
  refusals_[known_code(code)] += times;
}

}  // namespace polyflake::server

// The page of metrics counts runs of requests, also those that no test can wait for.
#include "operation/metrics_page.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "resp/resp.hpp"
#include "served_numbers.hpp"

namespace polyflake::server::test {
namespace {

TEST(MetricsTest, a_request_slower_than_all_buckets_is_counted) {
  ServedNumbers served;
  served.generator("orders", 1);
  Resp protocol(served.service);
  Request request;
  request.queue = served.service.generator("orders");
  request.ids = 1;
  server::Run run;
  run.begin();
  run.add(protocol, request);
  Metrics& metrics = served.service.metrics();
  metrics.count_run(metrics.requests_of("resp"), run, Metrics::Clock::now() - std::chrono::minutes(1));
  const std::string page = metrics_page(served.service);
  for (const char* const line : {"request_seconds_bucket{le=\"10\"} 0\n", "request_seconds_bucket{le=\"+Inf\"} 1\n",
                                 "request_seconds_count 1\n"}) {
    EXPECT_NE(page.find(line), std::string::npos) << line << page;
  }
}

}  // namespace
}  // namespace polyflake::server::test

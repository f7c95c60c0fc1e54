#include "operation/metrics_page.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <map>
#include <utility>

#include <polyflake/clock.hpp>
#include <polyflake/version.hpp>

namespace polyflake::server {
namespace {

using Label = std::pair<std::string_view, std::string_view>;

void append(double value, std::string& out) {
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// One metric of the page: its head, then its lines. No label needs an escape.
class Metric {
 public:
  Metric(std::string_view name, std::string_view type, std::string_view help, std::string& out)
      : name_("polyflaked_" + std::string(name)), out_(out) {
    out_.append("# HELP ").append(name_).append(" ").append(help).append("\n# TYPE ");
    out_.append(name_).append(" ").append(type) += '\n';
  }

  void line(std::initializer_list<Label> labels, double value, std::string_view suffix = "") {
    out_.append(name_).append(suffix);
    char sign = '{';
    for (const auto& [label, text] : labels) {
      out_.append(1, sign).append(label).append("=\"").append(text) += '"';
      sign = ',';
    }
    if (labels.size() != 0) out_ += '}';
    out_ += ' ';
    append(value, out_);
    out_ += '\n';
  }
  void line(std::initializer_list<Label> labels, std::uint64_t value, std::string_view suffix = "") {
    line(labels, static_cast<double>(value), suffix);
  }

  void buckets(const Histogram& histogram) {
    std::uint64_t so_far = 0;
    for (std::size_t i = 0; i < histogram.bounds().size(); ++i) {
      so_far += histogram.counts()[i];
      std::string bound;
      append(histogram.bounds()[i], bound);
      line({{"le", bound}}, so_far, "_bucket");
    }
    so_far += histogram.counts().back();
    line({{"le", "+Inf"}}, so_far, "_bucket");
    line({}, histogram.sum(), "_sum");
    line({}, so_far, "_count");
  }

 private:
  const std::string name_;
  std::string& out_;
};

void add_requests(const Metrics& metrics, std::string& out) {
  Metric requests("requests_total", "counter", "Requests by protocol: given ids, answered without, refused.", out);
  for (const auto& [protocol, count] : metrics.protocols()) {
    requests.line({{"protocol", protocol}, {"result", "given"}}, count.given);
    requests.line({{"protocol", protocol}, {"result", "answered"}}, count.answered);
    requests.line({{"protocol", protocol}, {"result", "refused"}}, count.refused);
  }
  Metric refusals("refusals_total", "counter", "Refused requests by the code of the reason.", out);
  for (const auto& [code, count] : metrics.refusals()) refusals.line({{"reason", code}}, count);
  Metric("request_seconds", "histogram", "From the arrival of a request for ids to its reply.", out)
      .buckets(metrics.seconds());
  Metric("batch_ids", "histogram", "How many ids a request wanted.", out).buckets(metrics.ids());
}

void add_connections(const Metrics& metrics, std::string& out) {
  Metric("connections", "gauge", "Open connections, those that are being refused included.", out)
      .line({}, metrics.connections());
  Metric("connections_refused_total", "counter", "Connections beyond max_connections.", out)
      .line({}, metrics.all_turned_away());
}

void add_ids(const Service& service, std::string& out) {
  Metric ids("ids_total", "counter", "Ids given by a generator.", out);
  for (const auto& [name, queue] : service.generators()) ids.line({{"generator", name}}, queue->given());
  Metric numbers("numbers_total", "counter", "Numbers given by a counter.", out);
  for (const auto& [name, queue] : service.counters()) numbers.line({{"counter", name}}, queue->given());
}

void add_windows(const Service& service, std::string& out) {
  const std::int64_t now_ms = SystemClock::read_ms();
  Metric remaining("window_remaining_seconds", "gauge", "Until ids end unless the window is renewed.", out);
  for (const auto& [name, queue] : service.generators()) {
    const std::int64_t until_ms = queue->source().state().until_ms;
    if (until_ms == 0) continue;  // a number as its worker
    remaining.line({{"generator", name}}, static_cast<double>(std::max<std::int64_t>(until_ms - now_ms, 0)) / 1000);
  }
}

void add_renewals(const Service& service, std::string& out) {
  std::map<std::string_view, Source::Renewals> all;
  for (const auto& [name, queue] : service.generators()) all.emplace(name, queue->source().renewals());
  Metric seconds("renewal_seconds", "summary", "Time that the keeper took to renew windows of this host.", out);
  for (const auto& [name, of] : all) {
    seconds.line({{"generator", name}}, of.kept_seconds, "_sum");
    seconds.line({{"generator", name}}, of.kept, "_count");
  }
  Metric renewals("lease_renewals_total", "counter", "Renewals of a lease that its store confirmed.", out);
  for (const auto& [name, of] : all) renewals.line({{"generator", name}}, of.confirmed);
  Metric failures("store_failures_total", "counter", "Requests that the store of a lease did not answer.", out);
  for (const auto& [name, of] : all) failures.line({{"generator", name}}, of.failed);
}

}  // namespace

std::string metrics_page(const Service& service) {
  std::string page;
  add_requests(service.metrics(), page);
  add_connections(service.metrics(), page);
  add_ids(service, page);
  add_windows(service, page);
  add_renewals(service, page);
  Metric("ready", "gauge", "1 if /readyz is 200.", page).line({}, std::uint64_t{service.ready()});
  Metric("build_info", "gauge", "The version, as a label.", page).line({{"version", POLYFLAKE_VERSION}}, 1.0);
  return page;
}

}  // namespace polyflake::server

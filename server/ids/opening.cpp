#include "ids/opening.hpp"

#include <utility>

#include <polyflake/carrier.hpp>
#include <polyflake/options.hpp>
#include <polyflake/store_url.hpp>

#include "ids/counter_source.hpp"
#include "ids/generator_source.hpp"
#include "ids/store_carrier.hpp"

namespace polyflake::server {
namespace {

// Each source has a store of its own: calls of a store follow one another. The configuration has
// only kinds of stores that are known here.
std::shared_ptr<CarriedStore> store_of(const lease::StoreUrl& url) {
  return carried_store(url.kind, url.wanted.name, store_carrier(url), url.wanted.schema);
}

std::unique_ptr<Source> open_generator(const GeneratorConfiguration& configuration, const Limits& limits) {
  Options options;
  options.layout = configuration.layout;
  options.worker = configuration.worker;
  if (!configuration.store.empty()) {
    const lease::StoreUrl url = lease::parse_store_url(configuration.store);
    options.worker = Worker(store_of(url), url.wanted.options);
  }
  // A request may wait so long for a clock that was set back, too.
  options.max_wait_ms = limits.max_wait_ms;
  return std::make_unique<GeneratorSource>(options, configuration.by_host);
}

std::unique_ptr<Source> open_counter(const CounterConfiguration& configuration, const Limits& limits) {
  return std::make_unique<CounterSource>(store_of(lease::parse_store_url(configuration.store)), configuration.options,
                                         limits.max_wait_ms);
}

}  // namespace

Opening::Opening(const Configuration& configuration, std::function<void()> done)
    : thread_([this, &configuration, done = std::move(done)] {
        try {
          run(configuration);
        } catch (...) {
          failure_ = std::current_exception();
        }
        done();
      }) {}

Opening::~Opening() {
  if (thread_.joinable()) thread_.join();
}

void Opening::run(const Configuration& configuration) {
  for (const GeneratorConfiguration& one : configuration.generators) keep(open_generator(one, configuration.limits));
  for (const CounterConfiguration& one : configuration.counters) keep(open_counter(one, configuration.limits));
}

void Opening::keep(std::unique_ptr<Source> source) {
  const std::lock_guard<std::mutex> lock(mutex_);
  opened_.push_back(std::move(source));
}

Opening::Sources Opening::finish() {
  thread_.join();
  if (failure_) {
    close_all();
    std::rethrow_exception(failure_);
  }
  return std::move(opened_);
}

// Keeps the lock, so nothing is opened after that. A source that is being opened is not given back:
// its node id is free once its window is over.
void Opening::give_back() noexcept {
  mutex_.lock();
  close_all();
}

void Opening::close_all() noexcept {
  for (const std::unique_ptr<Source>& source : opened_) source->close();
}

}  // namespace polyflake::server

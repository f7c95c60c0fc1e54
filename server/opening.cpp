#include "opening.hpp"

#include <polyflake/carrier.hpp>
#include <polyflake/options.hpp>
#include <polyflake/redis_carrier.hpp>
#include <polyflake/store_url.hpp>

#include "counter_source.hpp"
#include "generator_source.hpp"

namespace polyflake::server {
namespace {

// Each source has a store of its own: calls of a store follow one another. The configuration has
// only kinds of stores that are known here.
std::shared_ptr<CarriedStore> store_of(const lease::StoreUrl& url) {
  return carried_store(url.kind, url.wanted.name, std::make_shared<RedisCarrier>(url.client), url.wanted.schema);
}

}  // namespace

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

std::unique_ptr<Source> open_counter(const CounterConfiguration& configuration) {
  return std::make_unique<CounterSource>(store_of(lease::parse_store_url(configuration.store)), configuration.options);
}

}  // namespace polyflake::server

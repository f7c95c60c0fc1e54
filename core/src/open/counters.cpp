// Tasks of operators on a counter in a C++ store, carried out by the calling thread.
#include <polyflake/counters.hpp>

#include <polyflake/error.hpp>

#include <chrono>
#include <exception>
#include <thread>

#include "count/listing.hpp"
#include "count/task.hpp"
#include "open/counter.hpp"
#include "open/lease.hpp"
#include "open/operators_task.hpp"

namespace polyflake {
namespace {

void carry_out(CounterStore& store, const std::string& name, count::Task& task) {
  const OperatorsTask on;
  using Kind = count::Action::Kind;
  for (;;) {
    const count::Action action = task.next(lease::system_time());
    if (action.kind == Kind::done) return;
    try {
      if (action.kind == Kind::sleep) {
        std::this_thread::sleep_for(std::chrono::milliseconds(action.mono_ms - lease::system_time().mono_ms));
      } else if (action.kind == Kind::read) {
        task.deliver(store.read_counter(name));
      } else {
        task.deliver(store.write_head(action.head));
      }
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      task.deliver_nothing(error.what());
    }
  }
}

}  // namespace

void init_counter(CounterStore& store, const std::string& name, std::uint64_t after, const CounterOptions& options) {
  lease::SystemRandom random;
  count::InitTask task(name, after, options, count::periods_of, count::own_label(), random);
  carry_out(store, name, task);
}

void raise_counter(CounterStore& store, const std::string& name, std::uint64_t after,
                   std::optional<std::uint64_t> period) {
  lease::SystemRandom random;
  count::RaiseTask task(name, after, period, count::periods_of, count::own_label(), random);
  carry_out(store, name, task);
}

std::vector<CounterState> counters(CounterStore& store) {
  const OperatorsTask on;
  count::Listing listing("");
  for (;;) {
    const count::Listing::Request request = listing.next();
    if (request.kind == count::Listing::Kind::done) return listing.states();
    count::carry_out(request, store, listing);
  }
}

}  // namespace polyflake

// Tasks of operators on a namespace in a C++ store, carried out by the calling thread.
#include <polyflake/namespaces.hpp>

#include <polyflake/error.hpp>

#include <chrono>
#include <exception>
#include <string>
#include <thread>

#include "lease/record.hpp"
#include "lease/store_url.hpp"
#include "lease/task.hpp"
#include "open/lease.hpp"
#include "open/operators_task.hpp"

namespace polyflake {
namespace {

void carry_out(Store& store, lease::Task& task) {
  const OperatorsTask on;
  using Kind = lease::Action::Kind;
  for (;;) {
    const lease::Action action = task.next(lease::system_time());
    if (action.kind == Kind::done) return;
    try {
      if (action.kind == Kind::sleep) {
        std::this_thread::sleep_for(std::chrono::milliseconds(action.mono_ms - lease::system_time().mono_ms));
      } else if (action.kind == Kind::read) {
        task.deliver(store.read(action.read));
      } else {
        task.deliver(store.cas(action.cas));
      }
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      task.deliver_nothing(error.what(), lease::system_time());
    }
  }
}

}  // namespace

std::string init_namespace(Store& store, const Layout& layout, const LeaseOptions& options, bool fresh) {
  lease::SystemRandom random;
  lease::InitTask task(lease::settings_for(options, layout, ""), fresh, random);
  carry_out(store, task);
  return lease::to_text(*task.uuid());
}

void raise_floor(Store& store, const Layout& layout, std::int64_t unix_ms, bool lower) {
  lease::SystemRandom random;
  lease::RaiseFloorTask task(layout, unix_ms, lower, random);
  carry_out(store, task);
}

std::vector<LeaseInfo> leases(Store& store, const Layout& layout) {
  lease::LeasesTask task(lease::settings_of(layout));
  carry_out(store, task);
  return task.held();
}

}  // namespace polyflake

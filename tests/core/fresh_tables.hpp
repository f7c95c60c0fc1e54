// The records of a store that keeps them in tables, with a namespace from which nothing was handed out yet.
#pragma once

#include <polyflake/layout.hpp>
#include <polyflake/lease.hpp>
#include <polyflake/store.hpp>

#include "lease/store_url.hpp"
#include "lease/task.hpp"
#include "open/lease.hpp"

namespace polyflake::lease {

inline constexpr char kReign[] = "first";  // the incarnation of the store

inline Tables fresh_tables(const Layout& layout, const LeaseOptions& options = {}) {
  SystemRandom random;
  Tables tables;
  InitTask task(settings_for(options, layout, ""), true, random);
  task.deliver(tables.read(task.next(system_time()).read, kReign, {}));
  const Cas request = task.next(system_time()).cas;
  task.deliver(Answer{tables.step(request, kReign, {}), request.echo, {}});
  return tables;
}

}  // namespace polyflake::lease

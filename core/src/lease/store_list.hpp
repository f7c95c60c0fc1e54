// The stores that an address can name, in the order in which they are listed: the one list of them.
// Each is defined in the source of its name in core/src/lease. CMake reads this list, too.
#pragma once

#define POLYFLAKE_STORES(EACH) \
  EACH(redis)                  \
  EACH(zookeeper)              \
  EACH(etcd)                   \
  EACH(postgresql)             \
  EACH(mysql)                  \
  EACH(memory)

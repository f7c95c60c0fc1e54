// The kinds of ids of this library, in the order in which they are listed: the one list of them.
// Each is defined in the source of its name in core/src/kinds. CMake reads this list, too.
#pragma once

#define POLYFLAKE_KINDS(EACH) \
  EACH(snowflake)             \
  EACH(uuid7)                 \
  EACH(uuid4)                 \
  EACH(objectid)              \
  EACH(segment)               \
  EACH(date)                  \
  EACH(ticket)

// The commands of the program, in the order of its help: the one list of them. CMake reads it, too.
//
#pragma once

#define POLYFLAKE_COMMANDS(EACH) \
  EACH(next)                     \
  EACH(inspect)                  \
  EACH(encode)                   \
  EACH(decode)                   \
  EACH(range)                    \
  EACH(layout)                   \
  EACH(presets)                  \
  EACH(diff)                     \
  EACH(key)                      \
  EACH(seal)                     \
  EACH(unseal)                   \
  EACH(leases)                   \
  EACH(init)                     \
  EACH(raise_floor)              \
  EACH(counters)                 \
  EACH(raise_counter)            \
  EACH(bench)                    \
  EACH(doctor)                   \
  EACH(completion)               \
  EACH(man)

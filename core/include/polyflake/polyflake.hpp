// Polyflake: 64-bit, time-ordered ids that are never equal. Start here.
//
//   #include <polyflake/polyflake.hpp>
//
//   polyflake::Generator generator;
//   std::uint64_t id = generator.next_id();
//   polyflake::Parts parts = generator.layout().unpack(id);
//
// generator.hpp  Generator, Options, Stats: issuing ids
// layout.hpp     Layout, Parts: which bits mean what, presets, packing and unpacking
// worker.hpp     Worker: where the node id comes from
// text.hpp       ids as decimal and hexadecimal text
// clock.hpp      SystemClock, and ManualClock for tests
// error.hpp      Error and the one table of codes
// shortcuts.hpp  next_id(), next_id_string(), decode(): the default generator and layout
// detail/        what the inline fast path stands on: no promise
#pragma once

#include <polyflake/clock.hpp>
#include <polyflake/error.hpp>
#include <polyflake/generator.hpp>
#include <polyflake/detail/grant.hpp>
#include <polyflake/layout.hpp>
#include <polyflake/shortcuts.hpp>
#include <polyflake/detail/node.hpp>
#include <polyflake/text.hpp>
#include <polyflake/detail/tick_cache.hpp>
#include <polyflake/version.hpp>
#include <polyflake/worker.hpp>

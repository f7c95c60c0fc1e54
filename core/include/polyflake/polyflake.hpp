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
// grant.hpp, state.hpp, turn.hpp, tick_cache.hpp: what generators stand on; read them to understand, not to use
#pragma once

#include <polyflake/clock.hpp>
#include <polyflake/error.hpp>
#include <polyflake/generator.hpp>
#include <polyflake/grant.hpp>
#include <polyflake/layout.hpp>
#include <polyflake/shortcuts.hpp>
#include <polyflake/state.hpp>
#include <polyflake/text.hpp>
#include <polyflake/tick_cache.hpp>
#include <polyflake/turn.hpp>
#include <polyflake/version.hpp>
#include <polyflake/worker.hpp>

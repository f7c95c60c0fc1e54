// Polyflake: 64-bit, time-ordered ids that are never equal. Start here.
//
//   #include <polyflake/polyflake.hpp>
//
//   polyflake::Generator generator;
//   std::uint64_t id = generator.next_id();
//   polyflake::Parts parts = generator.layout().unpack(id);
//
// generator.hpp  Generator: issues ids
// stats.hpp      Stats: the counters and the present state of a generator
// options.hpp    Options: the settings of a generator
// worker.hpp     Worker: the source of the node id
// lease.hpp      leases: node ids from a store that hosts share; namespaces.hpp: an operator's
//                functions for it; store.hpp: the interface of a store; memory_store.hpp,
//                host_store.hpp: two stores; carrier.hpp, command.hpp: stores over a client of
//                yours; redis_carrier.hpp: one, of the library polyflake::redis, which is not
//                included here; store_url.hpp: addresses of stores
// segment.hpp    Segment: numbers of a counter that hosts share; counter_options.hpp, counters.hpp:
//                make one, list them; counter_store.hpp: the interface of its store
// date_ids.hpp   DateIds: numbers that begin with the date; date_numbers.hpp: their texts
// registry_contents.hpp  the holders of the `host` node ids of this host
// layout.hpp     Layout, Parts: the meaning of the bits, presets, packing and unpacking
// codec.hpp      Codec: ids as short text that sorts; text.hpp: a single id as text
// friendly.hpp   ids as text that people read; explain.hpp: the systems an id may be from
// instant.hpp    instants as text, RFC 3339
// sqids.hpp      Sqids: a list of ids as one short text; hashids.hpp: Hashids, for existing texts
// seal.hpp       Seal: private ids. Not included here: it belongs to the library polyflake::seal
// uuid.hpp       UUIDs and 63-bit ids as UUIDs; object_id.hpp: MongoDB's ids; kind_text.hpp: texts
//                that name a kind
// id_source.hpp  the interface of all sources of ids. The sources of other kinds are not included
//                here: they belong to the library polyflake::kinds: kinds.hpp (by name), and a
//                header for each, such as uuid7.hpp
// clock.hpp      SystemClock, and ManualClock for tests
// error.hpp      Error and the table of codes
// shortcuts.hpp  next_id(), next_id_string(), decode(): the default generator and layout
// claims.hpp     Claims: for callers that wait in their own way; process.hpp: for programs that end
//                in unusual ways
// detail/        parts of the inline fast path; may change at any time
#pragma once

#include <polyflake/carrier.hpp>
#include <polyflake/claims.hpp>
#include <polyflake/clock.hpp>
#include <polyflake/codec.hpp>
#include <polyflake/command.hpp>
#include <polyflake/counter_options.hpp>
#include <polyflake/counter_state.hpp>
#include <polyflake/counter_store.hpp>
#include <polyflake/counters.hpp>
#include <polyflake/date_ids.hpp>
#include <polyflake/date_numbers.hpp>
#include <polyflake/error.hpp>
#include <polyflake/explain.hpp>
#include <polyflake/friendly.hpp>
#include <polyflake/generator.hpp>
#include <polyflake/hashids.hpp>
#include <polyflake/host_store.hpp>
#include <polyflake/id_source.hpp>
#include <polyflake/instant.hpp>
#include <polyflake/kind_text.hpp>
#include <polyflake/layout.hpp>
#include <polyflake/lease.hpp>
#include <polyflake/memory_store.hpp>
#include <polyflake/namespaces.hpp>
#include <polyflake/object_id.hpp>
#include <polyflake/options.hpp>
#include <polyflake/process.hpp>
#include <polyflake/registry_contents.hpp>
#include <polyflake/segment.hpp>
#include <polyflake/shortcuts.hpp>
#include <polyflake/sqids.hpp>
#include <polyflake/stats.hpp>
#include <polyflake/store.hpp>
#include <polyflake/store_url.hpp>
#include <polyflake/text.hpp>
#include <polyflake/uuid.hpp>
#include <polyflake/version.hpp>
#include <polyflake/worker.hpp>

// Polyflake: 64-bit, time-ordered ids that are never equal. Start here.
//
//   #include <polyflake/polyflake.hpp>
//
//   polyflake::Generator generator;
//   std::uint64_t id = generator.next_id();
//   polyflake::Parts parts = generator.layout().unpack(id);
//
// generator.hpp  Generator: issuing ids
// stats.hpp      Stats: what a generator did so far, and where it stands
// options.hpp    Options: what a generator is opened with
// worker.hpp     Worker: where the node id comes from
// lease.hpp      leases: node ids from a store that hosts share; namespaces.hpp: what operators do there;
//                store.hpp: how to write a store; memory_store.hpp, host_store.hpp: two of them
// registry_contents.hpp  who holds the `host` node ids of this host
// layout.hpp     Layout, Parts: which bits mean what, presets, packing and unpacking
// codec.hpp      Codec: ids as short text that sorts; text.hpp: a single one
// friendly.hpp   ids as text that people read; explain.hpp: which system an id is from
// instant.hpp    instants as text, RFC 3339
// sqids.hpp      Sqids: a list of ids as one short text; hashids.hpp: Hashids, for those who have such texts
// seal.hpp       Seal: private ids; apart, since it is a library of its own, polyflake::seal
// uuid.hpp       UUIDs and 63-bit ids as UUIDs; object_id.hpp: MongoDB's ids; kind_text.hpp: texts that name a kind
// id_source.hpp  what all sources of ids have in common. The sources of other kinds stand apart, since they are a library of
//                their own, polyflake::kinds: kinds.hpp (by name), uuid7.hpp, uuid4.hpp, object_ids.hpp
// clock.hpp      SystemClock, and ManualClock for tests
// error.hpp      Error and the one table of codes
// shortcuts.hpp  next_id(), next_id_string(), decode(): the default generator and layout
// claims.hpp     Claims: for callers that wait in their own way; process.hpp: for programs that end in unusual ways
// detail/        what the inline fast path stands on; no promise
#pragma once

#include <polyflake/claims.hpp>
#include <polyflake/clock.hpp>
#include <polyflake/codec.hpp>
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
#include <polyflake/shortcuts.hpp>
#include <polyflake/sqids.hpp>
#include <polyflake/stats.hpp>
#include <polyflake/store.hpp>
#include <polyflake/text.hpp>
#include <polyflake/uuid.hpp>
#include <polyflake/version.hpp>
#include <polyflake/worker.hpp>

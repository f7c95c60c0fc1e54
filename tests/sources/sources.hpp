// Every source of node ids that a generator can be opened with, and what is to be expected of it: one row a source.
#pragma once

#include <polyflake/polyflake.hpp>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "../core/node_files.hpp"
#include "../faults/system_calls.hpp"
#include "stores_on_test_clock.hpp"

namespace polyflake::test {

// What makes a source unusable, and what comes of it.
struct Fault {
  const char* name;
  const char* to_holders;  // the code that who has a node id gets by the end of its window, "none"
  const char* to_openers;  // the code that who asks for a node id meanwhile gets, "none"
  bool lasts;              // until end(); else it is over at once
  void (*begin)(const std::string& node_file);
  void (*end)();
};

// Whose ids never repeat, whatever becomes of processes and clocks.
enum class Among {
  one_generator,       // nobody else is known of
  successive_holders,  // processes of which one begins when the other has ended, while the clock goes on
  all_holders,
};

// When others may have the node id again, though the process goes on.
enum class GivenBack { never, by_release_all, by_closing };

// What comes of a call in words of the row: a code, or whose node id its id has.
constexpr const char* kSameNodeId = "the same node id";
constexpr const char* kAnotherNodeId = "another node id";

struct Source {
  const char* name;
  Worker worker;
  bool on_manual_clock;
  Among among;
  bool shared;             // all generators of a process have one node
  std::int64_t window_ms;  // where nobody asked before, the first id comes so long after the opening
  std::int64_t most_lead_ms;
  const char* to_second_process;  // what a process gets that asks while another one holds a node id
  const char* to_copy;            // what a copy of a process gets from the generator that it inherited
  const char* to_opening_copy;    // and from one that it opens
  GivenBack given_back;
  std::vector<Fault> faults;
  // A lease of the store that belongs to the folder of the test; null: none.
  std::shared_ptr<Store> (*store)(const std::string& folder) = nullptr;
};

inline void PrintTo(const Source& source, std::ostream* out) { *out << source.name; }

// --- what can happen to a registry ----------------------------------------------------------------

inline int refuse_writing(const Call& call) {
  const bool writes = is(call, "pwrite") || is(call, "pwritev") || is(call, "fdatasync") || is(call, "mkdir");
  return writes ? EROFS : leave_out_flushes(call);
}

inline int refuse_opening(const Call& call) {
  return is(call, "open") || is(call, "openat") || is(call, "opendir") ? EACCES : leave_out_flushes(call);
}

inline void allow_all() { on_calls(leave_out_flushes); }

inline void replace(const std::string& file) {
  std::filesystem::copy_file(file, file + "~");
  std::filesystem::rename(file + "~", file);
}

inline std::vector<Fault> faults_of_a_registry() {
  constexpr const char* kUnusable = "registry_unusable";
  const auto cannot_be_written = [](const std::string&) { on_calls(refuse_writing); };
  const auto cannot_be_opened = [](const std::string&) { on_calls(refuse_opening); };
  const auto was_removed = [](const std::string& file) { std::filesystem::remove(file); };
  return {
      {"that_cannot_be_written", kUnusable, kUnusable, true, cannot_be_written, allow_all},
      {"that_cannot_be_opened", "none", kUnusable, true, cannot_be_opened, allow_all},
      {"whose_file_was_removed", kUnusable, "none", false, was_removed, allow_all},
      {"whose_file_was_replaced", kUnusable, "none", false, replace, allow_all},
  };
}

// --- the stores -----------------------------------------------------------------------------------

inline std::shared_ptr<Store> store_in_folder(const std::string& folder) {
  return std::make_shared<HostStore>(folder, "contract");
}

// The folder gives the namespace its name: no other test has it.
inline std::string name_of(const std::string& folder) { return "n" + std::to_string(std::hash<std::string>()(folder)); }

inline std::shared_ptr<Store> store_in_redis(const std::string& folder) {
  return store_on_test_clock<RedisCarrier>("redis", name_of(folder), {put_time_into_script, nullptr});
}

#ifdef POLYFLAKE_POSTGRESQL
inline std::shared_ptr<Store> store_in_postgresql(const std::string& folder) {
  return store_on_test_clock<PostgreSqlCarrier>("postgresql", name_of(folder), {put_time_into_sql, nullptr});
}
#endif

#ifdef POLYFLAKE_ETCD
inline std::shared_ptr<Store> store_in_etcd(const std::string& folder) {
  return store_on_test_clock<EtcdCarrier>("etcd", name_of(folder), {nullptr, put_time_into_date});
}
#endif

#ifdef POLYFLAKE_ZOOKEEPER
inline std::shared_ptr<Store> store_in_zookeeper(const std::string& folder) {
  return store_on_test_clock<ZooKeeperCarrier>("zookeeper", name_of(folder), {nullptr, put_time_into_probe});
}
#endif

// --- the sources ----------------------------------------------------------------------------------

inline std::vector<Source> all_sources() {
  constexpr std::int64_t kWindowMs = 2000, kMostLeadMs = kWindowMs - 2, kAnyLeadMs = 5000;
  constexpr bool manual = true, real = false, shared = true, apart = false;
  constexpr const char *kForked = "forked_generator", *kInUse = "worker_in_use";
  const std::vector<Fault> no_faults;
  std::vector<Source> sources{
      {"number", 5, real, Among::successive_holders, shared, 1, kAnyLeadMs, kSameNodeId, kForked, kForked,
       GivenBack::never, no_faults},
      {"host", "host", real, Among::all_holders, shared, kWindowMs, kMostLeadMs, kAnotherNodeId, kAnotherNodeId,
       kAnotherNodeId, GivenBack::by_release_all, faults_of_a_registry()},
      {"host_number", "host:5", real, Among::all_holders, shared, kWindowMs, kMostLeadMs, kInUse, kInUse, kInUse,
       GivenBack::by_release_all, faults_of_a_registry()},
      {"manual_number", 5, manual, Among::one_generator, apart, 0, kAnyLeadMs, kSameNodeId, kForked, kSameNodeId,
       GivenBack::never, no_faults},
      {"manual_host", "host", manual, Among::all_holders, apart, kWindowMs, kMostLeadMs, kAnotherNodeId, kForked,
       kAnotherNodeId, GivenBack::by_closing, faults_of_a_registry()},
      {"manual_host_number", "host:5", manual, Among::all_holders, apart, kWindowMs, kMostLeadMs, kInUse, kForked,
       kInUse, GivenBack::by_closing, faults_of_a_registry()},
  };
  const auto add_store = [&](const char* name, std::shared_ptr<Store> (*store)(const std::string& folder)) {
    sources.push_back({name, Worker{}, real, Among::all_holders, apart, 0, kWindowMs / 2, kAnotherNodeId,
                       kAnotherNodeId, kAnotherNodeId, GivenBack::by_closing, no_faults, store});
  };
  add_store("store", store_in_folder);
  add_store("redis", store_in_redis);
#ifdef POLYFLAKE_POSTGRESQL
  add_store("postgresql", store_in_postgresql);
#endif
#ifdef POLYFLAKE_ETCD
  add_store("etcd", store_in_etcd);
#endif
#ifdef POLYFLAKE_ZOOKEEPER
  add_store("zookeeper", store_in_zookeeper);
#endif
  return sources;
}

// The rows of which this is true.
template <class Question>
std::vector<Source> sources_that(const Question& question) {
  std::vector<Source> found;
  for (const Source& source : all_sources()) {
    if (question(source)) found.push_back(source);
  }
  return found;
}

}  // namespace polyflake::test

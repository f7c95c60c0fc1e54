// Worker: the parameter that names the source of a generator's node id.
//
//   Worker()                                   POLYFLAKE_WORKER in the environment, else "host"
//   Worker(7)                                  this node id, which no other process may have
//   Worker({{"datacenter", 1}, {"worker", 7}}) the same, one number per node field
//   Worker("host")                             the lowest free node id of this host's registry
//   Worker("host:7")                           that node id, guarded by the registry
//   Worker("ordinal")                          the host name's trailing -N (Kubernetes StatefulSet)
//   Worker(store)                              a lease in a store that hosts share: lease.hpp
//
// Holds values only; docs/worker-ids.md explains which source to choose.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <polyflake/lease.hpp>

namespace polyflake {

class Store;
namespace lease {
class Lease;
}

class Worker {
 public:
  using Fields = std::map<std::string, std::int64_t>;
  struct InStore {
    std::shared_ptr<Store> store;
    LeaseOptions options;
  };
  using Value = std::variant<std::monostate, std::int64_t, Fields, std::string, InStore, std::shared_ptr<lease::Lease>>;

  Worker() = default;

  // Unsigned values above INT64_MAX are kept as INT64_MAX, which every layout refuses, too.
  template <class Int, std::enable_if_t<std::is_integral_v<Int> && !std::is_same_v<Int, bool>, int> = 0>
  Worker(Int node_id)  // NOLINT: a node id is a worker
      : value_(std::is_unsigned_v<Int> && sizeof(Int) == 8 &&
                       static_cast<std::uint64_t>(node_id) >
                           static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
                   ? std::numeric_limits<std::int64_t>::max()
                   : static_cast<std::int64_t>(node_id)) {}
  Worker(bool) = delete;
  Worker(double) = delete;
  Worker(Fields fields) : value_(std::move(fields)) {}                                  // NOLINT
  Worker(std::string source) : value_(std::move(source)) {}                             // NOLINT
  Worker(const char* source) : value_(std::string(source == nullptr ? "" : source)) {}  // NOLINT
  template <class AStore, std::enable_if_t<std::is_base_of_v<Store, AStore>, int> = 0>
  Worker(std::shared_ptr<AStore> store, LeaseOptions options = {})  // NOLINT
      : value_(InStore{std::move(store), std::move(options)}) {}
  // A lease that the caller keeps: for bindings.
  Worker(std::shared_ptr<lease::Lease> lease) : value_(std::move(lease)) {}  // NOLINT

  const Value& value() const { return value_; }

 private:
  Value value_;
};

// Reads the value of POLYFLAKE_WORKER: a plain number is a node id, {"datacenter": 1, "worker": 7}
// (JSON, whole numbers) gives one number per node field, anything else is a textual source.
// Errors: worker_source_invalid.
Worker parse_worker_environment(std::string_view text);

// Returns true if a textual source has a scheme, and so is meant as the address of a store. It may
// contain a password, so messages show none of it.
bool is_store_address(std::string_view source);

}  // namespace polyflake

// The one parameter that says where a generator gets its node id.
//
//   Worker()                                   POLYFLAKE_WORKER in the environment, else "host"
//   Worker(7)                                  this node id: the caller vouches that nobody else has it
//   Worker({{"datacenter", 1}, {"worker", 7}}) the same, one number per node field
//   Worker("host")                             the lowest free node id of this host's registry
//   Worker("host:7")                           that node id, guarded by the registry
//   Worker("ordinal")                          trailing -N of the host name (Kubernetes StatefulSet)
//   Worker(store)                              a lease in a store that hosts share: see lease.hpp
//
// Values only; which source to choose is explained in docs/worker-ids.md.
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

  // Numbers beyond the 64-bit signed range become its ends, which no layout accepts either.
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
  // A lease that somebody else keeps: for bindings.
  Worker(std::shared_ptr<lease::Lease> lease) : value_(std::move(lease)) {}  // NOLINT

  const Value& value() const { return value_; }

 private:
  Value value_;
};

// The value of POLYFLAKE_WORKER, where everything is text: a plain number is a node id, {"datacenter": 1,
// "worker": 7} (JSON, whole numbers) one number per node field, anything else a textual source.
// Errors: worker_source_invalid.
Worker parse_worker_environment(std::string_view text);

}  // namespace polyflake

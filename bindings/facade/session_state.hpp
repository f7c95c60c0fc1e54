// The state of addresses and sessions: for the facade only.
#pragma once

#include <polyflake/error.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "count/requests.hpp"
#include "facade/lease.hpp"
#include "lease/store_session.hpp"
#include "lease/store_url.hpp"

namespace polyflake::facade {

struct StoreAddress::Parts {
  lease::WantedNamespace wanted;
  std::string shown;
};

// Requests to one store.
struct StoreSession::State {
  State(const StoreAddress& address, const std::string& placeholder_of_client);
  virtual ~State() = default;

  // Returns the requests; null for a store in memory, which needs no client.
  virtual std::unique_ptr<lease::Requests> requests() const = 0;
  // Carries out one request in a store in memory. Returns it, or what is next if that is none.
  virtual lease::Requests::Next carry_out() const = 0;
  // Tells the offset in ms that the asker lacks.
  virtual void tell_offset(std::optional<std::int64_t> /*offset_ms*/) const {}

  // Begins a session, in the place of the former one.
  void begin();
  // Returns the next step, once nothing more can be done here.
  virtual lease::StoreSession::Step next() const;

  const std::string kind;
  const std::string name;
  const std::string schema;
  const lease::Placeholder placeholder;
  const std::string shown;
  std::unique_ptr<lease::StoreSession> session;  // null for a store in memory
};

// A lease, or a task on namespaces.
struct LeaseRequests final : StoreSession::State {
  LeaseRequests(const StoreAddress& address, const std::string& placeholder_of_client,
                std::unique_ptr<lease::Asker> who_asks);
  std::unique_ptr<lease::Requests> requests() const override;
  lease::Requests::Next carry_out() const override;

  const std::unique_ptr<lease::Asker> asker;
};

// A counter, or a task on one.
struct CounterRequests final : StoreSession::State {
  CounterRequests(const StoreAddress& address, const std::string& placeholder_of_client, std::string counter_name,
                  std::shared_ptr<count::Asker> who_asks);
  std::unique_ptr<lease::Requests> requests() const override;
  lease::Requests::Next carry_out() const override;
  void tell_offset(std::optional<std::int64_t> offset_ms) const override { asker->deliver_offset(offset_ms); }

  const std::string counter;
  const std::shared_ptr<count::Asker> asker;
};

// Errors: option_invalid.
inline void check_name(const lease::WantedNamespace& wanted) {
  if (wanted.name.empty()) throw Error(ErrorCode::option_invalid, "a store needs a namespace, like \"orders\"");
}

// Keeps the error that ends a task for the caller of its next step, and names the store in it; a
// reply that cannot be read is another case.
class TaskError {
 public:
  explicit TaskError(std::string shown) : shown_(std::move(shown)) {}
  template <typename Delivery>
  void keep(Delivery delivery) {
    try {
      delivery();
    } catch (const Error& error) {
      error_ = Error(error.code(), shown_ + ": " + error.what());
    }
  }
  void raise() const {
    if (error_) throw Error(*error_);
  }

 private:
  const std::string shown_;
  std::optional<Error> error_;
};

}  // namespace polyflake::facade

// The state of addresses and sessions: for the facade only.
#pragma once

#include <polyflake/error.hpp>

#include <memory>
#include <string>

#include "facade/lease.hpp"
#include "lease/store_session.hpp"
#include "lease/store_url.hpp"

namespace polyflake::facade {

struct StoreAddress::Parts {
  lease::WantedNamespace wanted;
  std::string shown;
};

// The asking lease or task, over one store.
struct StoreSession::State {
  State(const StoreAddress& address, const std::string& placeholder_of_client, std::unique_ptr<lease::Asker> who_asks);
  std::unique_ptr<lease::StoreSession> begun() const;
  // Returns the next step, once nothing more can be done here.
  lease::StoreSession::Step next();

  const std::string kind;
  const std::string name;
  const std::string schema;
  const lease::Placeholder placeholder;
  const std::string shown;
  const std::unique_ptr<lease::Asker> asker;
  // Null for a store in memory, which needs no client.
  std::unique_ptr<lease::StoreSession> session;
};

// Errors: option_invalid.
inline void check_name(const lease::WantedNamespace& wanted) {
  if (wanted.name.empty()) throw Error(ErrorCode::option_invalid, "a store needs a namespace, like \"orders\"");
}

}  // namespace polyflake::facade

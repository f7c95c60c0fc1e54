// What stands behind addresses and conversations: for the facade alone.
#pragma once

#include <polyflake/error.hpp>

#include <memory>
#include <string>

#include "facade/lease.hpp"
#include "lease/conversation.hpp"
#include "lease/store_url.hpp"

namespace polyflake::facade {

struct StoreAddress::Parts {
  lease::Place place;
  std::string shown;
};

// Whoever asks, over one store.
struct StoreTalk::State {
  State(std::string kind_of_store, const lease::Place& place, const std::string& placeholder_of_client,
        std::unique_ptr<lease::Asker> who_asks);
  std::unique_ptr<lease::Conversation> begun() const;

  const std::string kind;
  const std::string name;
  const std::string schema;
  const lease::Placeholder placeholder;
  const std::unique_ptr<lease::Asker> asker;
  std::unique_ptr<lease::Conversation> conversation;
};

// Errors: option_invalid.
inline void check_name(const lease::Place& place) {
  if (place.name.empty()) throw Error(ErrorCode::option_invalid, "a store needs a namespace, like \"orders\"");
}

}  // namespace polyflake::facade

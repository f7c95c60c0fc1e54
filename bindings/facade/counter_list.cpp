#include "facade/counter_list.hpp"

#include <optional>
#include <utility>

#include "count/listing.hpp"
#include "count/memory_stores.hpp"
#include "facade/session_state.hpp"

namespace polyflake::facade {
namespace {

const std::string& text_of(const std::string& text) { return text; }
std::string text_of(bool value) { return value ? "true" : "false"; }
template <class Number>
std::string text_of(Number value) {
  return std::to_string(value);
}
template <class Value>
std::string text_of(const std::optional<Value>& value) {
  return value ? text_of(*value) : "";
}

}  // namespace

struct CounterList::Asked final : StoreSession::State {
  Asked(const StoreAddress& address, const std::string& placeholder_of_client)
      : State(address, placeholder_of_client), listing(address.shown()) {
    begin();
  }

  std::unique_ptr<lease::Requests> requests() const override {
    const auto dialect_of = [this](const std::string& counter) {
      return count::make_dialect(kind, {name, counter, schema, placeholder});
    };
    return dialect_of("") == nullptr ? nullptr : count::requests_of(listing, dialect_of);
  }

  lease::Requests::Next carry_out() const override {
    const count::Listing::Request request = listing.next();
    const lease::Requests::Next next = count::next_of(request);
    if (next.kind == lease::Requests::Next::Kind::read) {
      count::carry_out(request, lease::memory_store(shown), listing);
    }
    return next;
  }

  mutable count::Listing listing;
};

CounterList::CounterList(const StoreAddress& address, const std::string& placeholder) : StoreSession(nullptr) {
  check_name(address.parts_->wanted);
  asked_ = std::make_shared<Asked>(address, placeholder);
  state_ = asked_;
}

std::size_t CounterList::count() const { return asked_->listing.states().size(); }
const polyflake::CounterState& CounterList::state(std::size_t i) const { return asked_->listing.states().at(i); }

std::vector<std::string> CounterList::texts(std::size_t i) const {
  std::vector<std::string> texts;
  state(i).each([&](const char*, const auto& value) { texts.push_back(text_of(value)); });
  return texts;
}

}  // namespace polyflake::facade

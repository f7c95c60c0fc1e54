#include "count/listing.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <exception>
#include <utility>
#include <variant>

#include "count/counter_options.hpp"
#include "count/counter_state.hpp"
#include "count/task.hpp"

namespace polyflake::count {

Listing::Request Listing::next() const {
  if (error_) throw Error(*error_);
  if (!names_) return {Kind::names, ""};
  if (at_ < names_->size()) return {Kind::read, (*names_)[at_]};
  return {Kind::done, ""};
}

void Listing::deliver(const Names& names) {
  if (!names) return fail(ErrorCode::namespace_not_initialised, kNoNamespace);
  for (const std::string& name : *names) {
    if (!is_name(name)) return fail(ErrorCode::store_unavailable, quoted(name) + " is not the name of a counter");
  }
  names_ = names;
  std::sort(names_->begin(), names_->end());
  names_->erase(std::unique(names_->begin(), names_->end()), names_->end());
}

void Listing::deliver(const Contents& contents) {
  if (!contents.space) return fail(ErrorCode::namespace_not_initialised, kNoNamespace);
  const std::string& name = (*names_)[at_++];
  if (contents.record) states_.push_back(state_of(name, contents));
}

void Listing::deliver_nothing(const std::string& reason) {
  fail(ErrorCode::store_unavailable, names_ ? quoted((*names_)[at_]) + ": " + reason : reason);
}

void Listing::fail(ErrorCode code, const std::string& reason) {
  error_.emplace(code, shown_.empty() ? reason : shown_ + ": " + reason);
}

// --- in a session --------------------------------------------------------------------------------

namespace {

class ListingRequests final : public lease::Requests {
 public:
  ListingRequests(Listing& listing, DialectOf dialect_of)
      : listing_(listing), dialect_of_(std::move(dialect_of)), dialect_(dialect_of_("")) {}

  Next next() override {
    request_ = listing_.next();
    return next_of(request_);
  }

  Command begin() override {
    dialect_ = dialect_of_(request_.counter);
    return request_.kind == Listing::Kind::names ? dialect_->begin_names() : dialect_->begin_read();
  }

  Taken take(const Reply& reply) override {
    return request_.kind == Listing::Kind::names ? taken(dialect_->names_replied(reply))
                                                 : taken(dialect_->read_replied(reply));
  }

  void fail(const std::string& reason) override { listing_.deliver_nothing(reason); }

  void find_nothing() override {
    if (request_.kind == Listing::Kind::names) listing_.deliver(dialect_->names_without_table());
    else listing_.deliver(Contents{});
  }

  const lease::StoreTraits& store() const override { return *dialect_; }

 private:
  template <class Result>
  Taken taken(std::variant<Command, Result> came) {
    if (auto* const more = std::get_if<Command>(&came)) return {std::move(*more)};
    listing_.deliver(std::get<Result>(came));
    return {};
  }

  Listing& listing_;
  const DialectOf dialect_of_;
  std::unique_ptr<Dialect> dialect_;  // of the request in progress
  Listing::Request request_{Listing::Kind::names, ""};
};

}  // namespace

std::unique_ptr<lease::Requests> requests_of(Listing& listing, DialectOf dialect_of) {
  return std::make_unique<ListingRequests>(listing, std::move(dialect_of));
}

lease::Requests::Next next_of(const Listing::Request& request) {
  using Next = lease::Requests::Next::Kind;
  return {request.kind == Listing::Kind::done ? Next::done : Next::read};
}

void carry_out(const Listing::Request& request, CounterStore& store, Listing& listing) {
  Names names;
  Contents contents;
  try {
    if (request.kind == Listing::Kind::names) names = store.counter_names();
    else contents = store.read_counter(request.counter);
  } catch (const std::exception& error) {
    return listing.deliver_nothing(error.what());
  } catch (...) {
    return listing.deliver_nothing("the store failed");
  }
  if (request.kind == Listing::Kind::names) listing.deliver(names);
  else listing.deliver(contents);
}

}  // namespace polyflake::count

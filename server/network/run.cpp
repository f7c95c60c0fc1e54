#include "network/run.hpp"

#include <algorithm>

namespace polyflake::server {

void Run::begin() noexcept {
  requests_.clear();
  some_.clear();
  replied_ = 0;
  wanted_ = 0;
  ids_ = 0;
  refused_ = 0;
}

Run::Added Run::add(Protocol& protocol, const Request& request) {
  if (request.rate != nullptr) {
    const auto refusal = request.rate->take(request.ids);
    if (refusal && !empty()) return Added::later;
    if (refusal) {
      protocol.refuse(request, *refusal, replies_);
      return Added::refused;
    }
  }
  requests_.push_back(request);
  wanted_ += request.ids;
  ids_ += request.ids;
  return Added::yes;
}

void Run::give(Protocol& protocol, const std::uint64_t* ids, std::size_t count) {
  const Request& first = requests_[replied_];
  if (first.after != 0 && some_.empty() && ids[0] <= first.after) {
    return refuse(protocol,
                  {Refusal::Kind::unavailable, "clock_behind", "the clock went back; no id is above that one yet"});
  }
  wanted_ -= count;
  while (count != 0) {
    const Request& request = requests_[replied_];
    const std::size_t part = std::min<std::size_t>(count, request.ids - some_.size());
    if (part == request.ids) {
      protocol.give(request, ids, replies_);
      ++replied_;
    } else {
      // As much as it needs: a buffer that grew would have twice as much.
      if (some_.empty()) some_.reserve(request.ids);
      some_.insert(some_.end(), ids, ids + part);
      if (some_.size() == request.ids) {
        replies_.reserve(replies_.size() + request.ids * protocol.bytes_per_id());
        protocol.give(request, some_.data(), replies_);
        ++replied_;
        some_.clear();
      }
    }
    ids += part;
    count -= part;
  }
}

void Run::refuse(Protocol& protocol, const Refusal& refusal) {
  wanted_ = 0;
  refused_ = requests_.size() - replied_;
  code_ = known_code(refusal.code);
  for (; replied_ < requests_.size(); ++replied_) {
    const Request& request = requests_[replied_];
    if (request.rate != nullptr) request.rate->give_back(request.ids);
    protocol.refuse(request, refusal, replies_);
  }
}

void Run::clear() {
  begin();
  replies_.clear();
}

}  // namespace polyflake::server

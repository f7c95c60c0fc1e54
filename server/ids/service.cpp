#include "ids/service.hpp"

#include <algorithm>
#include <utility>

#include <polyflake/error.hpp>

namespace polyflake::server {
namespace {

void add(Service::Queues& queues, std::unique_ptr<Queue> queue) {
  std::string name = queue->name();
  queues.emplace(std::move(name), std::move(queue));
}

Queue* find(const Service::Queues& queues, std::string_view key) {
  const auto found = queues.find(key);
  return found == queues.end() ? nullptr : found->second.get();
}

bool all_ready(const Service::Queues& queues) {
  return std::all_of(queues.begin(), queues.end(), [](const auto& one) { return one.second->source().state().ready; });
}

}  // namespace

void Service::add_generator(std::unique_ptr<Queue> queue) { add(generators_, std::move(queue)); }

void Service::add_counter(std::unique_ptr<Queue> queue) { add(counters_, std::move(queue)); }

void Service::serve_unknown_keys_by(std::string_view generator) { unknown_ = find(generators_, generator); }

Queue* Service::generator(std::string_view key) const {
  Queue* const found = find(generators_, key);
  return found != nullptr ? found : unknown_;
}

Queue* Service::counter(std::string_view key) const { return find(counters_, key); }

Queue* Service::queue(std::string_view key) const {
  Queue* const found = counter(key);
  return found != nullptr ? found : generator(key);
}

Layout Service::layout_to_decode(std::string_view text) const {
  if (!text.empty()) return Layout(text);
  if (generators_.size() == 1) return *generators_.begin()->second->source().layout();
  throw Error(ErrorCode::option_invalid,
              "this server has " + std::to_string(generators_.size()) + " generators, so say the layout of the id");
}

bool Service::ready() const { return !draining_ && all_ready(generators_) && all_ready(counters_); }

bool Service::reserve(std::size_t bytes) {
  if (bytes > limits_.max_pending_bytes - std::min(pending_, limits_.max_pending_bytes)) return false;
  pending_ += bytes;
  return true;
}

}  // namespace polyflake::server

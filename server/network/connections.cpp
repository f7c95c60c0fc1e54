#include "network/connections.hpp"

#include <chrono>
#include <utility>

namespace polyflake::server {

Connections::Connections(boost::asio::io_context& loop, Service& service)
    : loop_(loop), service_(service), timer_(loop) {
  look_for_stuck_ones();
}

Connections::~Connections() { close(); }

void Connections::add(Transport transport, std::unique_ptr<Protocol> protocol) {
  constexpr std::size_t kMostTurnedAway = 1000;  // who read why; further ones are closed
  const bool too_many = all_.size() - turned_away_ >= service_.limits().max_connections;
  if (too_many) service_.metrics().turned_away();
  if (too_many && turned_away_ == kMostTurnedAway) return;
  const auto connection = std::make_shared<Connection>(std::move(transport), std::move(protocol), service_, *this);
  all_.push_back(*connection);
  service_.metrics().connected();
  if (too_many) ++turned_away_;
  connection->start(too_many);
}

void Connections::leave(Connection& connection) {
  all_.erase(all_.iterator_to(connection));
  service_.metrics().disconnected();
  if (connection.is_turned_away()) --turned_away_;
}

void Connections::finish() {
  for (auto next = all_.begin(); next != all_.end();) (next++)->finish();
}

void Connections::close() {
  while (!all_.empty()) all_.front().close();
}

void Connections::take_back(Run& run) {
  run.clear();
  if (is_better_spare(run)) std::swap(run, spare_);
  Run empty;
  std::swap(run, empty);  // a string keeps its buffer when a short one is moved into it
}

void Connections::take_back_buffer(Run& run) {
  if (is_better_spare(run)) run.replies().swap(spare_.replies());
  std::string empty;
  run.replies().swap(empty);
}

bool Connections::is_better_spare(const Run& run) const {
  constexpr std::size_t kMost = 512 * 1024;  // bytes of a buffer that is kept
  const std::size_t bytes = run.replies().capacity();
  return bytes > spare_.replies().capacity() && bytes <= kMost;
}

void Connections::look_for_stuck_ones() {
  timer_.expires_after(std::chrono::seconds(5));
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    for (auto next = all_.begin(); next != all_.end();) (next++)->close_if_stuck();
    look_for_stuck_ones();
  });
}

}  // namespace polyflake::server

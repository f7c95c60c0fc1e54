#include "server.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "http/http.hpp"
#include "log.hpp"
#include "resp/resp.hpp"
#include "thrift/thrift.hpp"

namespace polyflake::server {
namespace {

template <class Use>
void for_each_queue(const Service& service, Use use) {
  for (const Service::Queues* queues : {&service.generators(), &service.counters()}) {
    for (const auto& one : *queues) use(*one.second);
  }
}

}  // namespace

Server::Server(const Configuration& configuration)
    : passed_(configuration),
      drain_ms_(configuration.drain_ms),
      service_(configuration.limits),
      tokens_(configuration),
      signals_(loop_, SIGTERM, SIGINT, SIGHUP) {
  for (const auto& one : configuration.listeners) {
    if (one.tls) tls_.push_back(one.tls);
  }
  notifier_.tell("waits for node ids", false);
  wait_for_signal();  // also while it opens
  open(configuration);
  listen(configuration);
}

// Sources give back what they hold once all connections are closed.
Server::~Server() {
  listeners_.clear();
  connections_.close();
  keeper_.reset();
  for_each_queue(service_, [](Queue& queue) { queue.source().close(); });
}

void Server::open(const Configuration& configuration) {
  opening_ = std::make_unique<Opening>(configuration, [this] { loop_.stop(); });
  loop_.run();  // hears signals
  loop_.restart();
  Opening::Sources opened = opening_->finish();
  opening_.reset();
  const std::int64_t longest_wait_ms = service_.limits().max_wait_ms;
  auto next = opened.begin();
  for (const GeneratorConfiguration& one : configuration.generators) {
    service_.add_generator(std::make_unique<Queue>(loop_, one.name, std::move(*next++), longest_wait_ms));
  }
  for (const CounterConfiguration& one : configuration.counters) {
    service_.add_counter(std::make_unique<Queue>(loop_, one.name, std::move(*next++), longest_wait_ms));
  }
  if (!configuration.unknown_keys.empty()) service_.serve_unknown_keys_by(configuration.unknown_keys);
  std::vector<Source*> sources;
  for_each_queue(service_, [&](Queue& queue) { sources.push_back(&queue.source()); });
  keeper_ = std::make_unique<Keeper>(std::move(sources));
  watch();
}

void Server::listen(const Configuration& configuration) {
  for (const ListenerConfiguration& one : configuration.listeners) {
    const std::size_t before = listeners_.size();
    Gate* gate = nullptr;
    if (!one.tokens.empty()) {
      gates_.push_back({std::make_unique<Gate>(tokens_.access(one.tokens)), nullptr});
      gate = gates_.back().gate.get();
    }
    try {
      listen_at(one, gate);
    } catch (const boost::system::system_error& error) {
      throw ConfigurationError("cannot listen at " + address_of(one) + ": " + error.code().message());
    }
    for (std::size_t i = before; i < listeners_.size(); ++i) {
      log("listening", {{"protocol", name_of(one.protocol)}, {"address", listeners_[i]->address()}});
    }
    if (gate != nullptr) gates_.back().listener = listeners_[before].get();
  }
  if (!gates_.empty()) watch_gates();
}

void Server::listen_at(const ListenerConfiguration& listener, Gate* gate) {
  if (listener.passed.empty()) {
    listeners_.push_back(std::make_unique<Listener>(listener, protocol_of(listener, gate), connections_));
    return;
  }
  for (const int descriptor : passed_.take(listener.passed)) {
    listeners_.push_back(
        std::make_unique<Listener>(descriptor, listener.tls, protocol_of(listener, gate), connections_));
  }
}

Listener::MakeProtocol Server::protocol_of(const ListenerConfiguration& listener, Gate* gate) const {
  switch (listener.protocol) {
    case ListenerConfiguration::Protocol::resp: return [this, gate] { return std::make_unique<Resp>(service_, gate); };
    case ListenerConfiguration::Protocol::http:
      return [this, gate, leaf = listener.leaf] { return std::make_unique<Http>(service_, leaf, gate); };
    case ListenerConfiguration::Protocol::thrift: break;
  }
  Queue* const queue = service_.generator(listener.generator);
  return [this, queue] { return std::make_unique<Thrift>(service_, *queue); };
}

void Server::run() {
  log("serving");
  watch();
  loop_.run();
  log("ended");
}

// --- signals ---------------------------------------------------------------------------------------

void Server::wait_for_signal() {
  signals_.async_wait([this](const boost::system::error_code& error, int number) {
    if (error) return;
    wait_for_signal();
    on_signal(number);
  });
}

void Server::on_signal(int number) {
  if (number == SIGHUP) return reread();
  if (service_.draining()) return finish();
  if (!opening_) return drain();
  log("ended", {{"reason", "a signal came before all was open"}});
  opening_->give_back();
  std::_Exit(0);  // its thread may wait for a store
}

// Rereads the files that the configuration names, not the configuration itself. Blocks: for some
// kilobytes, which an operator has just written.
void Server::reread() noexcept {
  try {
    tokens_.reread();
    for (const auto& tls : tls_) reread(*tls);
  } catch (const std::exception&) {
    log("not_reread");  // no memory, not even for the reason
  }
}

void Server::reread(Tls& tls) {
  const std::string& certificate = tls.files().certificate;
  try {
    tls.reread();
    log("reread", {{"certificate", certificate}});
  } catch (const std::exception& error) {
    log("not_reread", {{"certificate", certificate}, {"reason", error.what()}});
  }
}

// --- the end -------------------------------------------------------------------------------------

void Server::drain() {
  log("draining", {{"ms", std::to_string(drain_ms_)}});
  service_.drain();
  notifier_.tell_stopping();
  draining_.expires_after(std::chrono::milliseconds(drain_ms_));
  draining_.async_wait([this](const boost::system::error_code& error) {
    if (!error) finish();
  });
}

void Server::finish() {
  draining_.cancel();
  for (const auto& listener : listeners_) listener->close();
  connections_.finish();
  end_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(service_.limits().max_wait_ms + 500);
  end_once_empty();
}

// Clients that take no reply are not waited for.
void Server::end_once_empty() {
  if (connections_.empty() || std::chrono::steady_clock::now() >= end_) return loop_.stop();
  draining_.expires_after(std::chrono::milliseconds(5));
  draining_.async_wait([this](const boost::system::error_code& error) {
    if (!error) end_once_empty();
  });
}

// --- what people see -----------------------------------------------------------------------------

void Server::watch() {
  for_each_queue(service_, [this](Queue& queue) {
    const Source::State state = queue.source().state();
    std::string& known = states_[&queue];
    const std::string now = state.code.empty() ? state.name : state.name + ' ' + state.code;
    if (known == now) return;
    known = now;
    log("state",
        {{"key", queue.name()}, {"state", state.name}, {"code", state.code}, {"node", std::to_string(state.node)}});
  });
  notifier_.tell(status(), !listeners_.empty() && service_.ready());
  watching_.expires_after(std::chrono::milliseconds(250));
  watching_.async_wait([this](const boost::system::error_code& error) {
    if (!error) watch();
  });
}

// A line a second for each gate, however many try.
void Server::watch_gates() {
  for (const WatchedGate& one : gates_) {
    const std::uint64_t wrong = one.gate->take_wrong_secrets();
    if (wrong == 0) continue;
    log("wrong_secrets", {{"address", one.listener->address()}, {"requests", std::to_string(wrong)}});
  }
  watching_gates_.expires_after(std::chrono::seconds(1));
  watching_gates_.async_wait([this](const boost::system::error_code& error) {
    if (!error) watch_gates();
  });
}

// One line for people.
std::string Server::status() const {
  if (service_.draining()) return "draining";
  if (service_.ready()) return "ready";
  std::string text = "not ready";
  for_each_queue(service_, [&](const Queue& queue) {
    if (!queue.source().state().ready) text += ", " + queue.name() + ": " + states_.at(&queue);
  });
  return text;
}

}  // namespace polyflake::server

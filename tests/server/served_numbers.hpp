// A service whose sources count, and a protocol that is spoken to without a connection.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "ids/service.hpp"
#include "ids/source.hpp"
#include "network/protocol.hpp"

namespace polyflake::server::test {

// Gives first, first + 1, ...
class CountingSource final : public Source {
 public:
  CountingSource(std::uint64_t first, const char* layout, State* state = nullptr)
      : next_(first), has_layout_(layout != nullptr), layout_(has_layout_ ? layout : "polyflake"), state_(state) {}

  Answer take(std::size_t n) override { return {{std::exchange(next_, next_ + n), 1, n, true}, 0}; }
  void drop() noexcept override {}
  double ns_per_id() const override { return 1; }
  const Layout* layout() const override { return has_layout_ ? &layout_ : nullptr; }
  State state() override { return state_ != nullptr ? *state_ : State{true, "open", "", -1, 0}; }
  void renew() override {}
  void close() noexcept override {}

 private:
  std::uint64_t next_;
  const bool has_layout_;
  const Layout layout_;
  State* const state_;
};

// Generators and counters that are added one by one.
class ServedNumbers {
 public:
  explicit ServedNumbers(const Limits& limits = {}) : service(limits) {}

  void generator(const char* name, std::uint64_t first, const char* layout = "polyflake",
                 Source::State* state = nullptr) {
    service.add_generator(queue(name, std::make_unique<CountingSource>(first, layout, state)));
  }
  void counter(const char* name, std::uint64_t first, Source::State* state = nullptr) {
    service.add_counter(queue(name, std::make_unique<CountingSource>(first, nullptr, state)));
  }

 private:
  std::unique_ptr<Queue> queue(const char* name, std::unique_ptr<Source> source) {
    return std::make_unique<Queue>(loop, name, std::move(source), service.limits().max_wait_ms);
  }

  boost::asio::io_context loop;

 public:
  Service service;
};

// A request and the reply to it, as bytes.
struct Exchange {
  std::string request;
  std::string reply;
};

// Speaks to a protocol as a connection does: requests are read ahead, and get their ids together;
// one that needs none is answered after those before it.
class Conversation {
 public:
  explicit Conversation(Protocol& protocol) : protocol_(protocol) {}

  // Sends bytes in pieces of a size, and returns the replies to all that was whole.
  std::string say(std::string_view bytes, std::size_t piece) {
    const std::size_t before = exchanges_.size();
    for (std::size_t at = 0; at < bytes.size() && !ended_; at += piece) {
      input_ += bytes.substr(at, piece);
      read_all();
    }
    std::string replies;
    for (std::size_t i = before; i < exchanges_.size(); ++i) replies += exchanges_[i].reply;
    return replies;
  }
  std::string say(std::string_view bytes) { return say(bytes, bytes.size() + 1); }

  const std::vector<Exchange>& exchanges() const { return exchanges_; }
  bool ended() const { return ended_; }
  // Returns the bytes of a request that is not whole yet.
  const std::string& rest() const { return input_; }

 private:
  void read_all() {
    std::vector<Request> run;
    std::size_t at = 0;
    while (!ended_) {
      const Request request = protocol_.read(std::string_view(input_).substr(at));
      if (request.length == 0) break;
      if (request.queue == nullptr && !run.empty()) {
        give(run);
        continue;  // read again: answer() is for the request that was read last
      }
      exchanges_.push_back({input_.substr(at, request.length), {}});
      at += request.length;
      ended_ = request.last;
      if (request.queue != nullptr) run.push_back(request);
      else protocol_.answer(request, exchanges_.back().reply);
    }
    give(run);
    input_.erase(0, at);
  }

  // Gives ids to the last requests.
  void give(std::vector<Request>& run) {
    std::size_t at = exchanges_.size() - run.size();
    for (const Request& request : run) {
      std::vector<std::uint64_t> ids(request.ids);
      const IdRange range = request.queue->source().take(request.ids).ids;
      range.write(ids.data());
      protocol_.give(request, ids.data(), exchanges_[at++].reply);
    }
    run.clear();
  }

  Protocol& protocol_;
  std::string input_;
  std::vector<Exchange> exchanges_;
  bool ended_ = false;
};

}  // namespace polyflake::server::test

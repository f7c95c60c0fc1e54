#include "operation/check.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>

#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

namespace polyflake::server {
namespace {

namespace asio = boost::asio;

constexpr std::chrono::seconds kLongestQuestion(3);
// In this version the server closes the connection after its answer.
constexpr std::string_view kRequest = "GET /readyz HTTP/1.0\r\n\r\n";

asio::generic::stream_protocol::endpoint endpoint_to_ask(const ListenerConfiguration& listener) {
  if (!listener.path.empty()) return asio::local::stream_protocol::endpoint(listener.path);
  asio::ip::address host = asio::ip::make_address(listener.host);
  if (host.is_unspecified()) {
    if (host.is_v4()) host = asio::ip::address_v4::loopback();
    else host = asio::ip::address_v6::loopback();
  }
  return asio::ip::tcp::endpoint(host, listener.port);
}

// Something else may listen there, and its answer is shown on a terminal.
std::string plain(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

// One question, whose steps follow one another until one fails.
class Question {
 public:
  explicit Question(const ListenerConfiguration& listener) {
    socket_.async_connect(endpoint_to_ask(listener), [this](const boost::system::error_code& error) {
      if (failed(error)) return;
      asio::async_write(socket_, asio::buffer(kRequest), [this](const boost::system::error_code& wrong, std::size_t) {
        if (!failed(wrong)) read();
      });
    });
    loop_.run_for(kLongestQuestion);
  }

  Readiness result() const {
    constexpr std::string_view kEndOfHead = "\r\n\r\n";
    const std::size_t end = reply_.find(kEndOfHead);
    if (!whole_) return {false, "no answer" + (reason_.empty() ? " within 3 s" : ": " + reason_)};
    if (end == std::string::npos || reply_.compare(0, 5, "HTTP/") != 0) return {false, "no answer in HTTP"};
    return {reply_.compare(8, 5, " 200 ") == 0, plain(reply_.substr(end + kEndOfHead.size()))};
  }

 private:
  void read() {
    constexpr std::size_t kLongestReply = 1 << 20;  // that of a server is shorter
    asio::async_read(socket_, asio::dynamic_buffer(reply_, kLongestReply),
                     [this](const boost::system::error_code& error, std::size_t) {
                       whole_ = error == asio::error::eof;
                       if (!whole_ && !failed(error)) reason_ = "it is longer than 1 MiB";
                     });
  }

  bool failed(const boost::system::error_code& error) {
    if (error) reason_ = error.message();
    return static_cast<bool>(error);
  }

  asio::io_context loop_{1};
  asio::generic::stream_protocol::socket socket_{loop_};
  std::string reply_;
  std::string reason_;
  bool whole_ = false;
};

}  // namespace

const ListenerConfiguration* listener_to_ask(const Configuration& configuration) {
  const auto& all = configuration.listeners;
  const auto found = std::find_if(all.begin(), all.end(), [](const ListenerConfiguration& one) {
    return one.protocol == ListenerConfiguration::Protocol::http && !one.tls && (one.port != 0 || !one.path.empty());
  });
  return found == all.end() ? nullptr : &*found;
}

Readiness ask_readiness(const ListenerConfiguration& listener) { return Question(listener).result(); }

}  // namespace polyflake::server

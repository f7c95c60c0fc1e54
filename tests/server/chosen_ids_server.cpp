// A server that gives the ids of a test: those of a file, one decimal a line, in that order. So clients get ids that no
// generator issues this year, through the listeners, connections and protocols of polyflaked.
//
//   polyflake_chosen_ids FILE RESP_PORT HTTP_PORT KEYS
//
// It has generators 0, 1, ... KEYS - 1, each of which gives all ids of the file, then begins again.
#include <polyflake/text.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "http/http.hpp"
#include "ids/service.hpp"
#include "ids/source.hpp"
#include "network/connections.hpp"
#include "network/listener.hpp"
#include "resp/resp.hpp"

namespace polyflake::server {
namespace {

class ChosenSource final : public Source {
 public:
  explicit ChosenSource(const std::vector<std::uint64_t>& ids) : ids_(ids) {}

  // One at a time, since they do not follow one another.
  Answer take(std::size_t) override {
    const std::uint64_t id = ids_[at_];
    at_ = (at_ + 1) % ids_.size();
    return {{id, 1, 1, true}, 0};
  }
  void drop() noexcept override {}
  double ns_per_id() const override { return 1; }
  const Layout* layout() const override { return &layout_; }
  State state() override { return {true, "open", "", 0, 0}; }
  void renew() override {}
  void close() noexcept override {}

 private:
  const std::vector<std::uint64_t>& ids_;
  const Layout layout_ = "polyflake";
  std::size_t at_ = 0;
};

std::vector<std::uint64_t> ids_of(const char* path) {
  std::ifstream file(path);
  std::vector<std::uint64_t> ids;
  for (std::string line; std::getline(file, line);) ids.push_back(id_from_text(line));
  if (ids.empty()) throw std::runtime_error(std::string("no ids in ") + path);
  return ids;
}

Listener::MakeProtocol resp_for(const Service& service) {
  return [&service] { return std::make_unique<Resp>(service); };
}

Listener::MakeProtocol http_for(const Service& service) {
  return [&service] { return std::make_unique<Http>(service, true); };
}

ListenerConfiguration at_port(ListenerConfiguration::Protocol protocol, const char* port) {
  ListenerConfiguration configuration{};
  configuration.protocol = protocol;
  configuration.host = "127.0.0.1";
  configuration.port = static_cast<std::uint16_t>(std::atoi(port));
  return configuration;
}

void serve(char** words) {
  const std::vector<std::uint64_t> ids = ids_of(words[1]);
  boost::asio::io_context loop(1);
  Service service{Limits{}};
  for (int key = 0; key < std::atoi(words[4]); ++key) {
    service.add_generator(std::make_unique<Queue>(loop, std::to_string(key), std::make_unique<ChosenSource>(ids),
                                                  service.limits().max_wait_ms));
  }
  Connections connections(loop, service);
  const Listener resp(at_port(ListenerConfiguration::Protocol::resp, words[2]), resp_for(service), connections);
  const Listener http(at_port(ListenerConfiguration::Protocol::http, words[3]), http_for(service), connections);
  loop.run();
}

}  // namespace
}  // namespace polyflake::server

int main(int count, char** words) {
  if (count != 5) {
    std::fprintf(stderr, "usage: %s FILE RESP_PORT HTTP_PORT KEYS\n", words[0]);
    return 2;
  }
  try {
    polyflake::server::serve(words);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

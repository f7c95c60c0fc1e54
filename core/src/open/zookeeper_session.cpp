#include "open/zookeeper_session.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

#include "base/ascii.hpp"
#include "open/turns.hpp"

namespace polyflake {
namespace {

using lease::CommandFailure;
using Part = std::vector<std::string>;

// The timeout that a session asks for; a server grants at most 20 ticks. The client gives a silent
// server up after two thirds of it.
constexpr int kSessionMs = 30'000;

[[noreturn]] void refuse() { throw CommandFailure("", "this is no command for ZooKeeper"); }

// number: that of the system; 0 if it tells none.
[[noreturn]] void fail(int error, int number) {
  const char* const name = connection_error_name(number);
  if (error == ZOPERATIONTIMEOUT) throw CommandFailure("ETIMEDOUT", "the time for the command is over");
  if (error != ZCONNECTIONLOSS)
    throw CommandFailure(std::to_string(error), std::string("ZooKeeper says: ") + zerror(error));
  if (*name != '\0') throw CommandFailure(name, std::string("the connection failed: ") + std::strerror(number));
  throw CommandFailure("ECONNRESET", "the server ended the connection");
}

void check(int error) {
  if (error != ZOK) fail(error, errno);
}

// The errors of a `multi` whose conditions do not hold.
bool is_refusal(int error) {
  return error == ZNONODE || error == ZBADVERSION || error == ZNODEEXISTS || error == ZNOTEMPTY ||
         error == ZRUNTIMEINCONSISTENCY;
}

int version_in(const std::string& text) {
  const bool any = text == "-1";
  const auto number = any ? std::nullopt : ascii::decimal(text);
  if (!any && (!number || *number > INT32_MAX)) refuse();
  return any ? -1 : static_cast<int>(*number);
}

int size_of(const std::string& data) { return static_cast<int>(data.size()); }

zoo_op_t operation_of(const Part& part) {
  zoo_op_t operation{};
  const auto is = [&](const char* what, std::size_t words) { return part.size() == words && part[0] == what; };
  if (is("check", 3)) {
    zoo_check_op_init(&operation, part[1].c_str(), version_in(part[2]));
  } else if (is("set", 4)) {
    zoo_set_op_init(&operation, part[1].c_str(), part[3].data(), size_of(part[3]), version_in(part[2]), nullptr);
  } else if (is("create", 3)) {
    zoo_create_op_init(&operation, part[1].c_str(), part[2].data(), size_of(part[2]), &ZOO_OPEN_ACL_UNSAFE, 0, nullptr,
                       0);
  } else if (is("delete", 3)) {
    zoo_delete_op_init(&operation, part[1].c_str(), version_in(part[2]));
  } else {
    refuse();
  }
  return operation;
}

// Takes the lines that the client logs of a session. Its level and its stream are global: they
// belong to the program. The client formats all lines in static buffers, whose texts always end: two
// threads can mix the texts of two lines, and nothing else.
void drop_line(const char*) {}

// Returns "/a" and "/a/b" for "/a/b".
std::vector<std::string> with_parents(const std::string& path) {
  std::vector<std::string> all;
  for (std::size_t end = 0; end != std::string::npos;) {
    end = path.find('/', end + 1);
    all.push_back(path.substr(0, end));
  }
  return all;
}

}  // namespace

// The requests of a command, and what came of them.
class ZooKeeperSession::Exchange {
 public:
  // Queues the requests of a command. Errors: CommandFailure.
  void ask(zhandle_t* client, const lease::Command& command) {
    if (command.name == "multi") return ask_multi(client, command.parts);
    for (const Part& part : command.parts) {
      if (part.size() != 1) refuse();
    }
    if (command.name == "ensure") return make_paths(client, command.parts);
    const bool gets = command.name == "get";
    if (!gets && command.name != "children") refuse();
    reply_.resize(command.parts.size());
    for (std::size_t i = 0; i < command.parts.size(); ++i) {
      const char* const path = command.parts[i].front().c_str();
      Place* const place = add_place(i);
      check(gets ? zoo_aget(client, path, 0, take_node, place) : zoo_aget_children(client, path, 0, take_names, place));
    }
  }

  bool is_done() const { return left_ == 0; }
  // Requires: it is done. Errors: CommandFailure for the first error of a request.
  lease::Reply reply() {
    if (error_ != ZOK) fail(error_, 0);
    return std::move(reply_);
  }

 private:
  // The place of a row in the reply.
  struct Place {
    Exchange* exchange;
    std::size_t row;

    // Takes the answer to a request; fill(row) unless it is an error. No exception may reach the
    // client.
    template <class Fill>
    void take(int error, const Fill& fill) const noexcept {
      --exchange->left_;
      try {
        if (error == ZOK) fill(exchange->reply_[row]);
      } catch (...) {  // no memory
        error = ZSYSTEMERROR;
      }
      if (error != ZOK && error != ZNONODE && exchange->error_ == ZOK) exchange->error_ = error;
    }
  };

  static const Place& place_in(const void* data) { return *static_cast<const Place*>(data); }

  static void take_node(int error, const char* value, int size, const Stat* stat, const void* data) {
    place_in(data).take(error, [&](lease::Row& row) {
      row = {std::string(value == nullptr ? "" : value, static_cast<std::size_t>(std::max(size, 0))),
             std::to_string(stat->version), std::to_string(stat->mtime), std::to_string(stat->numChildren)};
    });
  }

  static void take_names(int error, const String_vector* names, const void* data) {
    place_in(data).take(error, [&](lease::Row& row) {
      for (int i = 0; i < names->count; ++i) row.emplace_back(names->data[i]);
    });
  }

  static void take_outcome(int error, const void* data) {
    const bool refused = is_refusal(error);
    place_in(data).take(refused ? ZOK : error, [&](lease::Row& row) { row = {refused ? "refused" : "ok"}; });
  }

  static void take_path(int error, const char*, const void* data) {
    place_in(data).take(error == ZOK || error == ZNODEEXISTS ? ZNONODE : error, [](lease::Row&) {});  // it has no row
  }

  // Counts it at once: a client that is lost tells all that it knows of.
  Place* add_place(std::size_t row) {
    ++left_;
    places_.push_back(std::make_unique<Place>(Place{this, row}));
    return places_.back().get();
  }

  void ask_multi(zhandle_t* client, const std::vector<Part>& parts) {
    std::vector<zoo_op_t> operations;
    operations.reserve(parts.size());
    for (const Part& part : parts) operations.push_back(operation_of(part));
    if (operations.empty()) refuse();
    results_.resize(operations.size());
    reply_.resize(1);
    check(zoo_amulti(client, static_cast<int>(operations.size()), operations.data(), results_.data(), take_outcome,
                     add_place(0)));
  }

  void make_paths(zhandle_t* client, const std::vector<Part>& parts) {
    for (const Part& part : parts) {
      for (const std::string& path : with_parents(part.front())) {
        check(zoo_acreate(client, path.c_str(), "", 0, &ZOO_OPEN_ACL_UNSAFE, 0, take_path, add_place(0)));
      }
    }
  }

  lease::Reply reply_;
  std::vector<std::unique_ptr<Place>> places_;
  std::vector<zoo_op_result_t> results_;
  std::size_t left_ = 0;  // requests without an answer
  int error_ = ZOK;
};

ZooKeeperSession::ZooKeeperSession()
    : client_(
          [](Client* client) {
            zookeeper_close(client->handle);
            delete client;
          },
          [](const Client* client) { return client->socket; }) {}

ZooKeeperSession::Client::~Client() = default;

bool ZooKeeperSession::is_usable() {
  if (!client_.is_open()) return false;
  Client* const client = client_.get();
  const std::chrono::milliseconds granted(zoo_recv_timeout(client->handle));
  if (std::chrono::steady_clock::now() - used_ > granted / 2) return false;
  if (is_quiet_socket(client->socket)) return true;
  // The answer to a ping, which the client sends by itself, or the end.
  const int error = zookeeper_process(client->handle, ZOOKEEPER_READ);
  if (error != ZOK && error != ZNOTHING) client->socket = -1;  // it closed that
  return client->socket >= 0 && is_quiet_socket(client->socket);
}

// If a server has several addresses, the client may try the same one again and again.
void ZooKeeperSession::open(const ServerPlace& place, const std::string& folder, const std::optional<Login>& login,
                            Deadline deadline) {
  const std::vector<std::string> hosts = numeric_hosts(place.host, place.port);
  Turns turns(hosts.size());
  turns.connect(deadline, [&](std::size_t i, Deadline end) {
    close();
    connect(hosts[i] + ":" + place.port + folder, login, end);
  });
}

void ZooKeeperSession::connect(const std::string& server, const std::optional<Login>& login, Deadline deadline) {
  auto client = std::make_unique<Client>();
  client_.begin([&] {
    client->handle =
        zookeeper_init2(server.c_str(), nullptr, kSessionMs, nullptr, nullptr, ZOO_NO_LOG_CLIENTENV, drop_line);
    return client->handle == nullptr ? nullptr : client.release();
  });
  if (client != nullptr) throw CommandFailure("", "ZooKeeper's client cannot use the address " + server);
  zhandle_t* const handle = client_.get()->handle;
  zoo_set_servers_resolution_delay(handle, -1);  // it would look the host up before each wait
  if (login) {
    const std::string text = login->user + ":" + login->password;
    zoo_add_auth(handle, "digest", text.data(), size_of(text), nullptr, nullptr);
  }
  while (zoo_state(handle) != ZOO_CONNECTED_STATE) check(turn(deadline));
  client_.hold(client_.get()->socket);
  used_ = std::chrono::steady_clock::now();
}

lease::Reply ZooKeeperSession::ask(const lease::Command& command, Deadline deadline) {
  Client* const client = client_.get();
  client->exchange = std::make_unique<Exchange>();
  try {
    client->exchange->ask(client->handle, command);
  } catch (...) {
    client->socket = -1;  // it may have closed that
    throw;
  }
  if (!client_.is_open()) client->socket = -1;  // it has
  while (!client->exchange->is_done()) check(turn(deadline));
  used_ = std::chrono::steady_clock::now();
  return client->exchange->reply();
}

// Lets the client go on once it can. Returns ZOK; its error, with errno; ZOPERATIONTIMEOUT at the
// deadline.
int ZooKeeperSession::turn(Deadline deadline) {
  Client* const client = client_.get();
  int interest = 0;
  timeval wait{};
  errno = 0;
  int error = zookeeper_interest(client->handle, &client->socket, &interest, &wait);
  if (error == ZOK) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= deadline) return ZOPERATIONTIMEOUT;
    const auto until = now + std::chrono::seconds(wait.tv_sec) + std::chrono::microseconds(wait.tv_usec);
    const Readiness wanted{(interest & ZOOKEEPER_READ) != 0, (interest & ZOOKEEPER_WRITE) != 0};
    const Readiness ready = await_socket(client->socket, wanted, std::min(deadline, until));
    const int events = (ready.to_read ? ZOOKEEPER_READ : 0) | (ready.to_write ? ZOOKEEPER_WRITE : 0);
    errno = 0;
    error = zookeeper_process(client_.get()->handle, events);
    if (error == ZNOTHING) error = ZOK;
  }
  if (error != ZOK) client->socket = -1;  // it closed that
  return error;
}

}  // namespace polyflake

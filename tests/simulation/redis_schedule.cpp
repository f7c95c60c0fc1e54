#include "simulation/redis_schedule.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulation/course.hpp"
#include "simulation/redis_servers.hpp"

namespace polyflake::simulation {
namespace {

using lease::Confirmation;

class RedisSchedule final : public Course {
 public:
  RedisSchedule(std::uint64_t seed, bool told)
      : Course(seed, told, 3), servers_(draw_count(), paths_ == Paths::tunnels, dice_) {
    for (std::size_t i = 0; i < kHosts; ++i) {
      hosts_.push_back({std::make_unique<HostClock>(now_ms_), 0});
      set_clock(hosts_.back());
    }
  }

  Outcome run() {
    const std::int64_t end_ms = kBeginMs + dice_.between(2, 6) * kWindowMs;
    if (dice_.percent(80)) link_all();
    make_namespace();
    for (int i = 0; i < 3; ++i) at(now_ms_ + dice_.between(0, kWindowMs / 4), {What::start});
    at(now_ms_ + kWindowMs / 8, {What::fault});
    at(now_ms_, {What::replicate});
    // The last link is made a little earlier: a holder finds a new reign when it renews.
    run_until(end_ms - kWindowMs / 2);
    recover_servers();
    run_until(end_ms);
    return run_to_the_end();
  }

 private:
  static constexpr std::size_t kMostProcesses = 4;
  static constexpr std::uint64_t kNodes[] = {3, 5, 8};
  static constexpr std::int64_t kWaitMs = kWindowMs / 16;

  // Who reaches servers over the loopback: clients on their host, or what follows them. Never both: that all copies of a
  // namespace have names of the loopback says that they are on one host.
  enum class Paths { direct, loopback, tunnels };

  struct Host {
    std::unique_ptr<HostClock> clock;
    std::size_t view;  // of who is the primary
  };

  // The requests of a client to a server, each after the reply to the one before.
  enum class Ask { read, name, write, look, wait };

  // The client that a process has: its connection, and what is under way on it.
  struct Client {
    std::size_t server = RedisServers::kNone;
    lease::KnownCopies copies;
    std::uint64_t number = 0;  // of the process's request
    lease::Action action;
    std::optional<Confirmation> confirmation;
    lease::Answer answer;
  };

  struct Message {
    std::uint64_t serial;  // of the process
    std::uint64_t number;  // of its request
    std::size_t server;
    Ask ask;
    lease::Cas cas{};                  // to be written
    std::vector<std::string> names{};  // that a write is to give to the namespace
    // The reply.
    std::optional<Sight> sight{};
    std::optional<lease::Contents> contents{};
    std::optional<lease::Outcome> outcome{};
    std::string name{};
  };

  Paths draw_paths() {
    if (dice_.percent(70)) return Paths::direct;
    return dice_.percent(30) ? Paths::loopback : Paths::tunnels;
  }

  std::size_t draw_count() {
    constexpr std::size_t kCounts[] = {1, 2, 3, 3, 3, 4};
    return paths_ == Paths::tunnels ? 4 : kCounts[dice_.below(std::size(kCounts))];
  }

  // --- what processes ask for -----------------------------------------------------------------------

  void send(Process& process, std::uint64_t number, const lease::Action& action) override {
    Client& client = clients_[process.serial];
    const Host& host = hosts_[static_cast<std::size_t>(process.host())];
    // A request that is still under way was given up, and its connection with it.
    if (client.number != 0 || client.server == RedisServers::kNone) client.server = host.view;
    client.number = number;
    client.action = action;
    client.confirmation.reset();
    if (action.kind == lease::Action::Kind::read) return ask(process.serial, client, Ask::read);
    ask(process.serial, client, client.copies.begin_cas(action.cas) ? Ask::name : Ask::write);
  }

  void ask(std::uint64_t serial, const Client& client, Ask what, std::int64_t after_ms = 0) {
    if (client.server == RedisServers::kNone) return;  // the connection broke in the middle
    Message message{serial, client.number, client.server, what};
    if (what == Ask::write) {
      message.cas = client.action.cas;
      message.names = client.copies.new_names(message.cas);
    }
    messages_.push_back(std::move(message));
    travel(What::request, messages_.size() - 1, after_ms);
  }

  void serve(std::uint64_t index) override {
    Message& message = messages_[index];
    const Client& client = clients_[message.serial];
    const Running* const running = find(message.serial);
    if (running == nullptr) return;
    const auto host = static_cast<std::size_t>(running->process->host());
    // Also late, when its connection was given up.
    if (message.ask == Ask::write) {
      message.outcome = servers_.write(message.server, message.cas, message.names, now_ms_);
    }
    if (message.ask == Ask::read && client.number == message.number) {
      message.contents = servers_.read(message.server, client.action.read, now_ms_);
    }
    if (message.ask == Ask::name) message.name = servers_.name_for(message.server, host, paths_ == Paths::loopback);
    if (message.ask == Ask::wait) {
      for (int i = well_ ? 10 : 1; i > 0; --i) servers_.replicate();
    }
    message.sight = servers_.look(message.server);
    if (!message.sight) return;
    tell(message);
    travel(What::reply, index, 0);
  }

  void hand_over(std::uint64_t index) override {
    const Message& message = messages_[index];
    Running* const running = find(message.serial);
    if (running == nullptr) return;
    if (now_ms_ < running->stopped_until_ms) return at(running->stopped_until_ms, {What::reply, index});
    Client& client = clients_[message.serial];
    if (client.number != message.number) return;
    transcript_.add("reply to", message.serial);
    const Sight& sight = *message.sight;
    switch (message.ask) {
      case Ask::read:
        client.copies.saw(sight.incarnation, sight.copies, sight.replication);
        return finish(*running, client, message.contents, {});
      case Ask::name: client.copies.named(message.name); return ask(message.serial, client, Ask::write);
      case Ask::write: return take_outcome(*running, client, message);
      case Ask::look: return go_on(*running, client, client.confirmation->looked(sight.incarnation, sight.replication));
      case Ask::wait: return go_on(*running, client, client.confirmation->waited(acknowledged(sight)));
    }
  }

  void take_outcome(Running& running, Client& client, const Message& message) {
    if (!message.outcome) {  // of a replica: the connection is closed
      client.server = RedisServers::kNone;
      return finish(running, client, {}, {});
    }
    const Sight& sight = *message.sight;
    client.copies.saw(sight.incarnation, sight.copies, sight.replication);
    client.answer = {*message.outcome, client.action.cas.echo, now_ms_};
    if (*message.outcome != lease::Outcome::ok) return finish(running, client, {}, client.answer);
    client.confirmation.emplace(client.copies.confirmation(client.action.cas, kWaitMs));
    go_on(running, client, client.confirmation->written(sight.replication));
  }

  void go_on(Running& running, Client& client, const Confirmation::Step& step) {
    const std::uint64_t serial = running.process->serial;
    switch (step.kind) {
      case Confirmation::Step::Kind::look: return ask(serial, client, Ask::look);
      case Confirmation::Step::Kind::wait: return ask(serial, client, Ask::wait, dice_.between(0, well_ ? 4 : step.ms));
      case Confirmation::Step::Kind::counts: break;
      case Confirmation::Step::Kind::fails:
        transcript_.add("not confirmed:", step.reason);
        client.answer.outcome = lease::Outcome::unknown;
    }
    finish(running, client, {}, client.answer);
  }

  void finish(Running& running, Client& client, std::optional<lease::Contents> contents,
              std::optional<lease::Answer> answer) {
    if (answer) transcript_.add("  counts:", answer->outcome == lease::Outcome::ok ? "yes" : "no");
    const std::uint64_t number = std::exchange(client.number, 0);
    running.process->receive({number, std::move(contents), answer});
    at(now_ms_, {What::wake, running.process->serial});
  }

  // Returns what WAIT counts: the replicas that have all that there was.
  static std::uint64_t acknowledged(const Sight& sight) {
    const auto& replicas = sight.replication.replicas;
    return static_cast<std::uint64_t>(std::count_if(replicas.begin(), replicas.end(), [&sight](const auto& replica) {
      return replica.offset >= sight.replication.offset;
    }));
  }

  void issued(Process& process, std::uint64_t id, bool in_order) override {
    transcript_.add("process", process.serial, "issues", id >> 7, "of node", id >> 4 & 7, "sequence", id & 15);
    check(id, in_order);
  }

  bool copies_now() override { return false; }

  // --- events ---------------------------------------------------------------------------------------

  // Once, and in order: as a connection carries it, until it is closed.
  void travel(What what, std::uint64_t message, std::int64_t after_ms) {
    if (!well_ && dice_.percent(loss_percent_)) return;
    at(now_ms_ + after_ms + delay_ms(), {what, message});
  }

  std::int64_t delay_ms() override {
    if (well_ || dice_.percent(85)) return dice_.between(0, 4);
    return dice_.between(0, dice_.percent(80) ? kWindowMs / 20 : kWindowMs);
  }

  void happen(const Event& event) override {
    switch (event.what) {
      case What::replicate:
        servers_.replicate();
        at(now_ms_ + dice_.between(1, kWindowMs / 40), {What::replicate});
        break;
      case What::relink: servers_.link_again(event.subject); break;
      case What::bounce: bounce(event.subject); break;
      default: break;
    }
  }

  bool go_on(Running& running) override {
    Process& process = *running.process;
    process.step(!well_);
    if (process.gone()) {
      end(process.serial);
      return false;
    }
    if (!well_ && process.in_the_middle() && dice_.percent(4)) stop(running);
    return true;
  }

  // --- faults ---------------------------------------------------------------------------------------

  void break_something() override {
    if (well_) return;
    at(now_ms_ + dice_.between(1, pace_ms_), {What::fault});
    if (servers_are_well_ || dice_.percent(15)) return trouble_a_process();
    const std::uint64_t fault = dice_.percent(40) ? favourite_ : dice_.below(kFaults);
    const std::size_t server = dice_.below(servers_.size());
    transcript_.add("fault", fault, "server", server);
    switch (fault) {
      case 0: return fail_over(server);
      case 1: return servers_.follow(server, any_primary());
      case 2: servers_.restart(server, dice_.percent(50)); return link_later();
      case 3: return replace(server);
      case 4: servers_.break_link(server); return link_later();
      case 5:
        if (!servers_.is_primary(server)) servers_.follow(server, any_primary());
        return;
      case 6: return look_elsewhere();
      case 7: return servers_.slow_down(server);
      case 8: return servers_.dump(server);
      case 9: return servers_.follow(server, dice_.below(servers_.size()));
      default: return bounce(server);
    }
  }

  // A replica takes over; some follow it, and some hosts hear of it. The former primary goes on.
  void fail_over(std::size_t server) {
    const std::size_t former = servers_.primary_of(server);
    if (former == RedisServers::kNone || !servers_.is_up(server)) return;
    if (dice_.percent(30)) servers_.dump(server);
    servers_.promote(server);
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      if (servers_.primary_of(i) == former && dice_.percent(50)) servers_.follow(i, server);
    }
    link_later();
    for (Host& host : hosts_) {
      if (dice_.percent(60)) host.view = server;
    }
    if (dice_.percent(50)) drop_connections();
  }

  void replace(std::size_t server) {
    const std::size_t fresh = servers_.replace(server, dice_.percent(50));
    if (fresh == RedisServers::kNone) return;
    servers_.follow(fresh, any_primary());
    link_later();
  }

  // It goes from one primary to another, and back: sometimes with what it had there.
  void bounce(std::size_t server) {
    if (servers_are_well_ || server >= servers_.size() || servers_.is_primary(server)) return;
    const std::size_t next = dice_.below(servers_.size());
    if (other_primary(server) == servers_.primary_of(server) && next != server) fail_over(next);
    if (dice_.percent(goes_back_percent_)) servers_.restart(server, true);  // before it went there
    if (dice_.percent(servers_.has_dump(server) ? 15 : 60)) servers_.dump(server);
    servers_.follow(server, other_primary(server));
    if (dice_.percent(85)) at(now_ms_ + dice_.between(20, bounce_ms_), {What::bounce, server});
  }

  void link_later() {
    for (std::size_t i = 0; i < servers_.size(); ++i) at(now_ms_ + dice_.between(0, kWindowMs / 4), {What::relink, i});
  }

  void link_all() {
    for (std::size_t i = 1; i < servers_.size(); ++i) servers_.follow(i, 0);
  }

  void look_elsewhere() {
    hosts_[dice_.below(kHosts)].view = any_primary();
    if (dice_.percent(60)) drop_connections();
  }

  void drop_connections() {
    for (auto& client : clients_) {
      if (dice_.percent(50)) client.second.server = RedisServers::kNone;
    }
  }

  std::size_t other_primary(std::size_t server) {
    const std::size_t former = servers_.primary_of(server), one = any_primary();
    return one == former ? any_primary() : one;
  }

  std::size_t any_primary() {
    std::vector<std::size_t> primaries;
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      if (servers_.is_primary(i)) primaries.push_back(i);
    }
    return primaries.empty() ? 0 : primaries[dice_.below(primaries.size())];
  }

  void trouble_a_process() {
    switch (dice_.below(5)) {
      case 0: loss_percent_ = dice_.percent(60) ? 0 : static_cast<unsigned>(dice_.below(30)); return;
      case 1: return set_clock(hosts_[dice_.below(kHosts)]);
      case 2:
        if (Running* const one = any()) stop(*one);
        return;
      case 3:
        if (Running* const one = any()) end(one->process->serial);
        return;
      default: return begin_process();
    }
  }

  void set_clocks() override {
    for (Host& host : hosts_) set_clock(host);
  }

  void set_clock(Host& host) { host.clock->offset_ms = dice_.between(-kToleranceMs / 2, kToleranceMs / 2); }

  void begin_process() override {
    if (running_.size() >= std::min<std::size_t>(kMostProcesses, capacity_ - 1)) return;
    const auto host = static_cast<int>(dice_.below(kHosts));
    adopt(std::make_unique<Process>(host, *hosts_[static_cast<std::size_t>(host)].clock, now_ms_, dice_, *this,
                                    Opening{false, capacity_}));
  }

  void end(std::uint64_t serial) {
    clients_.erase(serial);
    erase(serial);
  }

  // --- beginning and end ------------------------------------------------------------------------------

  // By an operator, who waits until every replica has it.
  void make_namespace() {
    const lease::Cas request = namespace_request(servers_.incarnation(0));
    lease::KnownCopies known;
    const Sight sight = *servers_.look(0);
    known.saw(sight.incarnation, sight.copies, sight.replication);
    known.named(servers_.name_for(0, dice_.below(kHosts), paths_ == Paths::loopback));
    servers_.write(0, request, known.new_names(request), now_ms_);
    while (!has_namespace()) servers_.replicate();
  }

  bool has_namespace() const {
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      if (servers_.primary_of(i) != RedisServers::kNone && !servers_.tables(i).space) return false;
    }
    return true;
  }

  void recover_servers() {
    transcript_.add("servers are well");
    servers_are_well_ = true;
    paths_ = Paths::direct;
    final_ = best_primary();
    servers_.recover(final_);
    for (Host& host : hosts_) host.view = final_;
    for (auto& client : clients_) client.second.server = RedisServers::kNone;
  }

  std::size_t best_primary() {
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      if (servers_.is_primary(i) && servers_.tables(i).space) return i;
    }
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      if (servers_.is_up(i) && servers_.tables(i).space) return i;
    }
    return 0;
  }

  // Returns true if an operator has to name the copies: too few of the named ones are there, or none were named before a
  // failover.
  bool all_may_be_stuck() const override {
    const auto sight = servers_.look(final_);
    if (!sight || !servers_.tables(final_).space) return true;
    const auto& names = servers_.names(final_);
    if (names.empty()) return sight->replication.was_replica || sight->replication.count == 0;
    std::vector<std::string> present{servers_.address(final_)};
    for (const auto& replica : sight->replication.replicas) present.push_back(replica.name);
    const auto there = std::count_if(names.begin(), names.end(), [&present](const std::string& name) {
      return std::find(present.begin(), present.end(), name) != present.end();
    });
    return static_cast<std::size_t>(there) <= names.size() / 2;
  }

  bool few_are_left() const override {
    const auto& space = servers_.tables(final_).space;
    return capacity_ < 8 || (space && space->used >= capacity_);
  }

  void tell(const Message& message) const {
    static const char* const kAsks[] = {"read", "name", "write", "look", "wait"};
    const lease::Replication& seen = message.sight->replication;
    transcript_.add("process", message.serial, kAsks[static_cast<int>(message.ask)], "at", message.server, "reign",
                    message.sight->incarnation, "copies", lease::text_of(message.sight->copies.names), "offset",
                    seen.offset);
    for (const auto& replica : seen.replicas) transcript_.add("    replica", replica.name, "has", replica.offset);
    if (message.outcome && message.cas.node) {
      transcript_.add("  node", *message.cas.node, "until", message.cas.record.until_ms - kBeginMs, "outcome",
                      static_cast<int>(*message.outcome));
    }
  }

  Paths paths_ = draw_paths();
  RedisServers servers_;
  static constexpr std::uint64_t kFaults = 11;
  const std::uint64_t favourite_ = dice_.percent(40) ? kFaults - 1 : dice_.below(kFaults);
  static constexpr std::int64_t kPacesMs[] = {kWindowMs / 2, kWindowMs, 3 * kWindowMs};
  // Between faults at most: a split may last.
  const std::int64_t pace_ms_ = paths_ == Paths::tunnels ? 3 * kWindowMs : kPacesMs[dice_.below(std::size(kPacesMs))];
  static constexpr std::int64_t kBouncesMs[] = {kWindowMs / 4, kWindowMs, 3 * kWindowMs};
  const std::int64_t bounce_ms_ = kBouncesMs[dice_.below(std::size(kBouncesMs))];
  const unsigned goes_back_percent_ = dice_.percent(50) ? 10 : 80;
  const std::uint64_t capacity_ = kNodes[dice_.below(std::size(kNodes))];
  bool servers_are_well_ = false;
  std::size_t final_ = 0;  // the primary in the end
  std::vector<Host> hosts_;
  std::map<std::uint64_t, Client> clients_;
  std::vector<Message> messages_;
};

}  // namespace

Outcome run_redis_schedule(std::uint64_t seed, bool told) { return RedisSchedule(seed, told).run(); }

}  // namespace polyflake::simulation

#include "simulation/schedule.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "simulation/course.hpp"
#include "simulation/ledger.hpp"
#include "simulation/store.hpp"

namespace polyflake::simulation {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::uint64_t kMostProcesses = 5;
constexpr std::uint64_t kEnoughNodes = 8;

class Schedule final : public Course {
 public:
  Schedule(std::uint64_t seed, Kind kind, Faults faults, bool told)
      : Course(seed, told, 5),
        faults_(faults),
        kind_(kind),
        store_(kind, dice_),
        opening_{dice_.percent(80), draw_capacity()} {
    for (std::size_t i = 0; i < kHosts; ++i) {
      hosts_.push_back({std::make_unique<HostClock>(now_ms_), false});
      set_clock(hosts_.back());
    }
  }

  Outcome run() {
    const std::int64_t end_ms = kBeginMs + dice_.between(2, 6) * kWindowMs;
    sparing_from_ms_ = end_ms - kWindowMs * 3 / 2;
    make_namespace();
    begin_process();
    for (int i = 0; i < 2; ++i) at(now_ms_ + dice_.between(0, dice_.percent(50) ? 4 : kWindowMs), {What::start});
    at(now_ms_ + kWindowMs / 8, {What::fault});
    // The store is well a little earlier: a holder finds a new reign when it renews.
    run_until(end_ms - kWindowMs / 2);
    heal();
    store_is_well_ = true;
    run_until(end_ms);
    if (!store_.tables().space && !opening_.makes_namespace) running_.clear();  // no process makes it again
    return run_to_the_end();
  }

 private:
  struct Message {
    std::uint64_t serial;  // of the process
    int host;
    lease::Action action;  // what is asked
    Reply reply;           // or answered
  };
  struct Host {
    std::unique_ptr<HostClock> clock;
    bool aside;  // reaches the other primary, where there are two
  };

  // --- what processes ask for -----------------------------------------------------------------------

  void send(Process& process, std::uint64_t number, const lease::Action& action) override {
    messages_.push_back({process.serial, process.host(), action, {number, {}, {}}});
    travel(What::request, messages_.size() - 1);
  }

  void issued(Process& process, std::uint64_t id, bool in_order) override {
    transcript_.add("process", process.serial, "issues", id >> 7, "of node", id >> 4 & 7, "sequence", id & 15);
    check(id, in_order);
    if (process.has_to_stop()) fail(outcome_.outside, "a stamp of a holder that saw the store's revision fall");
    const std::uint64_t tick = id >> 7;
    if (!ledger_.stamp(process.serial, id >> 4 & 7, layout().time_of(tick), layout().time_of(tick + 1)))
      fail(outcome_.outside, "a stamp outside of every window that the store granted");
  }

  bool copies_now() override { return well_ ? false : dice_.permille(30); }

  // --- events ---------------------------------------------------------------------------------------

  // Mostly short; sometimes longer than anybody waits.
  std::int64_t delay_ms() override {
    if (well_ || dice_.percent(80)) return dice_.between(0, 4);
    return dice_.between(0, dice_.percent(80) ? kWindowMs / 20 : 2 * kWindowMs);
  }

  void happen(const Event& event) override {
    switch (event.what) {
      case What::promotion: promote(); break;
      case What::heal: heal(); break;
      case What::interlude: forget_for_a_while(); break;
      case What::failover: fail_over_to_before(); break;
      default: break;
    }
  }

  bool go_on(Running& one) override {
    Process& process = *one.process;
    const std::uint64_t serial = process.serial;
    process.step(!well_ && !hasty_);
    const bool gone = process.gone();
    if (auto original = process.take_original()) {
      ledger_.pass(serial, original->serial);
      admit(std::move(original));  // which may end this one, and moves all
    }
    if (gone) {
      end(serial);
      return false;
    }
    Running* const running = find(serial);
    if (running == nullptr) return false;
    if (!well_ && process.in_the_middle() && dice_.percent(stop_percent_)) stop(*running);
    // A creation that comes when another one came, was used and is gone.
    if (!well_ && focused_ && process.is_about_to_create() && dice_.percent(20)) {
      stop_for(*running, dice_.between(kWindowMs, 2 * kWindowMs));
    }
    // A floor that was reckoned while another primary still counted.
    if (!well_ && focused_ && store_.has_two() && process.is_about_to_write_space() && dice_.percent(50)) {
      stop_for(*running, dice_.between(kWindowMs / 4, kWindowMs * 3 / 4));
    }
    return true;
  }

  void serve(std::uint64_t index) override {
    Message message = messages_[index];
    const bool aside = hosts_[static_cast<std::size_t>(message.host)].aside;
    const bool loses = faults_.losing_store && !store_is_well_;
    if (message.action.kind == lease::Action::Kind::read) {
      const auto& nodes = message.action.read.nodes;
      const bool forgets = loses && !nodes.empty() && dice_.permille(10);
      const bool before = dice_.percent(50);
      const std::uint64_t node = forgets ? nodes[dice_.below(nodes.size())] : 0;
      if (forgets && before) forget(node);
      message.reply.contents = store_.read(message.action.read, aside, now_ms_);
      if (forgets && !before) forget(node);
    } else {
      const lease::Cas& cas = message.action.cas;
      const bool creates = cas.node && !cas.node_nonce;
      if (loses && store_.grants(cas) && dice_.percent(50)) store_.remember();  // some replica may lack just this
      // Mostly just before a creation that comes late: then another one may have come and gone.
      const bool late = creates && cas.record.until_ms < now_ms_ + kWindowMs / 2;
      if (loses && creates && dice_.percent(late ? 60 : 5)) forget(*cas.node);
      const lease::Contents before = store_.read(lease::Read{{cas.node.value_or(0)}}, aside, now_ms_);
      message.reply.answer = store_.cas(cas, aside, now_ms_);
      if (message.reply.answer->outcome == lease::Outcome::ok) {
        if (const char* const wrong = ledger_.write(message.serial, cas, before)) fail(outcome_.outside, wrong);
      }
      if (cas.node && message.reply.answer->outcome == lease::Outcome::ok && std::exchange(interlude_is_due_, false))
        at(now_ms_ + dice_.between(0, kWindowMs / 100), {What::interlude});
    }
    transcript_.add(message.serial, message.action, message.reply, aside);
    messages_.push_back(std::move(message));
    travel(What::reply, messages_.size() - 1);
  }

  void hand_over(std::uint64_t index) override {
    Message& message = messages_[index];
    Running* const running = find(message.serial);
    if (running == nullptr) return;
    transcript_.add("reply to", message.serial);
    // An answer to another request, as over a connection that is out of step.
    if (!well_ && message.reply.answer && dice_.permille(5))
      message.reply.answer = lease::Answer{lease::Outcome::ok, dice_.word(), std::nullopt};
    running->process->receive(message.reply);
    at(std::max(now_ms_, running->stopped_until_ms), {What::wake, message.serial});
  }

  // --- faults ---------------------------------------------------------------------------------------

  void break_something() override {
    if (well_) return;
    at(now_ms_ + dice_.between(1, focused_ ? kWindowMs : kWindowMs / 3), {What::fault});
    // What was forgotten for a while is to come back first, and be found.
    if ((store_.keeps_one() || now_ms_ < quiet_until_ms_) && dice_.percent(80)) return;
    if (dice_.percent(40)) store_.remember();
    const std::uint64_t fault = dice_.percent(favour_percent_) ? favourite_ : dice_.below(kFaults);
    transcript_.add("fault", fault);
    switch (fault) {
      case 0: return stop_one();
      case 1: return kill_one();
      case 2: return copy_one();
      case 3: return release_one();
      case 4: loss_percent_ = dice_.percent(50) ? 0 : static_cast<unsigned>(dice_.below(60)); return;
      case 5: return set_clock(hosts_[dice_.below(kHosts)]);
      case 6:
      case 7: return begin_process();
      case 8: return renew_one();
      default: return lose_something();
    }
  }

  void lose_something() {
    if (!faults_.losing_store || store_is_well_) return;
    if (kind_.counts_writes) {
      store_.put_back();
      return at(now_ms_ + dice_.between(0, kWindowMs), {What::heal});
    }
    if (dice_.percent(50)) at(now_ms_ + dice_.between(0, kWindowMs / 8), {What::start});  // whoever begins just then
    const std::uint64_t loss = dice_.percent(favour_percent_ + 10) ? favourite_loss_ : dice_.below(kLosses);
    transcript_.add("loss", loss);
    switch (loss) {
      case 0: return store_.fail_over(floor_ms());
      case 1:
        store_.split(floor_ms());
        if (dice_.percent(50)) at(now_ms_ + dice_.between(0, kWindowMs), {What::heal});
        return draw_sides();
      case 2:
        store_.offer();
        at(now_ms_ + dice_.between(focused_ ? kWindowMs / 4 : 0, kWindowMs / 2), {What::promotion});
        quiet_until_ms_ = now_ms_ + kWindowMs;
        return draw_sides();
      case 3: return heal();
      case 4: return store_.forget_all();
      case 5: interlude_is_due_ = true; return;
      case 6: return forget_nodes();
      default:
        if (dice_.percent(50)) store_.remember();
        return store_.forget_nodes(false);
    }
  }

  // A reign in between, just after somebody was granted a window. Whoever sleeps meanwhile finds its record as it was, and may
  // not know that another one was made in its place; and who made that one may sleep until its window begins.
  void forget_for_a_while() {
    if (store_is_well_ || store_.keeps_one()) return;
    store_.keep_for_later();
    if (dice_.percent(50)) {
      store_.forget_nodes(dice_.percent(50));
    } else {
      store_.fail_over_before_a_grant(floor_ms());
    }
    at(now_ms_ + dice_.between(0, kWindowMs / 20), {What::start});
    // Late enough that who began has written again, and mostly so early that who sleeps has some time left.
    const std::int64_t failover_ms = now_ms_ + dice_.between(kWindowMs / 2, kWindowMs * 9 / 10);
    at(failover_ms, {What::failover});
    const unsigned asleep_percent = has_room() && dice_.percent(50) ? 100 : 60;
    for (Running& running : running_) {
      if (dice_.percent(asleep_percent))
        running.stopped_until_ms = failover_ms + dice_.between(-kWindowMs / 40, kWindowMs / 8);
    }
  }

  void fail_over_to_before() {
    if (store_is_well_ || !store_.fail_over_to_kept(floor_ms())) return;
    quiet_until_ms_ = now_ms_ + kWindowMs / 2;
    for (Running& running : running_) {
      if (now_ms_ >= running.stopped_until_ms && dice_.percent(75))
        stop_for(running, dice_.between(kWindowMs / 4, kWindowMs));
    }
  }

  // They are made again while one of their holders sleeps, until its successor has begun and written as often as it had.
  void forget_nodes() {
    Running* const one = any();
    if (one == nullptr) return;
    store_.forget_nodes(true);
    stop_for(*one, dice_.between(kWindowMs, 2 * kWindowMs));
    at(now_ms_ + dice_.between(0, kWindowMs / 20), {What::start});
  }

  void forget(std::uint64_t node) {
    transcript_.add("forgets", node);
    if (dice_.percent(50)) store_.remember();
    store_.forget(node);
  }

  void promote() {
    transcript_.add("promotion");
    store_.promote();
    draw_sides();
    if (!focused_ || well_) return;
    for (Running& running : running_) {  // and finds out late
      if (dice_.percent(50)) stop_for(running, dice_.between(kWindowMs / 2, kWindowMs));
    }
  }

  void heal() {
    transcript_.add("heals");
    store_.heal(floor_ms());
    store_.reopen(floor_ms());
    draw_sides();
  }

  void draw_sides() {
    for (Host& host : hosts_) host.aside = store_.has_two() && dice_.percent(40);
  }

  // What an operator sets after a loss, where the store cannot tell.
  std::int64_t floor_ms() const { return now_ms_ + kWindowMs + 2 * kToleranceMs; }

  void set_clocks() override {
    for (Host& host : hosts_) set_clock(host);
  }

  void set_clock(Host& host) {
    std::int64_t& offset_ms = host.clock->offset_ms;
    offset_ms = dice_.between(-kToleranceMs / (kind_.has_clock ? 2 : 1), kToleranceMs / (kind_.has_clock ? 2 : 1));
    if (!well_ && faults_.wild_clocks && dice_.percent(40))
      offset_ms = dice_.between(-3, 3) * (dice_.percent(30) ? kHourMs : kWindowMs / 2);
  }

  // Few, so that holders follow each other on one of them; or many.
  std::uint64_t draw_capacity() {
    constexpr std::uint64_t kCapacities[] = {3, 3, kMostProcesses + 1, kEnoughNodes, kEnoughNodes};
    return kCapacities[dice_.below(std::size(kCapacities))];
  }

  // Fewer than there are node ids: else some wait for others, whatever is well. In the end the windows of the dead count, too.
  bool has_room() const {
    const auto lasts = [this](std::int64_t until_ms) { return now_ms_ > sparing_from_ms_ && now_ms_ < until_ms; };
    const auto dead = static_cast<std::size_t>(std::count_if(dead_until_ms_.begin(), dead_until_ms_.end(), lasts));
    return running_.size() + dead < std::min(kMostProcesses, opening_.capacity - 1);
  }

  void stop_one() {
    if (Running* const one = any()) stop(*one);
  }

  void kill_one() {
    if (Running* const one = any()) end(one->process->serial);
  }

  void copy_one() {
    Running* const one = any();
    if (one == nullptr || !has_room() || one->process->releasing()) return;
    auto copy = std::make_unique<Process>(*one->process, *this);
    if (dice_.percent(30)) copy->release();  // it ends at once, through its destructors
    admit(std::move(copy));
  }

  void release_one() {
    if (Running* const one = any()) one->process->release();
  }

  void renew_one() {
    if (Running* const one = any()) one->process->renew();
  }

  void begin_process() override {
    if (!has_room()) return;
    const auto host = static_cast<int>(dice_.below(kHosts));
    admit(std::make_unique<Process>(host, *hosts_[static_cast<std::size_t>(host)].clock, now_ms_, dice_, *this,
                                    opening_));
  }

  void admit(std::unique_ptr<Process> process) {
    adopt(std::move(process));
    if (running_.size() >= opening_.capacity || running_.size() > kMostProcesses) end(running_.front().process->serial);
  }

  void end(std::uint64_t serial) {
    dead_until_ms_.push_back(now_ms_ + kWindowMs + 2 * kToleranceMs);
    erase(serial);
  }

  // --- beginning and end ------------------------------------------------------------------------------

  void make_namespace() {
    if (opening_.makes_namespace) return;
    store_.cas(namespace_request(store_.read({}, false, now_ms_).incarnation), false, now_ms_);
  }

  bool few_are_left() const override {
    const auto& space = store_.tables().space;
    return opening_.capacity < kEnoughNodes || (space && space->used >= opening_.capacity);
  }

  bool all_may_be_stuck() const override { return (faults_.wild_clocks && !kind_.has_clock) || !store_.tables().space; }

  const Faults faults_;
  const Kind kind_;
  FaultyStore store_;
  const Opening opening_;
  Ledger ledger_;
  // Each schedule has more of one fault than of the others, so that it meets itself.
  static constexpr std::uint64_t kFaults = 13;
  static constexpr std::uint64_t kLosses = 8;
  static constexpr std::uint64_t kDeepLosses[] = {2, 5, 5, 6};  // of which something comes only when more happens
  const bool focused_ = dice_.percent(40);                      // on one loss
  const unsigned favour_percent_ = focused_ ? 60 : 30;
  const std::uint64_t favourite_ = focused_ ? kFaults - 1 : dice_.below(kFaults);
  const std::uint64_t favourite_loss_ =
      focused_ && dice_.percent(50) ? kDeepLosses[dice_.below(std::size(kDeepLosses))] : dice_.below(kLosses);
  const bool hasty_ = focused_ && favourite_loss_ == 5 && dice_.percent(50);  // runners do all they can at once
  bool interlude_is_due_ = false;                                             // with the next grant
  std::int64_t quiet_until_ms_ = 0;                                           // mostly
  const unsigned stop_percent_ = dice_.percent(30) ? 20 : 4;                  // between two things that a runner does
  std::int64_t sparing_from_ms_ = 0;                                          // with node ids
  std::vector<std::int64_t> dead_until_ms_;
  bool store_is_well_ = false;
  std::vector<Host> hosts_;
  std::vector<Message> messages_;
};

}  // namespace

Outcome run_schedule(std::uint64_t seed, Kind kind, Faults faults, bool told) {
  return Schedule(seed, kind, faults, told).run();
}

}  // namespace polyflake::simulation

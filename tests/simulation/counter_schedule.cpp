#include "simulation/counter_schedule.hpp"

#include <polyflake/date_numbers.hpp>
#include <polyflake/error.hpp>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "count/rules.hpp"
#include "count/task.hpp"
#include "simulation/counter_draws.hpp"
#include "simulation/counter_process.hpp"
#include "simulation/counter_transcript.hpp"
#include "simulation/crowd.hpp"
#include "simulation/short_days.hpp"

namespace polyflake::simulation {
namespace {

constexpr char kCounter[] = "simulation";

class CounterSchedule final : public CounterProcess::Outside, private Crowd<CounterProcess> {
 public:
  CounterSchedule(std::uint64_t seed, const CounterKind& kind, bool told)
      : Crowd(seed, 5), transcript_(told, now_ms_), kind_(kind), store_(kind, tolerance_ms_, now_ms_, dice_) {
    for (std::size_t i = 0; i < kHosts; ++i) {
      hosts_.push_back({std::make_unique<HostClock>(now_ms_), false});
      set_clock(hosts_.back());
    }
    make_counter();
    if (dice_.percent(30)) copies_percent_ = 30;
  }

  Outcome run() {
    for (int i = 0; i < 2; ++i) begin_process();
    at(now_ms_ + pause_ms(), {What::fault});
    run_until(kBeginMs + length_ms_);
    return run_to_the_end();
  }

 private:
  struct Message {
    std::uint64_t serial;  // of the process
    std::size_t host;
    count::Action action;  // what is asked
    CounterReply reply;    // or answered
    std::uint64_t read_rows;
  };
  struct Host {
    std::unique_ptr<HostClock> clock;
    bool aside;  // reaches the other primary, if there are two
  };

  // --- the counter ----------------------------------------------------------------------------------

  void make_counter() {
    const CounterOptions options = draw_options(kind_, digits_, dice_);
    task_ = std::make_unique<count::InitTask>(kCounter, dice_.below(3), options, periods_of(), "", dice_);
    while (task_) operate();
    use_.shape = count::shape_of(store_.record()->head);
    use_.period_of = days_.period_of();
    draw_use(use_, dice_);
  }

  bool is_date() const { return std::string_view(kind_.kind) == "date"; }

  count::PeriodsOf periods_of() const {
    return [this](const count::Shape&) { return days_.period_of(); };
  }

  std::uint64_t id_of(std::uint64_t period_label, std::uint64_t number) const {
    return is_date() ? period_label * (DateNumbers("yyyyMMdd", digits_).top() + 1) + number : number;
  }

  // --- what processes ask for -----------------------------------------------------------------------

  void send(CounterProcess& process, const count::Action& action) override {
    messages_.push_back({process.serial, process.host(), action, {action.number, {}, {}}, read_rows_[process.serial]});
    travel(What::request, messages_.size() - 1);
  }

  void issued(CounterProcess& process, std::uint64_t period_label, std::uint64_t number, bool in_order) override {
    transcript_.add("process", process.serial, "issues", number, "of", period_label);
    check(id_of(period_label, number), in_order || !keeps_all());
  }

  // --- events ---------------------------------------------------------------------------------------

  // Mostly short; sometimes longer than a caller waits.
  std::int64_t delay_ms() override {
    if (well_ || dice_.percent(80)) return dice_.between(0, 4);
    return dice_.between(0, dice_.percent(70) ? 3 * pace_ms_ : kLongestLagMs);
  }

  std::int64_t pause_ms() override { return dice_.between(1, well_ ? 100 : pace_ms_); }

  void happen(const Event& event) override {
    switch (event.what) {
      case What::heal: return heal();
      case What::interlude: return close_one();
      case What::failover: return fail_over();
      case What::operation:
        if (task_) operate();
        return;
      default: return;
    }
  }

  bool go_on(Running& one) override {
    CounterProcess& process = *one.process;
    process.step(!well_);
    if (process.gone()) {
      erase(process.serial);
      return false;
    }
    if (!well_ && dice_.percent(3)) stop_for(one, dice_.between(1, dice_.percent(50) ? 5 * pace_ms_ : length_ms_ / 2));
    return true;
  }

  void serve(std::uint64_t index) override {
    Message message = messages_[index];
    const bool aside = hosts_[message.host].aside && store_.has_two();
    const count::Action& action = message.action;
    switch (action.kind) {
      case count::Action::Kind::read:
        message.reply.contents = store_.read(aside);
        message.read_rows = store_.rows(aside);
        break;
      case count::Action::Kind::add: message.reply.answer = store_.step(action.add, aside, message.read_rows); break;
      case count::Action::Kind::head: message.reply.answer = store_.step(action.head, aside, message.read_rows); break;
      default: message.reply.answer = store_.step(action.back, aside, message.read_rows); break;
    }
    if (action.kind == count::Action::Kind::add && message.reply.answer->outcome == count::Outcome::ok) {
      note(store_.record()->head.period_label, message.reply.answer->first + action.add.n - 1);
    }
    transcript_.add(message.serial, action, message.reply, aside, store_.record());
    messages_.push_back(std::move(message));
    travel(What::reply, messages_.size() - 1);
  }

  void hand_over(std::uint64_t index) override {
    const Message& message = messages_[index];
    Running* const running = find(message.serial);
    if (running == nullptr) return;
    CounterReply reply = message.reply;
    if (reply.contents) read_rows_[message.serial] = message.read_rows;
    // An answer to another request, as over a connection that is out of step.
    if (!well_ && reply.answer && dice_.permille(5)) {
      reply.answer->outcome = count::Outcome::ok;
      reply.answer->echo = dice_.word();
    }
    transcript_.add("reply to", message.serial);
    running->process->receive(reply);
    at(std::max(now_ms_, running->stopped_until_ms), {What::wake, message.serial});
  }

  // --- faults ---------------------------------------------------------------------------------------

  void break_something() override {
    if (well_) return;
    at(now_ms_ + dice_.between(1, 8 * pace_ms_), {What::fault});
    if (running_.size() < 2) begin_process();
    const std::uint64_t fault = dice_.percent(40) ? favourite_ : dice_.below(kFaults);
    transcript_.add("fault", fault);
    switch (fault) {
      case 0:
        if (Running* const one = any()) erase(one->process->serial);
        return;
      case 1: return fork_one();
      case 2:
      case 3: return close_one();
      case 4: loss_percent_ = dice_.percent(50) ? 0 : static_cast<unsigned>(dice_.below(50)); return;
      case 5: return set_clock(hosts_[dice_.below(kHosts)]);
      case 6: return begin_process();
      case 7: return store_.set_clock();
      case 8: return raise();
      default: return lose_something();
    }
  }

  void lose_something() {
    if (!kind_.may_fail_over) return;
    const std::uint64_t loss = dice_.percent(40) ? favourite_loss_ : dice_.below(kLosses);
    transcript_.add("loss", loss);
    switch (loss) {
      case 0:  // two or three in a row
        for (std::uint64_t more = 1 + dice_.below(2); more > 0; --more) fail_over_in(dice_.between(0, 6 * pace_ms_));
        return fail_over();
      case 1:
        store_.split();
        for (Host& host : hosts_) host.aside = dice_.percent(40);
        return at(now_ms_ + dice_.between(0, 10 * pace_ms_), {What::heal});
      case 2: return store_.fail_over_to_a_late_clock();
      case 3: store_.put_back(); return close_soon();
      case 4: {  // about midnight
        const std::int64_t off_ms = dice_.between(-4 * tolerance_ms_, 4 * tolerance_ms_);
        return fail_over_in(std::max<std::int64_t>(0, days_.ms_left(now_ms_) + off_ms));
      }
      default: return fail_over();
    }
  }

  void fail_over_in(std::int64_t ms) { at(now_ms_ + ms, {What::failover}); }

  void fail_over() {
    if (well_) return;
    store_.fail_over();
    transcript_.add("failover to");
    transcript_.add_record(*store_.record());
    close_soon();
  }

  // A process closes just after a jump, before another one takes a range.
  void close_soon() {
    const std::int64_t longest_ms = 4 * tolerance_ms_ + pace_ms_;
    for (int i = 0; i < 2; ++i) {
      if (dice_.percent(30)) at(now_ms_ + dice_.between(0, longest_ms), {What::interlude});
    }
  }

  void heal() {
    store_.heal();
    for (Host& host : hosts_) host.aside = false;
  }

  void set_clock(Host& host) {
    host.clock->offset_ms = dice_.between(-2 * tolerance_ms_, 2 * tolerance_ms_);
    if (!well_ && dice_.percent(30))
      host.clock->offset_ms = dice_.between(-3, 3) * (dice_.percent(50) ? kHourMs : 30'000);
  }

  void begin_process() override { begin_on(dice_.below(kHosts)); }

  void begin_on(std::size_t host) {
    if (running_.size() >= kMostProcesses) return;
    adopt(std::make_unique<CounterProcess>(host, *hosts_[host].clock, now_ms_, dice_, *this, use_),
          dice_.between(0, pace_ms_));
  }

  // A copy of a process makes all of it itself, and so begins as any other.
  void fork_one() {
    if (Running* const one = any()) begin_on(one->process->host());
  }

  void close_one() {
    if (Running* const one = any()) one->process->close();
  }

  // --- the operator ---------------------------------------------------------------------------------

  // The greatest number that was given out.
  void note(std::uint64_t period_label, std::uint64_t number) {
    const std::pair<std::uint64_t, std::uint64_t> last(period_label, number);
    highest_ = std::max(highest_, last);
  }

  // The operator speaks of the present period by the store's clock.
  void raise() {
    if (task_) return;
    const std::optional<std::uint64_t> label = present_label();
    const std::uint64_t given_out = highest_.first == label.value_or(0) ? highest_.second : 0;
    const std::uint64_t after = given_out + dice_.below(dice_.percent(50) ? 2 : 200);
    task_ = std::make_unique<count::RaiseTask>(kCounter, std::min(after, store_.record()->head.top), label,
                                               periods_of(), "", dice_);
    at(now_ms_, {What::operation});
  }

  // Nothing: a segment has no periods.
  std::optional<std::uint64_t> present_label() const {
    return is_date() ? std::optional(days_.period_of()(*store_.read(false).store_ms)->label) : std::nullopt;
  }

  // One thing that the operator's task does.
  void operate() {
    try {
      const count::Action action = task_->next({now_ms_, now_ms_});
      switch (action.kind) {
        case count::Action::Kind::read:
          read_rows_[kOperator] = store_.rows(false);
          task_->deliver(store_.read(false));
          break;
        case count::Action::Kind::head: set_counter(action.head); break;
        case count::Action::Kind::sleep: return at(action.mono_ms, {What::operation});
        default: task_.reset(); return;
      }
    } catch (const Error&) {
      task_.reset();
    }
    at(now_ms_ + delay_ms(), {What::operation});
  }

  // Writes what the operator vouches for, if it is true by then.
  void set_counter(const count::WriteHead& head) {
    const auto before = store_.record();
    const std::pair<std::uint64_t, std::uint64_t> next(head.record.head.period_label, head.record.next);
    if (before && next <= highest_) return task_.reset();
    const count::Answer answer = store_.step(head, false, read_rows_[kOperator]);
    transcript_.add("the operator sets the counter:", answer.outcome == count::Outcome::ok ? "ok" : "refused");
    if (answer.outcome == count::Outcome::ok) {
      transcript_.add_record(*store_.record());
      // A new term that may lead above the old ceiling must not be lost: the operator waits for the replicas.
      const bool rises = !before || before->head.period_label != head.record.head.period_label ||
                         head.record.head.base > before->head.base;
      if (rises) store_.confirm();
    }
    task_->deliver(answer);
  }

  // --- the end --------------------------------------------------------------------------------------

  // From now on all is well: soon everybody has to issue.
  Outcome run_to_the_end() {
    transcript_.add("all is well");
    well_ = true;
    loss_percent_ = 0;
    heal();
    store_.set_clock();
    for (Host& host : hosts_) set_clock(host);
    for (Running& running : running_) running.stopped_until_ms = 0;
    if (running_.empty()) begin_process();
    for (Running& running : running_) at(now_ms_, {What::step, running.process->serial});
    use_.numbers = 1;
    run_until(now_ms_ + kSettlingMs);
    if (outcome_.failure.empty() && keeps_all() && stops() && !store_.is_settled()) expect_refusal();
    if (stops()) settle();
    if (keeps_all()) expect_numbers();
    outcome_.ids = ids();
    running_.clear();  // while their hosts are there
    return outcome_;
  }

  // A broken promise has to show as an id twice.
  bool keeps_all() const { return rules_left_out<count::Rule> == 0 && !kind_.lost_states_return; }

  bool stops() const { return std::string_view(kind_.failover) == "stop" || !kind_.has_clock; }

  // The options of a process that opens the counter now.
  void expect_refusal() {
    if (running_.size() >= kMostProcesses) erase(running_.front().process->serial);
    begin_process();
    const std::uint64_t serial = running_.back().process->serial;
    run_until(now_ms_ + kSettlingMs);
    const Running* const running = find(serial);
    if (running == nullptr) return;  // it was closed meanwhile
    if (!store_.is_settled() && running->process->failure() != ErrorCode::store_went_back)
      fail(outcome_.outside, "a counter that stops does not say so");
  }

  // The operator sets the counter, and has to succeed: a period that the store's clock has not
  // reached again is over soon.
  void settle() {
    const std::int64_t end_ms = now_ms_ + kPatienceMs + 2 * days_.length_ms;
    while (outcome_.failure.empty() && !store_.is_settled() && now_ms_ < end_ms) {
      raise();
      run_until(now_ms_ + kSettlingMs);
    }
    if (keeps_all() && outcome_.failure.empty() && !store_.is_settled())
      fail(outcome_.stuck, "the operator cannot set the counter");
  }

  void expect_numbers() {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> before;
    for (const Running& running : running_) before.emplace_back(running.process->serial, running.process->issued());
    const auto waits = [this](const std::pair<std::uint64_t, std::uint64_t>& one) {
      const Running* const running = find(one.first);
      return running != nullptr && !running->process->closing() && running->process->issued() == one.second;
    };
    const std::int64_t end_ms = now_ms_ + kPatienceMs + (is_date() ? 2 * days_.length_ms : 0);
    const auto some_wait = [&] { return std::any_of(before.begin(), before.end(), waits); };
    while (outcome_.failure.empty() && some_wait() && now_ms_ < end_ms) run_until(now_ms_ + 200);
    if (outcome_.failure.empty() && some_wait()) fail(outcome_.stuck, "no numbers after all was well again");
  }

  static constexpr std::size_t kMostProcesses = 5;
  static constexpr std::uint64_t kOperator = 0;  // serials of processes begin at 1
  static constexpr std::int64_t kHourMs = 3'600'000;
  static constexpr std::int64_t kSettlingMs = 3000;     // an answer that never comes, and some rounds
  static constexpr std::int64_t kPatienceMs = 120'000;  // of those who share two numbers a second
  static constexpr std::uint64_t kFaults = 14;
  static constexpr std::uint64_t kLosses = 7;
  static constexpr std::int64_t kPacesMs[] = {20, 100, 400, 1500};
  static constexpr std::int64_t kTolerancesMs[] = {20, 200, 500};

  const CounterTranscript transcript_;
  const CounterKind kind_;
  const std::int64_t tolerance_ms_ = one_of(kTolerancesMs, dice_);
  const std::int64_t pace_ms_ = one_of(kPacesMs, dice_);  // the longest pause between two steps of a process
  const std::int64_t length_ms_ = pace_ms_ * dice_.between(40, 120);
  const ShortDays days_{std::max(length_ms_ / dice_.between(1, 6), 6 * tolerance_ms_ + 500), kBeginMs, dice_};
  const std::uint64_t digits_ = 2 + dice_.below(3);
  const std::uint64_t favourite_ = dice_.below(kFaults);
  const std::uint64_t favourite_loss_ = dice_.below(kLosses);
  FaultyCounterStore store_;
  CounterUse use_;
  std::vector<Host> hosts_;
  std::deque<Message> messages_;
  std::unique_ptr<count::Task> task_;                 // of the operator, one at a time
  std::map<std::uint64_t, std::uint64_t> read_rows_;  // by the process that reads them
  std::pair<std::uint64_t, std::uint64_t> highest_;   // period and number
};

}  // namespace

Outcome run_counter_schedule(std::uint64_t seed, const CounterKind& kind, bool told) {
  return CounterSchedule(seed, kind, told).run();
}

}  // namespace polyflake::simulation

// Runs the vectors of counters, steps, dates and ticket servers. The machine makes the decisions of a counter; the steps of
// a store write its record.
#include <polyflake/error.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "count/adaptive_step.hpp"
#include "count/ceiling.hpp"
#include "count/heads.hpp"
#include "count/machine.hpp"
#include "count/task.hpp"
#include "count/tickets.hpp"
#include "vectors.hpp"

namespace polyflake::test {
namespace {

using count::Action;
using count::Outcome;
using count::Word;

constexpr std::int64_t kMonoMs = 1'000'000;  // any time

Word word(const std::string& name) { return {fnv1a(name), 1}; }

class Dice final : public lease::Random {
 public:
  std::uint64_t bits() override { return state_ = state_ * 6364136223846793005 + 1442695040888963407; }

 private:
  std::uint64_t state_ = 1;
};

count::Wide wide_of(const Json& value) {
  const std::string text = value.get<std::string>();
  const bool negative = text[0] == '-';
  count::Wide number = 0;
  for (const char c : text.substr(negative ? 1 : 0)) number = number * 10 + (c - '0');
  return negative ? -number : number;
}

std::uint64_t unsigned_of(const Json& value) { return static_cast<std::uint64_t>(signed_number(value)); }

std::string text_in(const Json& object, const char* key) { return object.value(key, std::string()); }

std::int64_t now_of(const Json& step) { return step.contains("now_ms") ? signed_number(step.at("now_ms")) : 0; }

// --- records -----------------------------------------------------------------------------------------

// The fields of a record as vectors name them.
Json fields_of(const count::Record& record) {
  const count::Head& head = record.head;
  Json fields = {{"kind", head.kind},
                 {"failover", head.failover},
                 {"rate", std::to_string(head.rate)},
                 {"burst", std::to_string(head.burst)},
                 {"top", std::to_string(head.top)},
                 {"topped_up_ms", std::to_string(head.topped_up_ms)},
                 {"until_ms", std::to_string(record.until_ms)},
                 {"next", std::to_string(record.next)},
                 {"room", std::to_string(record.room)},
                 {"incarnation", record.incarnation}};
  if (head.kind != "date") return fields;
  fields["period"] = head.period;
  fields["digits"] = std::to_string(head.digits);
  fields["zone"] = head.zone;
  fields["label"] = std::to_string(head.period_label);
  fields["start_ms"] = std::to_string(head.period_start_ms);
  return fields;
}

count::Record record_of(const Json& fields) {
  count::Record record;
  count::Head& head = record.head;
  head.kind = text_in(fields, "kind");
  head.failover = text_in(fields, "failover");
  head.period = text_in(fields, "period");
  if (fields.contains("digits")) head.digits = number(fields.at("digits"));
  head.zone = text_in(fields, "zone");
  head.rate = number(fields.at("rate"));
  head.burst = number(fields.at("burst"));
  head.top = number(fields.at("top"));
  if (fields.contains("base")) head.base = wide_of(fields.at("base"));
  head.topped_up_ms = signed_number(fields.at("topped_up_ms"));
  if (fields.contains("label")) head.period_label = number(fields.at("label"));
  if (fields.contains("start_ms")) head.period_start_ms = signed_number(fields.at("start_ms"));
  head.nonce = word(text_in(fields, "head_nonce"));
  record.until_ms = signed_number(fields.at("until_ms"));
  record.next = number(fields.at("next"));
  record.room = number(fields.at("room"));
  record.incarnation = text_in(fields, "incarnation");
  record.term = word(text_in(fields, "term"));
  record.nonce = word(text_in(fields, "nonce"));
  return record;
}

// --- steps of a counter --------------------------------------------------------------------------------

// A counter, what is expected of its record, and the present step.
struct Case {
  std::optional<count::Record> record;
  Json expected;  // fields of the record
  const Json* step = nullptr;
  Dice dice;

  const Json& at(const char* key) const { return step->at(key); }
  Word fresh() const { return word(text_in(*step, "fresh")); }

  count::Contents contents() const {
    count::Contents contents;
    contents.space.emplace();
    contents.space->uuid = word("namespace");
    contents.space->tolerance_ms = step->contains("tolerance_ms") ? signed_number(at("tolerance_ms")) : 0;
    contents.record = record;
    contents.incarnation = text_in(*step, "incarnation");
    contents.store_ms = now_of(*step);
    return contents;
  }

  std::optional<count::Period> within() const {
    if (!step->contains("within")) return std::nullopt;
    const Json& period = at("within");
    return count::Period{number(period.at("label")), signed_number(period.at("start_ms")),
                         signed_number(period.at("end_ms"))};
  }

  count::Settings settings() const {
    count::Settings settings;
    settings.counter = "orders";
    settings.shape = count::shape_of(record->head);
    settings.period_of = [period = within()](std::int64_t) { return period; };
    settings.timeout_ms = INT64_MAX;
    return settings;
  }

  template <class Request>
  count::Answer carry_out(const Request& request) {
    const count::Contents now = contents();
    return count::step(record, request, {now.space, now.incarnation, now.store_ms});
  }
};

const char* why(Outcome outcome, const char* conflict) {
  switch (outcome) {
    case Outcome::absent: return "absent";
    case Outcome::term: return "term";
    case Outcome::incarnation: return "incarnation";
    case Outcome::until: return "until";
    case Outcome::room: return "room";
    case Outcome::conflict: return conflict;
    default: return "ok";
  }
}

void require_outcome(const Case& test, const count::Answer& answer, const char* conflict) {
  const std::string expected = test.at("expect").value("why", "ok");
  require_equal(std::string(why(answer.outcome, conflict)), expected, "why");
}

template <class Request>
Request request_of(const Case& test) {
  const Json& asks = test.at("asks");
  Request request;
  request.counter = "orders";
  request.echo = test.fresh();
  request.uuid = word("namespace");
  request.term = word(asks.at("term").get<std::string>());
  request.incarnation = asks.at("incarnation").get<std::string>();
  return request;
}

void do_add(Case& test) {
  auto request = request_of<count::Add>(test);
  request.until_ms = signed_number(test.at("asks").at("until_ms"));
  request.n = number(test.at("asks").at("n"));
  const count::Answer answer = test.carry_out(request);
  require_outcome(test, answer, "conflict");
  if (answer.outcome == Outcome::ok) require_equal(answer.first, number(test.at("expect").at("first")), "first");
}

void do_back(Case& test) {
  auto request = request_of<count::Back>(test);
  request.nonce = word(test.at("asks").at("nonce").get<std::string>());
  request.n = number(test.at("asks").at("n"));
  require_outcome(test, test.carry_out(request), "nonce");
}

void do_head(Case& test) {
  auto request = request_of<count::WriteHead>(test);
  const Json& writes = test.at("writes");
  request.head_nonce = word(test.at("asks").at("head_nonce").get<std::string>());
  request.record = *test.record;
  request.record.head.nonce = test.fresh();
  request.record.incarnation = request.incarnation;
  request.room_change = signed_number(writes.at("room_by"));
  if (writes.contains("topped_up_ms")) request.record.head.topped_up_ms = signed_number(writes.at("topped_up_ms"));
  request.sets_next = writes.contains("next");
  if (request.sets_next) {
    request.record.next = number(writes.at("next"));
    request.record.room += static_cast<std::uint64_t>(request.room_change);
    request.record.nonce = test.fresh();
  }
  require_outcome(test, test.carry_out(request), "head");
}

void run(Case& test, count::Task& task) {
  for (;;) {
    const Action action = task.next({0, 0});
    if (action.kind == Action::Kind::done) return;
    if (action.kind == Action::Kind::read) task.deliver(test.contents());
    else task.deliver(test.carry_out(action.head));
  }
}

count::PeriodsOf periods_in(const Case& test) {
  return [&test](const count::Shape& shape) -> count::PeriodOf {
    count::periods_of(shape);  // its refusals
    return [&test](std::int64_t) { return test.within(); };
  };
}

void do_init(Case& test) {
  const Json& given = test.at("options");
  require_known_keys(given, {"after", "kind", "rate", "burst", "top", "failover", "period", "digits", "zone"});
  // A call without it is not compiled.
  if (!given.contains("after")) throw Error(ErrorCode::option_invalid, "init_counter takes the last number");
  CounterOptions options;
  options.kind = given.value("kind", options.kind);
  options.failover = given.value("failover", options.failover);
  if (given.contains("rate")) options.rate = unsigned_of(given.at("rate"));
  if (given.contains("burst")) options.burst = unsigned_of(given.at("burst"));
  if (given.contains("top")) options.top = unsigned_of(given.at("top"));
  if (given.contains("period")) options.period = given.at("period").get<std::string>();
  if (given.contains("digits")) options.digits = static_cast<std::uint64_t>(given.at("digits").get<std::int64_t>());
  if (given.contains("zone")) options.zone = given.at("zone").get<std::string>();
  count::InitTask task("orders", unsigned_of(given.at("after")), options, periods_in(test), "", test.dice);
  run(test, task);
}

void do_raise(Case& test) {
  count::RaiseTask task("orders", unsigned_of(test.at("after")), std::nullopt, periods_in(test), "", test.dice);
  run(test, task);
}

// The machine's first action once it has read the counter.
Action first_action(Case& test, count::Machine& machine, std::uint64_t step, std::uint64_t waiting) {
  const std::int64_t wall_ms = test.step->contains("wall_ms") ? signed_number(test.at("wall_ms")) : now_of(*test.step);
  const lease::Time now{wall_ms, kMonoMs};
  machine.take(step, waiting);
  machine.deliver(machine.poll(now).number, test.contents(), now);
  Action action = machine.poll(now);
  const auto& failure = machine.failure();
  if (action.kind == Action::Kind::sleep && failure) throw Error(failure->code, failure->message);
  return action;
}

std::string name_of(const Case& test, const Action& action) {
  const count::Record& record = *test.record;
  const std::int64_t now_ms = now_of(*test.step);
  if (action.kind == Action::Kind::add) return "add";
  if (action.kind == Action::Kind::head) {
    if (action.head.record.head.period_label != record.head.period_label) return "new_period";
    return action.head.record.incarnation != record.incarnation ? "jump" : "top_up";
  }
  // Waits before it writes.
  const bool is_date = record.head.period_label != 0;
  if (is_date && (now_ms >= record.until_ms || now_ms < record.head.period_start_ms - 600'000)) return "wait";
  if (record.incarnation != text_in(*test.step, "incarnation")) return "jump";
  return record.room == 0 ? "top_up" : "nothing";
}

void do_take(Case& test) {
  count::Machine machine(test.settings(), test.dice);
  const Action action = first_action(test, machine, number(test.at("step")), number(test.at("waiting")));
  require_equal(name_of(test, action), test.at("expect").at("do").get<std::string>(), "do");
  if (action.kind == Action::Kind::add) require_equal(action.add.n, number(test.at("expect").at("n")), "n");
}

void require_wait(const Case& test, std::optional<std::int64_t> ms) {
  const Json& expect = test.at("expect");
  require_equal(ms.has_value(), expect.contains("wait_ms"), "whether it waits");
  if (ms) require_equal(*ms, signed_number(expect.at("wait_ms")), "wait_ms");
}

std::optional<std::int64_t> wait_for_room(const count::Record& record, std::int64_t now_ms) {
  if (record.room > 0) return std::nullopt;
  return std::min(count::ms_until_room(record, now_ms), record.until_ms - now_ms);
}

// A machine tops up when it is due; here it is asked for at any time.
void do_top_up(Case& test) {
  const std::int64_t now_ms = now_of(*test.step);
  if (count::room_to_top(*test.record) == 0) throw Error(ErrorCode::range_exhausted, "the last number is given out");
  const count::Record written = count::topped_up(*test.record, now_ms);
  require_wait(test, wait_for_room(written, now_ms));
  if (written.room == 0) return;
  test.record = written;
  test.record->head.nonce = test.dice.word();
}

// Jumps and new periods.
void do_change(Case& test) {
  count::Machine machine(test.settings(), test.dice);
  const Action action = first_action(test, machine, 1, 1);
  const std::int64_t now_ms = now_of(*test.step);
  if (action.kind == Action::Kind::head) {
    test.carry_out(action.head);
    const bool exhausted = count::room_to_top(*test.record) == 0;
    return require_wait(test, exhausted ? std::nullopt : wait_for_room(*test.record, now_ms));
  }
  const auto period = test.within();  // of the store's time: the one that may be opened, or the recorded one
  const bool early = now_ms < test.record->head.topped_up_ms;
  const std::int64_t until_ms = period ? period->end_ms : test.record->until_ms;
  require_wait(test, (early ? test.record->head.topped_up_ms : until_ms) - now_ms);
}

// A machine to which a store has given ranges.
struct Holder {
  Dice dice;
  count::Machine machine;
  const lease::Time now{0, kMonoMs};

  static count::Contents contents() {
    count::Contents contents;
    contents.space.emplace();
    contents.record.emplace();
    contents.record->head = count::head_of({}, 0);
    contents.record->until_ms = INT64_MAX;
    contents.record->room = UINT64_MAX >> 1;
    contents.store_ms = 0;
    return contents;
  }
  static count::Settings settings() {
    count::Settings settings;
    settings.counter = "orders";
    return settings;
  }

  Holder() : machine(settings(), dice) { machine.deliver(machine.poll(now).number, contents(), now); }

  void give(std::uint64_t first, std::uint64_t end) {
    machine.take(end - first, end - first);
    const Action add = machine.poll(now);
    machine.deliver(add.number, {Outcome::ok, add.add.echo, first, UINT64_MAX >> 1}, now);
    if (machine.failure()) throw Error(machine.failure()->code, machine.failure()->message);
    require_equal(static_cast<int>(machine.poll(now).kind), static_cast<int>(Action::Kind::granted), "action");
  }
};

void do_rest(Case& test) {
  Holder holder;
  std::uint64_t unused = 0;  // what is handed out is handed out in order
  for (const Json& range : test.at("ranges")) {
    holder.give(number(range[0]), number(range[1]));
    if (unused == 0 || number(range[2]) > number(range[0])) unused = number(range[2]);
  }
  holder.machine.close(unused);
  const Action action = holder.machine.poll(holder.now);
  require_equal(action.kind == Action::Kind::back ? action.back.n : 0, number(test.at("expect").at("n")), "n");
}

void do_keep(Case& test) {
  Holder holder;
  if (test.step->contains("last")) holder.give(number(test.at("last")), number(test.at("last")) + 1);
  const std::uint64_t first = number(test.at("first"));
  holder.give(first, first + 1);
}

const std::map<std::string, void (*)(Case&)> kSteps = {
    {"init", do_init},         {"raise", do_raise}, {"add", do_add},       {"back", do_back},
    {"head", do_head},         {"take", do_take},   {"top_up", do_top_up}, {"jump", do_change},
    {"new_period", do_change}, {"rest", do_rest},   {"keep", do_keep}};

void require_word(const Word& before, Word& actual, const Json& changes, const char* name, const Case& test) {
  if (!changes.contains(name)) return require_equal(actual == before, true, std::string(name) + " unchanged");
  const std::string expected = changes.at(name).get<std::string>();
  require_equal(expected, text_in(*test.step, "fresh"), name);
  require_equal(actual == before, false, std::string(name) + " unchanged");
  actual = test.fresh();
}

void require_record(Case& test, const count::Record& before) {
  const Json changes = test.at("expect").value("record", Json::object());
  test.expected.update(changes);
  if (!test.record) return require_equal(test.expected.empty(), true, "no record");
  const Json fields = fields_of(*test.record);
  for (const auto& [name, value] : fields.items()) {
    if (value != test.expected.at(name)) {
      throw Mismatch(name + " is " + value.dump() + ", expected " + test.expected.at(name).dump());
    }
  }
  // A record without a ceiling has no base.
  const bool has_base = test.expected.contains("base");
  if (has_base && test.record->head.base != wide_of(test.expected.at("base"))) throw Mismatch("another base");
  require_word(before.head.nonce, test.record->head.nonce, changes, "head_nonce", test);
  require_word(before.nonce, test.record->nonce, changes, "nonce", test);
  require_word(before.term, test.record->term, changes, "term", test);
}

void check_counter_step(Case& test) {
  const count::Record before = test.record.value_or(count::Record());
  expecting(*test.step, [&] { kSteps.at(test.at("op").get<std::string>())(test); });
  if (!test.step->contains("error")) return require_record(test, before);
  if (test.record) require_equal(fields_of(*test.record) == fields_of(before), true, "nothing written");
}

}  // namespace

void check_counter(const Json& given) {
  Case test;
  test.expected = given.value("record", Json::object());
  if (given.contains("record")) test.record = record_of(given.at("record"));
  std::size_t number_of_step = 0;
  for (const Json& step : given.at("steps")) {
    ++number_of_step;
    test.step = &step;
    try {
      check_counter_step(test);
    } catch (const std::exception& error) {
      throw Mismatch("step " + std::to_string(number_of_step) + ": " + error.what());
    }
  }
}

void check_step_group(const Json& test) {
  const Json given = test.value("options", Json::object());
  require_known_keys(given, {"step", "hold_ms", "min_step", "max_step"});
  count::AdaptiveStep::Limits limits;
  limits.hold_ms = given.value("hold_ms", limits.hold_ms);
  limits.min_step = static_cast<std::uint64_t>(given.value("min_step", static_cast<std::int64_t>(limits.min_step)));
  limits.max_step = static_cast<std::uint64_t>(given.value("max_step", static_cast<std::int64_t>(limits.max_step)));
  std::optional<std::uint64_t> fixed;
  if (given.contains("step")) fixed = static_cast<std::uint64_t>(given.at("step").get<std::int64_t>());
  count::AdaptiveStep step(limits, fixed);
  std::vector<std::uint64_t> steps = {step.value()};
  for (const Json& fetch : test.at("fetches")) {
    step.adapt(fetch[0].get<std::uint64_t>(), fetch[1].get<std::int64_t>());
    steps.push_back(step.value());
  }
  if (Json(steps) != test.at("expect").at("steps")) throw Mismatch("steps are " + Json(steps).dump());
}

void check_date(const Json& test) {
  const std::string op = test.at("op").get<std::string>();
  const Json& given = test.at("options");
  require_known_keys(given, {"period", "digits", "prefix", "zone"});
  const std::string period = given.value("period", "yyyyMMdd"), prefix = given.value("prefix", "");
  const std::string zone = given.value("zone", "+00:00");
  const std::int64_t digits = given.value("digits", std::int64_t{6});
  const DateNumbers numbers(period, static_cast<std::uint64_t>(digits), prefix);
  const count::PeriodOf period_of = count::periods_of({"date", period, static_cast<std::uint64_t>(digits), zone});
  const Json expect = test.value("expect", Json::object());
  if (op == "make") {
    const Json made = {{"period", period}, {"digits", digits}, {"prefix", prefix}, {"zone", zone}};
    if (made != expect) throw Mismatch("other options");
  } else if (op == "period") {
    const count::Period found = period_of(signed_number(test.at("time_ms"))).value();
    require_equal(found.label, number(expect.at("label")), "label");
    require_equal(found.start_ms, signed_number(expect.at("start_ms")), "start_ms");
    require_equal(found.end_ms, signed_number(expect.at("end_ms")), "end_ms");
  } else if (op == "write") {
    const std::uint64_t made = numbers.number({number(test.at("label")), unsigned_of(test.at("n"))});
    require_equal(made, number(expect.at("number")), "number");
    require_equal(numbers.text(made), expect.at("text").get<std::string>(), "text");
  } else {
    require_equal(op, std::string("read"), "operation");
    const std::uint64_t read = numbers.parse(test.at("text").get<std::string>());
    require_equal(read, number(expect.at("number")), "number");
    require_equal(numbers.parts(read).label, number(expect.at("label")), "label");
    require_equal(numbers.parts(read).count, number(expect.at("n")), "n");
  }
}

namespace {

using count::TicketServers;

std::string shown(TicketServers::Verdict verdict, std::uint64_t number) {
  switch (verdict) {
    case TicketServers::Verdict::id: return std::to_string(number);
    case TicketServers::Verdict::again: return "again";
    case TicketServers::Verdict::misconfigured: return "store_misconfigured";
    case TicketServers::Verdict::went_back: return "store_went_back";
  }
  return "";
}

// A call for one number, as a package makes it. Returns the number or the code.
std::string call(TicketServers& servers, const Json& test) {
  const std::int64_t now_ms = signed_number(test.at("now_ms"));
  std::size_t server = 0;  // none
  bool set_again = false;
  for (const Json& ask : test.at("asks")) {
    if (server == 0) server = servers.next(now_ms).value_or(0);
    require_equal(server, ask.at("server").get<std::size_t>(), "server");
    require_equal(set_again, ask.value("set_again", false), "set_again");
    set_again = false;
    const std::string reply = ask.at("reply").get<std::string>();
    if (reply == "deadlock" || reply == "lock_wait") continue;
    if (reply == "failed") {
      servers.failed(server, now_ms);
      servers.release(server);
      server = 0;
      continue;
    }
    const auto verdict = servers.answered(server, number(reply));
    set_again = verdict == TicketServers::Verdict::again;
    if (set_again) continue;
    servers.release(server);
    return shown(verdict, number(reply));
  }
  require_equal(servers.next(now_ms).has_value(), false, "whether another server is up");
  return "store_unavailable";
}

}  // namespace

void check_ticket(const Json& test) {
  TicketServers servers(test.at("servers").get<std::size_t>());
  const std::string op = test.at("op").get<std::string>();
  if (op == "calls") {
    for (const Json& one : test.at("calls")) {
      const std::string expected = one.at(one.contains("error") ? "error" : "number").get<std::string>();
      require_equal(call(servers, one), expected, "result");
    }
    return;
  }
  require_equal(op, std::string("replies"), "operation");
  for (std::size_t i = 0; i < test.at("replies").size(); ++i) {
    const std::uint64_t reply = number(test.at("replies")[i]);
    const auto verdict = servers.answered(test.at("server").get<std::size_t>(), reply);
    require_equal(shown(verdict, reply), test.at("results")[i].get<std::string>(), "result");
  }
}

}  // namespace polyflake::test

#include "counter_requests.hpp"

#include <optional>
#include <random>
#include <utility>

#include "count/dialect.hpp"
#include "count/record.hpp"

namespace polyflake::test {
namespace {

using count::Outcome;

const char* name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok: return "ok";
    case Outcome::absent: return "absent";
    case Outcome::conflict: return "conflict";
    case Outcome::term: return "term";
    case Outcome::incarnation: return "incarnation";
    case Outcome::until: return "until";
    case Outcome::room: return "room";
    case Outcome::wrong_namespace: return "wrong_namespace";
    default: return "unknown";
  }
}

std::string shown(const std::optional<count::Record>& record) {
  if (!record) return "none";
  std::string text;
  for (const std::string& field : count::fields_of(*record)) text += (text.empty() ? "" : " | ") + field;
  return text;
}

class Requests {
 public:
  Requests(std::string counter, std::uint64_t seed) : counter_(std::move(counter)), random_(seed) {}

  count::Write next(const count::Contents& seen) {
    if (chance(seen.record ? 20 : 3)) return head(seen);
    return chance(4) ? count::Write(back(seen)) : count::Write(add(seen));
  }

 private:
  static constexpr std::uint64_t kTop = (std::uint64_t{1} << 63) - 2;
  static constexpr std::int64_t kLongAgoMs = 1'500'000'000'000, kFarMs = std::int64_t{1} << 53;

  bool chance(std::uint64_t of) { return random_() % of == 0; }
  count::Word word() { return {random_(), random_()}; }
  // Small, or anywhere in 63 bits: also beyond 2^53, where a double loses digits.
  std::uint64_t number(std::uint64_t most) {
    const std::uint64_t drawn = random_() >> (random_() % 62 + 1);
    return most == 0 ? 0 : drawn % most + 1;
  }

  template <class Request>
  Request conditioned(const count::Contents& seen) {
    Request request;
    request.counter = counter_;
    request.echo = word();
    request.uuid = chance(25) ? word() : seen.space->uuid;
    request.term = seen.record && !chance(25) ? seen.record->term : word();
    request.incarnation = chance(25) ? "another" : seen.incarnation;
    return request;
  }

  count::Add add(const count::Contents& seen) {
    auto request = conditioned<count::Add>(seen);
    const count::Record record = seen.record.value_or(count::Record{});
    request.until_ms = chance(25) ? kLongAgoMs + 1 : record.until_ms;
    const std::uint64_t room = record.room;
    request.n = chance(8) ? room + number(1000) : number(room / 4 + 1);
    return request;
  }

  count::Back back(const count::Contents& seen) {
    auto request = conditioned<count::Back>(seen);
    const count::Record record = seen.record.value_or(count::Record{});
    request.nonce = chance(6) ? word() : record.nonce;
    request.n = chance(8) ? record.next : number(100);
    if (chance(2)) {
      request.whole = count::Back::Whole{record.head.nonce, record.next};
      if (chance(4)) request.whole->head_nonce = word();
      if (chance(4)) ++request.whole->end;
    }
    return request;
  }

  count::WriteHead head(const count::Contents& seen) {
    auto request = conditioned<count::WriteHead>(seen);
    if (seen.record) request.head_nonce = chance(12) ? word() : seen.record->head.nonce;
    if (chance(15)) request.head_nonce.reset();
    count::Record record;
    record.head.nonce = word();
    record.head.kind = "segment";
    record.head.base = -static_cast<count::Wide>(random_()) * static_cast<count::Wide>(random_() % 1'000'000);
    record.head.rate = number(1'000'000);
    record.head.burst = number(1'000'000);
    record.head.top = kTop;
    record.head.topped_up_ms = kLongAgoMs;
    record.until_ms = chance(8) ? kLongAgoMs : kFarMs;
    record.nonce = word();
    record.term = chance(3) || !seen.record ? word() : seen.record->term;
    record.incarnation = chance(12) ? "another" : seen.incarnation;
    record.label = "it's a \\ \"label\"; DROP TABLE x --";
    record.next = number(kTop / 2);
    record.room = number(kTop / 4);
    request.sets_next = !seen.record || chance(2);
    if (!request.sets_next) {
      const auto room = static_cast<std::int64_t>(std::min(seen.record->room, std::uint64_t{1000}));
      request.room_change = chance(2) ? -room : static_cast<std::int64_t>(number(1000));
    }
    request.record = record;
    return request;
  }

  const std::string counter_;
  std::mt19937_64 random_;
};

count::Answer asked(CounterStore& store, const count::Write& write) {
  if (const auto* const add = std::get_if<count::Add>(&write)) return store.add(*add);
  if (const auto* const head = std::get_if<count::WriteHead>(&write)) return store.write_head(*head);
  return store.back(std::get<count::Back>(write));
}

}  // namespace

Compared compare_with_rules(CounterStore& store, const std::string& counter, int requests, std::uint64_t seed) {
  constexpr const char* kRequestNames[] = {"add", "head", "back"};
  Compared compared;
  Requests random(counter, seed);
  std::optional<count::Record> record;
  for (int i = 0; i < requests && compared.differences.size() < 10; ++i) {
    const count::Contents seen = store.read_counter(counter);
    if (shown(seen.record) != shown(record)) {
      compared.differences.push_back("record " + std::to_string(i) + ": " + shown(seen.record) + " is not " +
                                     shown(record));
      record = seen.record;
    }
    const count::Write write = random.next(seen);
    const count::Answer meant = count::step(record, write, {seen.space, seen.incarnation, seen.store_ms});
    const count::Answer answer = asked(store, write);
    ++compared.outcomes[name_of(answer.outcome)];
    const bool is_add = std::holds_alternative<count::Add>(write);
    const bool numbers_differ =
        is_add && answer.outcome == Outcome::ok && (answer.first != meant.first || answer.room != meant.room);
    if (answer.outcome == meant.outcome && answer.echo == meant.echo && !numbers_differ) continue;
    compared.differences.push_back(std::string(kRequestNames[write.index()]) + " " + std::to_string(i) + ": " +
                                   name_of(answer.outcome) + " " + std::to_string(answer.first) + " " +
                                   std::to_string(answer.room) + " is not " + name_of(meant.outcome) + " " +
                                   std::to_string(meant.first) + " " + std::to_string(meant.room));
  }
  return compared;
}

}  // namespace polyflake::test

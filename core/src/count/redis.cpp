// Redis: one Lua script for each request, over a hash whose fields are those of the record.
//
//   polyflake:{namespace}:counter:orders
//   polyflake:{namespace}:counters        a set: the names of the counters
//
// Numbers above 2^53 are added by HINCRBY and compared as text, since Lua has only doubles. The
// incarnation that a record gets is a literal of the request, so a replica writes the same one. The
// namespace's named copies must have a write before it counts, as those of leases.
#include <utility>

#include "count/dialect.hpp"
#include "count/record.hpp"
#include "lease/redis_scripts.hpp"
#include "lease/reply.hpp"

namespace polyflake::count {
namespace {

// ARGV of each write: echo, uuid, term, incarnation, the copies that are named if there are none or
// "", then those of the request.
constexpr const char* kBegin = R"(
local echo, uuid, term, reign, copies = unpack(ARGV, 1, 5)
local counter = KEYS[2]
local function get(name) return redis.call('HGET', counter, name) or '' end
local function refusal()
  if field('format') == '' or field('uuid') ~= uuid then return 'wrong_namespace' end
  if get('head') == '' then return 'absent' end
  if get('term') ~= term then return 'term' end
  if reign ~= incarnation then return 'incarnation' end
end
local function done(outcome, first, room)
  if outcome == 'ok' and copies ~= '' and field('copies') == '' then redis.call('HSET', space, 'copies', copies) end
  local result = {sight()}
  for i, value in ipairs({outcome, echo, first or '0', room or '0'}) do table.insert(result, i, value) end
  return result
end
)";

// ARGV: the end of the period, n.
constexpr const char* kAdd = R"(
local until_ms, n = ARGV[6], ARGV[7]
local outcome = refusal()
if not outcome and get('incarnation') ~= reign then outcome = 'incarnation' end
if not outcome and (not above(get('until_ms'), now) or get('until_ms') ~= until_ms) then outcome = 'until' end
if not outcome and above(n, get('room')) then outcome = 'room' end
if outcome then return done(outcome) end
local first = get('next')
redis.call('HINCRBY', counter, 'next', n)
redis.call('HINCRBY', counter, 'room', '-' .. n)
redis.call('HSET', counter, 'nonce', echo)
return done('ok', first, get('room'))
)";

// KEYS[3]: the set of names. ARGV: nonce of the head or "" for a new counter, change of room, the
// counter's name, then name, value, ... of the fields to write.
constexpr const char* kHead = R"(
local nonce, change, name = ARGV[6], ARGV[7], ARGV[8]
local outcome = refusal()
if nonce == '' then
  if outcome ~= 'absent' then return done('conflict') end
  redis.call('SADD', KEYS[3], name)
else
  if outcome then return done(outcome) end
  if not string.find(get('head'), ';nonce=' .. nonce .. ';', 1, true) then return done('conflict') end
end
redis.call('HSET', counter, unpack(ARGV, 9))
if change ~= '0' then redis.call('HINCRBY', counter, 'room', change) end
return done('ok')
)";

// ARGV: nonce, n, nonce of the head or "", the end of what is given back if that is not "".
constexpr const char* kBack = R"(
local nonce, n, whole, last = ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local outcome = refusal()
if not outcome and get('incarnation') ~= reign then outcome = 'incarnation' end
if not outcome and (get('nonce') ~= nonce or not above(get('next'), n)) then outcome = 'conflict' end
if not outcome and whole ~= '' then
  local head, changed = string.gsub(get('head'), ';nonce=' .. whole .. ';', ';nonce=' .. echo .. ';', 1)
  if changed == 0 or get('next') ~= last then return done('conflict') end
  redis.call('HSET', counter, 'head', head)
end
if outcome then return done(outcome) end
redis.call('HINCRBY', counter, 'next', '-' .. n)
redis.call('HINCRBY', counter, 'room', n)
redis.call('HSET', counter, 'nonce', echo)
return done('ok')
)";

// The reply: the format of the namespace, "" if there is none, then the names.
constexpr const char* kNames = R"(
local result = {field('format')}
for _, name in ipairs(redis.call('SMEMBERS', KEYS[2])) do result[#result + 1] = name end
return result
)";

// Positions in the reply to a write, before those of the sights.
constexpr std::size_t kOutcomeAt = 0, kEchoAt = 1, kFirstAt = 2, kRoomAt = 3, kAnswers = 4;

using Words = std::vector<std::string>;

struct Script {
  const char* text;
  Words arguments;
};

Script script_of(const Add& add) { return {kAdd, {std::to_string(add.until_ms), std::to_string(add.n)}}; }

Script script_of(const Back& back) {
  return {kBack,
          {lease::to_text(back.nonce), std::to_string(back.n), back.whole ? lease::to_text(back.whole->head_nonce) : "",
           back.whole ? std::to_string(back.whole->end) : ""}};
}

Script script_of(const WriteHead& head) {
  const bool sets_next = head.sets_next || !head.head_nonce;
  Script script{kHead,
                {head.head_nonce ? lease::to_text(*head.head_nonce) : "",
                 sets_next ? "0" : std::to_string(head.room_change), head.counter}};
  const lease::Fields values = fields_of(head.record);
  const FieldNames names = record_fields();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!sets_next && is_counted(names[i])) continue;
    script.arguments.emplace_back(names[i].name);
    script.arguments.push_back(values[i]);
  }
  return script;
}

class Redis final : public Dialect, private lease::RedisScripts {
 public:
  explicit Redis(const Place& place)
      : RedisScripts(place.space), counter_key_(key("counter:" + place.counter)), names_key_(key("counters")) {}

  Command begin_read() override { return read({counter_key_}, record_fields()); }

  Command begin(const Write& write) override {
    write_ = write;
    lease::Cas conditions;
    conditions.incarnation = conditions_of(write_).incarnation;
    return begin_write(conditions);
  }

  std::variant<Command, Contents> read_replied(const Reply& reply) override {
    const std::size_t at = kSights + lease::namespace_fields().size();
    const lease::Row& row = row_of(reply, at + record_fields().size());
    see(row, 0);
    Contents contents;
    contents.incarnation = lease::text_at(row, kIncarnationAt);
    contents.store_ms = lease::ms_at(row, kTimeAt);
    contents.space = space_in(row);
    contents.record = record_in(lease::fields_at(row, at, record_fields().size()));
    return contents;
  }

  std::variant<Command, Answer> write_replied(const Reply& reply) override {
    if (auto more = RedisScripts::write_replied(reply)) return std::move(*more);
    if (!why_unknown_.empty()) answer_.outcome = Outcome::unknown;
    return answer_;
  }

  Command begin_names() override { return said(eval(kNames, {space_key(), names_key_}, {}), "alone"); }

  std::variant<Command, Names> names_replied(const Reply& reply) override {
    if (reply.size() != 1) lease::misunderstood("it has another number of rows");
    const lease::Row& row = reply.front();
    if (lease::text_at(row, 0).empty()) return Names{};
    std::vector<std::string> names;
    for (std::size_t i = 1; i < row.size(); ++i) names.push_back(lease::text_at(row, i));
    return Names(std::move(names));
  }

  std::string why_unknown() const override { return why_unknown_; }

 private:
  std::size_t fields_of_reply() const override { return kAnswers + kSights; }

  bool written(const lease::Row& row) override {
    const auto number_at = [&](std::size_t i) { return static_cast<std::uint64_t>(lease::ms_at(row, i)); };
    answer_ = {outcome_of(lease::text_at(row, kOutcomeAt)),
               lease::word_of(lease::text_at(row, kEchoAt)).value_or(Word{}), number_at(kFirstAt), number_at(kRoomAt),
               lease::ms_at(row, kAnswers + kTimeAt)};
    if (answer_.echo != conditions_of(write_).echo) return false;
    see(row, kAnswers);
    return answer_.outcome == Outcome::ok;
  }

  Words write() const override {
    const Request& request = conditions_of(write_);
    const Script script = std::visit([](const auto& one) { return script_of(one); }, write_);
    Words arguments{lease::to_text(request.echo), lease::to_text(request.uuid), lease::to_text(request.term),
                    request.incarnation, new_copies()};
    arguments.insert(arguments.end(), script.arguments.begin(), script.arguments.end());
    return eval((std::string(kBegin) + script.text).c_str(), {space_key(), counter_key_, names_key_}, arguments);
  }

  const std::string counter_key_, names_key_;
  Write write_;    // the present one
  Answer answer_;  // to that
};

}  // namespace

std::unique_ptr<Dialect> stores::redis(const Place& place) { return std::make_unique<Redis>(place); }

}  // namespace polyflake::count

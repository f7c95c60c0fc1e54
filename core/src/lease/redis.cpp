// Redis: one Lua script for a read and one for a cas, over hashes whose fields are those of the
// records.
//
//   polyflake:{namespace}:names      also has the copies that count: `copies`, `confirm`
//                                    (lease/redis_copies.hpp)
//   polyflake:{namespace}:node:7
//
// Scripts compare numbers as text, since Lua has only doubles. The incarnation consists of the
// process, its reign (run_id alone survives demotion and promotion) and its links: a replica that
// comes back may have acknowledged another primary meanwhile.
//
// Commands:
//
//   command       {word...}, {key, "alone" | "first" | "same"}; in a cluster: to the server that
//                 has the key; "same" on the connection of the command before or not at all;
//                 "first" may be followed by such commands
//                 reply: the list received, else {the value received}
#include <polyflake/text.hpp>

#include <algorithm>
#include <utility>

#include "lease/redis_copies.hpp"
#include "lease/reply.hpp"
#include "lease/store_kinds.hpp"

namespace polyflake::lease {
namespace {

constexpr const char* kCommon = R"(
local function info(section, field) return string.match(redis.call('INFO', section), field .. ':(%w*)') or '' end
local function above(a, b) return #a > #b or (#a == #b and a > b) end
local function values(flat)
  for i = 1, #flat do if not flat[i] then flat[i] = '' end end
  return flat
end
local time = redis.call('TIME')
local now = time[1] .. string.format('%03d', math.floor(tonumber(time[2]) / 1000))
local incarnation = info('server', 'run_id') .. ':' .. info('replication', 'master_replid') .. ':' ..
  info('stats', 'sync_full') .. '+' .. info('stats', 'sync_partial_ok')
local space = KEYS[1]
-- what every reply begins with
local function sight()
  local named = values(redis.call('HMGET', space, 'copies', 'confirm'))
  return incarnation, now, named[1], named[2], redis.call('INFO', 'replication')
end
)";

// ARGV: the number of fields of the namespace, their names, the names of the fields of a node.
constexpr const char* kRead = R"(
local n = tonumber(ARGV[1])
local result = {sight()}
for i, key in ipairs(KEYS) do
  local first, last = 2, 1 + n
  if i > 1 then first, last = 2 + n, #ARGV end
  for _, value in ipairs(values(redis.call('HMGET', key, unpack(ARGV, first, last)))) do result[#result + 1] = value end
end
return result
)";

// ARGV: echo, "make" or "keep", uuid, term, layout, nonce of the namespace or "", incarnation or
// "", nonce of the node or "" for none, owner, the store's time from which the new floor is allowed
// or "", that for the new mark, 2 * the number of fields to write to the namespace, the new floor,
// the new mark, the copies that are named if there are none or "", whether they are an operator's,
// "confirm" of a namespace that is made, and the fields of both as name, value, name, value, ...
constexpr const char* kCas = R"(
local echo, mode, uuid, term, layout, nonce, reign, node_nonce, owner, floor_from, until_from = unpack(ARGV, 1, 11)
local n, node = tonumber(ARGV[12]), KEYS[2]
local function field(name) return redis.call('HGET', space, name) or '' end
local function refusal()
  if mode == 'make' then
    if field('format') ~= '' then return 'conflict' end
  else
    if field('format') == '' or field('uuid') ~= uuid then return 'wrong_namespace' end
    if field('layout') ~= layout then return 'layout' end
    if field('term') ~= term then return 'conflict' end
    if nonce ~= '' and field('nonce') ~= nonce then return 'conflict' end
  end
  if reign ~= incarnation then return 'incarnation' end
  if floor_from ~= '' and above(floor_from, now) and above(ARGV[13], field('floor_ms')) then return 'too_far' end
  if not node then return nil end
  local old = values(redis.call('HMGET', node, 'nonce', 'owner', 'until_ms'))
  if old[1] ~= node_nonce then return 'conflict' end
  if until_from ~= '' and above(until_from, now) and above(ARGV[14], old[3]) then return 'too_far' end
  if old[1] ~= '' and old[2] ~= owner and above(old[3], now) then return 'busy' end
  return nil
end
local outcome = refusal()
if not outcome then
  outcome = 'ok'
  local copies, operator = ARGV[15], ARGV[16] == '1'
  if n > 0 then redis.call('HSET', space, unpack(ARGV, 18, 17 + n)) end
  if node then redis.call('HSET', node, unpack(ARGV, 18 + n)) end
  if mode == 'make' then
    redis.call('HSET', space, 'copies', copies, 'confirm', ARGV[17])
  elseif operator then
    redis.call('HSET', space, 'copies', copies, 'confirm', 'named')
  elseif copies ~= '' and field('copies') == '' then
    redis.call('HSET', space, 'copies', copies)
  end
end
return {outcome, echo, sight()}
)";

constexpr const char* kLook = "return {sight()}";

// Positions in the result of sight().
constexpr std::size_t kIncarnationAt = 0, kTimeAt = 1, kCopiesAt = 2, kConfirmAt = 3, kReplicationAt = 4, kSights = 5;
constexpr std::size_t kAnswers = 2;  // fields before it in the reply to a cas
constexpr std::int64_t kLongestWaitMs = 500;

void add_pairs(std::vector<std::string>& list, const FieldNames& table, const Fields& values) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    list.emplace_back(table[i].name);
    list.push_back(values[i]);
  }
}

// Returns the time on the store's clock from which an end at `ms` is near enough.
std::string from(const Cas& cas, std::int64_t ms) {
  return cas.bounded ? std::to_string(std::max<std::int64_t>(ms - cas.longest_ms, 0)) : "";
}

class Redis final : public Dialect {
 public:
  explicit Redis(const std::string& name) : prefix_("polyflake:{" + name + "}:") {}

  Command begin(const Read& read) override {
    nodes_ = read.nodes.size();
    std::vector<std::string> keys{space_key()};
    for (const std::uint64_t node : read.nodes) keys.push_back(node_key(node));
    std::vector<std::string> arguments{std::to_string(namespace_fields().size())};
    for (const FieldName& field : namespace_fields()) arguments.emplace_back(field.name);
    for (const FieldName& field : node_fields()) arguments.emplace_back(field.name);
    return said(eval(kRead, keys, arguments), "alone");
  }

  Command begin(const Cas& cas) override {
    cas_ = cas;
    confirmation_.reset();
    why_unknown_.clear();
    if (!known_.begin_cas(cas)) {
      asked_ = Asked::write;
      return said(write(), known_.seen().count == 0 ? "alone" : "first");
    }
    asked_ = Asked::announced;
    return said({"CONFIG", "GET", "replica-announce-*"}, "first");
  }

  std::variant<Command, Contents> read_replied(const Reply& reply) override {
    const Row& row = row_of(reply, kSights + namespace_fields().size() + nodes_ * node_fields().size());
    see(row, 0);
    Contents contents;
    contents.incarnation = text_at(row, kIncarnationAt);
    contents.store_ms = ms_at(row, kTimeAt);
    std::size_t at = kSights;
    contents.space = namespace_in(fields_at(row, at, namespace_fields().size()));
    if (contents.space) wait_ms_ = std::min(kLongestWaitMs, contents.space->window_ms / 6);
    at += namespace_fields().size();
    for (std::size_t i = 0; i < nodes_; ++i, at += node_fields().size()) {
      contents.nodes.push_back(node_in(fields_at(row, at, node_fields().size())));
    }
    return contents;
  }

  std::variant<Command, Answer> cas_replied(const Reply& reply) override {
    switch (asked_) {
      case Asked::announced:
        if (reply.empty()) misunderstood("it is empty");
        announced_ = reply.front();
        asked_ = Asked::client;
        return said({"CLIENT", "INFO"}, "same");
      case Asked::client:
        known_.named(name_of_server(announced("replica-announce-ip"), announced("replica-announce-port"),
                                    text_at(row_of(reply, 1), 0)));
        asked_ = Asked::write;
        return said(write(), "same");
      case Asked::write: return written(row_of(reply, kAnswers + kSights));
      case Asked::look: {
        const Row& row = row_of(reply, kSights);
        return go_on(confirmation_->looked(text_at(row, kIncarnationAt), replication_in(text_at(row, kReplicationAt))));
      }
      default: return go_on(confirmation_->waited(static_cast<std::uint64_t>(ms_at(row_of(reply, 1), 0))));
    }
  }

  std::string why_unknown() const override { return why_unknown_; }

 private:
  enum class Asked { announced, client, write, look, wait };

  std::variant<Command, Answer> written(const Row& row) {
    answer_ = {outcome_of(text_at(row, 0)), word_of(text_at(row, 1)).value_or(Word{}), ms_at(row, kAnswers + kTimeAt)};
    if (answer_.echo != cas_.echo) return answer_;  // answers another request
    see(row, kAnswers);
    if (answer_.outcome != Outcome::ok) return answer_;
    confirmation_.emplace(known_.confirmation(cas_, wait_ms_));
    return go_on(confirmation_->written(known_.seen()));
  }

  std::variant<Command, Answer> go_on(const Confirmation::Step& step) {
    switch (step.kind) {
      case Confirmation::Step::Kind::look: asked_ = Asked::look; return said(eval(kLook, {space_key()}, {}), "same");
      case Confirmation::Step::Kind::wait:
        asked_ = Asked::wait;
        return said({"WAIT", std::to_string(step.replicas), std::to_string(step.ms)}, "same");
      case Confirmation::Step::Kind::counts: return answer_;
      default: break;
    }
    why_unknown_ = step.reason;
    answer_.outcome = Outcome::unknown;
    return answer_;
  }

  // Returns the one row of a reply. Errors: as misunderstood(), if it has another number of fields:
  // it answers another command.
  static const Row& row_of(const Reply& reply, std::size_t fields) {
    if (reply.size() != 1 || reply.front().size() != fields) misunderstood("it has another number of fields");
    return reply.front();
  }

  // Notes what each reply says about the server, from field `at` on.
  void see(const Row& row, std::size_t at) {
    known_.saw(text_at(row, at + kIncarnationAt),
               {names_in(text_at(row, at + kCopiesAt)), text_at(row, at + kConfirmAt) == "fenced"},
               replication_in(text_at(row, at + kReplicationAt)));
  }

  // Returns a value of the reply to CONFIG GET, which has names and values by turns; "" if it is
  // missing.
  std::string announced(const std::string& name) const {
    for (std::size_t i = 0; i + 1 < announced_.size(); i += 2) {
      if (text_at(announced_, i) == name) return text_at(announced_, i + 1);
    }
    return "";
  }

  std::vector<std::string> write() const {
    std::vector<std::string> keys{space_key()};
    if (cas_.node) keys.push_back(node_key(*cas_.node));
    std::vector<std::string> fields;
    if (cas_.space) add_pairs(fields, namespace_fields(), fields_of(*cas_.space));
    const std::string n = std::to_string(fields.size());
    if (cas_.node) add_pairs(fields, node_fields(), fields_of(cas_.record));
    const std::int64_t floor_ms = cas_.space ? cas_.space->floor_ms : 0;
    std::vector<std::string> arguments{to_text(cas_.echo),
                                       cas_.makes_namespace ? "make" : "keep",
                                       to_text(cas_.uuid),
                                       to_text(cas_.term),
                                       polyflake::to_text(cas_.layout, "hex"),
                                       cas_.space_nonce ? to_text(*cas_.space_nonce) : "",
                                       cas_.incarnation,
                                       cas_.node_nonce ? to_text(*cas_.node_nonce) : "",
                                       to_text(cas_.record.owner),
                                       cas_.space ? from(cas_, floor_ms) : "",
                                       cas_.node ? from(cas_, cas_.record.until_ms) : "",
                                       n,
                                       std::to_string(floor_ms),
                                       std::to_string(cas_.record.until_ms),
                                       text_of(known_.new_names(cas_)),
                                       cas_.copies.empty() ? "0" : "1",
                                       cas_.fenced ? "fenced" : "named"};
    arguments.insert(arguments.end(), fields.begin(), fields.end());
    return eval(kCas, keys, arguments);
  }

  std::string space_key() const { return prefix_ + "names"; }
  std::string node_key(std::uint64_t node) const { return prefix_ + "node:" + std::to_string(node); }

  Command said(std::vector<std::string> words, const char* connection) const {
    return {"command", {std::move(words), {space_key(), connection}}};
  }

  static std::vector<std::string> eval(const char* script, const std::vector<std::string>& keys,
                                       const std::vector<std::string>& arguments) {
    std::vector<std::string> words{"EVAL", std::string(kCommon) + script, std::to_string(keys.size())};
    words.insert(words.end(), keys.begin(), keys.end());
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
  }

  const std::string prefix_;
  std::size_t nodes_ = 0;  // those asked for
  std::int64_t wait_ms_ = kLongestWaitMs;
  KnownCopies known_;
  // These belong to the present cas.
  Cas cas_;
  Asked asked_ = Asked::write;
  Row announced_;
  Answer answer_;
  std::optional<Confirmation> confirmation_;
  std::string why_unknown_;
};

}  // namespace

constexpr StoreKind stores::redis{
    "redis", "redis rediss redis+sentinel", false,
    [](const std::string& name, const std::string&, Placeholder) -> std::unique_ptr<Dialect> {
      return std::make_unique<Redis>(name);
    }};

}  // namespace polyflake::lease

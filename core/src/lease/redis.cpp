// Redis: one Lua script for a read and one for a cas, over hashes whose fields are those of the
// records. The part that counters share is in redis_scripts.cpp.
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

#include "lease/redis_scripts.hpp"
#include "lease/reply.hpp"
#include "lease/store_kinds.hpp"

namespace polyflake::lease {
namespace {

// ARGV: echo, "make" or "keep", uuid, term, layout, nonce of the namespace or "", incarnation or
// "", nonce of the node or "" for none, owner, the store's time from which the new floor is allowed
// or "", that for the new mark, 2 * the number of fields to write to the namespace, the new floor,
// the new mark, the copies that are named if there are none or "", whether they are an operator's,
// "confirm" of a namespace that is made, and the fields of both as name, value, name, value, ...
constexpr const char* kCas = R"(
local echo, mode, uuid, term, layout, nonce, reign, node_nonce, owner, floor_from, until_from = unpack(ARGV, 1, 11)
local n, node = tonumber(ARGV[12]), KEYS[2]
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

constexpr std::size_t kAnswers = 2;  // fields before the sights in the reply to a cas

// Returns the time on the store's clock from which an end at `ms` is near enough.
std::string from(const Cas& cas, std::int64_t ms) {
  return cas.bounded ? std::to_string(std::max<std::int64_t>(ms - cas.longest_ms, 0)) : "";
}

class Redis final : public Dialect, private RedisScripts {
 public:
  explicit Redis(const std::string& name) : RedisScripts(name) {}

  Command begin(const Read& read) override {
    nodes_ = read.nodes.size();
    std::vector<std::string> keys;
    keys.reserve(nodes_);
    for (const std::uint64_t node : read.nodes) keys.push_back(node_key(node));
    return RedisScripts::read(keys, node_fields());
  }

  Command begin(const Cas& cas) override {
    cas_ = cas;
    return begin_write(cas);
  }

  std::variant<Command, Contents> read_replied(const Reply& reply) override {
    std::size_t at = kSights + namespace_fields().size();
    const Row& row = row_of(reply, at + nodes_ * node_fields().size());
    see(row, 0);
    Contents contents;
    contents.incarnation = text_at(row, kIncarnationAt);
    contents.store_ms = ms_at(row, kTimeAt);
    contents.space = space_in(row);
    for (std::size_t i = 0; i < nodes_; ++i, at += node_fields().size()) {
      contents.nodes.push_back(node_in(fields_at(row, at, node_fields().size())));
    }
    return contents;
  }

  std::variant<Command, Answer> cas_replied(const Reply& reply) override {
    if (auto more = write_replied(reply)) return std::move(*more);
    if (!why_unknown_.empty()) answer_.outcome = Outcome::unknown;
    return answer_;
  }

  std::string why_unknown() const override { return why_unknown_; }

 private:
  std::size_t fields_of_reply() const override { return kAnswers + kSights; }

  bool written(const Row& row) override {
    answer_ = {outcome_of(text_at(row, 0)), word_of(text_at(row, 1)).value_or(Word{}), ms_at(row, kAnswers + kTimeAt)};
    if (answer_.echo != cas_.echo) return false;
    see(row, kAnswers);
    return answer_.outcome == Outcome::ok;
  }

  std::vector<std::string> write() const override {
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
                                       new_copies(),
                                       cas_.copies.empty() ? "0" : "1",
                                       cas_.fenced ? "fenced" : "named"};
    arguments.insert(arguments.end(), fields.begin(), fields.end());
    return eval(kCas, keys, arguments);
  }

  std::string node_key(std::uint64_t node) const { return key("node:" + std::to_string(node)); }

  std::size_t nodes_ = 0;  // those asked for
  Cas cas_;
  Answer answer_;  // to the present cas
};

}  // namespace

constexpr StoreKind stores::redis{
    "redis", "redis rediss redis+sentinel", false,
    [](const std::string& name, const std::string&, Placeholder) -> std::unique_ptr<Dialect> {
      return std::make_unique<Redis>(name);
    }};

}  // namespace polyflake::lease

// Redis: one Lua script for a read and one for a cas, over hashes whose fields are those of the records.
//
//   polyflake:{namespace}:names      and the greatest number of replicas that was ever seen, in `replicas`
//   polyflake:{namespace}:node:7
//
// Scripts compare numbers as text: Lua has doubles only. What is written counts once a majority has it: of the copies there
// ever were, so that a primary cut off from its replicas does not take itself for a store of one. The incarnation is that of
// the process and of its reign (run_id alone survives demotion and promotion).
#include <polyflake/text.hpp>

#include <algorithm>
#include <utility>

#include "lease/dialects.hpp"
#include "lease/reply.hpp"

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
local incarnation = info('server', 'run_id') .. ':' .. info('replication', 'master_replid')
local names = KEYS[1]
local replicas = redis.call('HGET', names, 'replicas') or '0'
local connected = info('replication', 'connected_slaves')
)";

// ARGV: the number of fields of the namespace, their names, the names of those of a node.
constexpr const char* kRead = R"(
local n = tonumber(ARGV[1])
local result = {incarnation, now, above(connected, replicas) and connected or replicas}
for i, key in ipairs(KEYS) do
  local first, last = 2, 1 + n
  if i > 1 then first, last = 2 + n, #ARGV end
  for _, value in ipairs(values(redis.call('HMGET', key, unpack(ARGV, first, last)))) do result[#result + 1] = value end
end
return result
)";

// ARGV: echo, "make" or "keep", uuid, term, layout, nonce of the namespace or "", incarnation or "", nonce of the node or ""
// for none, owner, the store's time from which the new floor is allowed or "", that for the new mark, 2 * the number of fields
// to write to the namespace, these and those of the node as name, value, name, value, ...
constexpr const char* kCas = R"(
local echo, mode, uuid, term, layout, nonce, reign, node_nonce, owner, floor_from, until_from = unpack(ARGV, 1, 11)
local n, node = tonumber(ARGV[12]), KEYS[2]
local function field(name) return redis.call('HGET', names, name) or '' end
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
  if n > 0 then redis.call('HSET', names, unpack(ARGV, 15, 14 + n)) end
  if node then redis.call('HSET', node, unpack(ARGV, 15 + n)) end
  if above(connected, replicas) then redis.call('HSET', names, 'replicas', connected) end
end
return {outcome, echo, now, above(connected, replicas) and connected or replicas}
)";

constexpr std::size_t kNamesAt = 3;  // in what kRead returns
constexpr std::int64_t kWaitMs = 1000;

void add_pairs(std::vector<std::string>& list, const std::vector<std::string>& names, const Fields& values) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    list.push_back(names[i]);
    list.push_back(values[i]);
  }
}

// By the store's clock, from when on what ends at ms is near enough.
std::string from(const Cas& cas, std::int64_t ms) {
  return cas.bounded ? std::to_string(std::max<std::int64_t>(ms - cas.longest_ms, 0)) : "";
}

class Redis final : public Dialect {
 public:
  explicit Redis(const std::string& name) : prefix_("polyflake:{" + name + "}:") {}

  Command begin(const Read& read) override {
    nodes_ = read.nodes.size();
    std::vector<std::string> keys{prefix_ + "names"};
    for (const std::uint64_t node : read.nodes) keys.push_back(node_key(node));
    const std::vector<std::string> of_namespace = namespace_fields(), of_node = node_fields();
    std::vector<std::string> arguments{std::to_string(of_namespace.size())};
    arguments.insert(arguments.end(), of_namespace.begin(), of_namespace.end());
    arguments.insert(arguments.end(), of_node.begin(), of_node.end());
    return eval(kRead, std::move(keys), std::move(arguments), 0);
  }

  Command begin(const Cas& cas) override {
    std::vector<std::string> keys{prefix_ + "names"};
    if (cas.node) keys.push_back(node_key(*cas.node));
    std::vector<std::string> fields;
    if (cas.names) add_pairs(fields, namespace_fields(), fields_of(*cas.names));
    const std::string n = std::to_string(fields.size());
    if (cas.node) add_pairs(fields, node_fields(), fields_of(cas.record));
    const std::int64_t floor_ms = cas.names ? cas.names->floor_ms : 0;
    std::vector<std::string> arguments{to_text(cas.echo),
                                       cas.makes_namespace ? "make" : "keep",
                                       to_text(cas.uuid),
                                       to_text(cas.term),
                                       polyflake::to_text(cas.layout, "hex"),
                                       cas.names_nonce ? to_text(*cas.names_nonce) : "",
                                       cas.incarnation,
                                       cas.node_nonce ? to_text(*cas.node_nonce) : "",
                                       to_text(cas.record.owner),
                                       cas.names ? from(cas, floor_ms) : "",
                                       cas.node ? from(cas, cas.record.until_ms) : "",
                                       n,
                                       std::to_string(floor_ms),
                                       std::to_string(cas.record.until_ms)};
    arguments.insert(arguments.end(), fields.begin(), fields.end());
    return eval(kCas, std::move(keys), std::move(arguments), acknowledgements());
  }

  std::variant<Command, Contents> read_replied(const Reply& reply) override {
    if (reply.empty()) misunderstood("it is empty");
    const Row& row = reply.front();
    Contents contents;
    contents.incarnation = text_at(row, 0);
    contents.store_ms = ms_at(row, 1);
    replicas_ = ms_at(row, 2);
    std::size_t at = kNamesAt;
    contents.names = namespace_in(fields_at(row, at, namespace_fields().size()));
    at += namespace_fields().size();
    for (std::size_t i = 0; i < nodes_; ++i, at += node_fields().size()) {
      contents.nodes.push_back(node_in(fields_at(row, at, node_fields().size())));
    }
    return contents;
  }

  std::variant<Command, Answer> cas_replied(const Reply& reply) override {
    if (reply.empty()) misunderstood("it is empty");
    const Row& row = reply.front();
    Answer answer{outcome_of(text_at(row, 0)), word_of(text_at(row, 1)).value_or(Word{}), ms_at(row, 2)};
    const std::int64_t waited_for = acknowledgements();
    replicas_ = ms_at(row, 3);
    const std::int64_t copies = waited_for != 0 && reply.size() > 1 ? ms_at(reply[1], 0) : 0;
    if (answer.outcome == Outcome::ok && copies < acknowledgements()) answer.outcome = Outcome::unknown;
    return answer;
  }

 private:
  std::string node_key(std::uint64_t node) const { return prefix_ + "node:" + std::to_string(node); }

  // Of replicas, that make a majority of all copies together with the primary.
  std::int64_t acknowledgements() const { return (replicas_ + 1) / 2; }

  static Command eval(const char* script, std::vector<std::string> keys, std::vector<std::string> arguments,
                      std::int64_t replicas) {
    return {"eval",
            {{std::string(kCommon) + script},
             std::move(keys),
             std::move(arguments),
             {std::to_string(replicas), std::to_string(kWaitMs)}}};
  }

  const std::string prefix_;
  std::size_t nodes_ = 0;      // that were asked for
  std::int64_t replicas_ = 0;  // the most that were ever seen
};

}  // namespace

std::unique_ptr<Dialect> make_redis(const std::string& name) { return std::make_unique<Redis>(name); }

}  // namespace polyflake::lease

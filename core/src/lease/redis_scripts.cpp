#include <algorithm>
#include <utility>

#include "lease/redis_scripts.hpp"
#include "lease/reply.hpp"

namespace polyflake::lease {
namespace {

constexpr const char* kPrelude = R"(
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
local function field(name) return redis.call('HGET', space, name) or '' end
-- what every reply has
local function sight()
  local named = values(redis.call('HMGET', space, 'copies', 'confirm'))
  return incarnation, now, named[1], named[2], redis.call('INFO', 'replication')
end
)";

// ARGV: the number of fields of the namespace, their names, the names of the fields of a record.
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

constexpr const char* kLook = "return {sight()}";

}  // namespace

void add_pairs(std::vector<std::string>& list, const FieldNames& table, const Fields& values) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    list.emplace_back(table[i].name);
    list.push_back(values[i]);
  }
}

std::vector<std::string> RedisScripts::eval(const char* script, const std::vector<std::string>& keys,
                                            const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"EVAL", std::string(kPrelude) + script, std::to_string(keys.size())};
  words.insert(words.end(), keys.begin(), keys.end());
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

Command RedisScripts::said(std::vector<std::string> words, const char* connection) const {
  return {"command", {std::move(words), {space_key(), connection}}};
}

// --- reading -------------------------------------------------------------------------------------

Command RedisScripts::read(const std::vector<std::string>& keys, const FieldNames& fields) const {
  std::vector<std::string> all{space_key()};
  all.insert(all.end(), keys.begin(), keys.end());
  std::vector<std::string> arguments{std::to_string(namespace_fields().size())};
  for (const FieldName& field : namespace_fields()) arguments.emplace_back(field.name);
  for (const FieldName& field : fields) arguments.emplace_back(field.name);
  return said(eval(kRead, all, arguments), "alone");
}

const Row& RedisScripts::row_of(const Reply& reply, std::size_t fields) {
  if (reply.size() != 1 || reply.front().size() != fields) misunderstood("it has another number of fields");
  return reply.front();
}

void RedisScripts::see(const Row& row, std::size_t at) {
  known_.saw(text_at(row, at + kIncarnationAt),
             {names_in(text_at(row, at + kCopiesAt)), text_at(row, at + kConfirmAt) == "fenced"},
             replication_in(text_at(row, at + kReplicationAt)));
}

std::optional<NamespaceRecord> RedisScripts::space_in(const Row& row) {
  auto space = namespace_in(fields_at(row, kSights, namespace_fields().size()));
  if (space) wait_ms_ = std::min(kLongestWaitMs, space->window_ms / 6);
  return space;
}

// --- writing -------------------------------------------------------------------------------------

Command RedisScripts::begin_write(const Cas& conditions) {
  conditions_ = conditions;
  confirmation_.reset();
  why_unknown_.clear();
  if (!known_.begin_cas(conditions_)) {
    asked_ = Asked::write;
    return said(write(), known_.seen().count == 0 ? "alone" : "first");
  }
  asked_ = Asked::announced;
  return said({"CONFIG", "GET", "replica-announce-*"}, "first");
}

std::optional<Command> RedisScripts::write_replied(const Reply& reply) {
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
    case Asked::write:
      if (!written(row_of(reply, fields_of_reply()))) return std::nullopt;
      confirmation_.emplace(known_.confirmation(conditions_, wait_ms_));
      return go_on(confirmation_->written(known_.seen()));
    case Asked::look: {
      const Row& row = row_of(reply, kSights);
      return go_on(confirmation_->looked(text_at(row, kIncarnationAt), replication_in(text_at(row, kReplicationAt))));
    }
    default: return go_on(confirmation_->waited(static_cast<std::uint64_t>(ms_at(row_of(reply, 1), 0))));
  }
}

std::optional<Command> RedisScripts::go_on(const Confirmation::Step& step) {
  switch (step.kind) {
    case Confirmation::Step::Kind::look: asked_ = Asked::look; return said(eval(kLook, {space_key()}, {}), "same");
    case Confirmation::Step::Kind::wait:
      asked_ = Asked::wait;
      return said({"WAIT", std::to_string(step.replicas), std::to_string(step.ms)}, "same");
    case Confirmation::Step::Kind::counts: return std::nullopt;
    default: why_unknown_ = step.reason; return std::nullopt;
  }
}

// Returns a value of the reply to CONFIG GET, which has names and values by turns; "" if it is
// missing.
std::string RedisScripts::announced(const std::string& name) const {
  for (std::size_t i = 0; i + 1 < announced_.size(); i += 2) {
    if (text_at(announced_, i) == name) return text_at(announced_, i + 1);
  }
  return "";
}

}  // namespace polyflake::lease

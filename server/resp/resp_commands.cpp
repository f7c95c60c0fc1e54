// Commands of RESP that want no id.
#include <polyflake/error.hpp>
#include <polyflake/layout.hpp>
#include <polyflake/text.hpp>
#include <polyflake/version.hpp>

#include <algorithm>
#include <utility>

#include "resp/resp.hpp"
#include "resp/resp_text.hpp"

namespace polyflake::server {

// The commands, how many words each takes, its name included, and what a client needs for it if the
// listener has tokens.
struct Resp::Command {
  enum class Needs { nothing, token, inspect };

  std::string_view name;
  std::size_t fewest;
  std::size_t most;
  Answer answer;
  Needs needs = Needs::token;
};

const Resp::Command* Resp::find(std::string_view name) {
  static constexpr Command kCommands[] = {
      {"AUTH", 2, 3, [](Resp& resp, std::string& out) { resp.auth(out); }, Command::Needs::nothing},
      {"CLIENT", 2, kMostWords, [](Resp& resp, std::string& out) { resp.client(out); }},
      {"COMMAND", 1, kMostWords, [](Resp& resp, std::string& out) { resp.command(out); }},
      {"CONFIG", 3, kMostWords, [](Resp& resp, std::string& out) { resp.config(out); }},
      {"ECHO", 2, 2, [](Resp& resp, std::string& out) { resp::bulk(resp.words_[1], out); }},
      {"HELLO", 1, 7, [](Resp& resp, std::string& out) { resp.hello(out); }, Command::Needs::nothing},
      {"INFO", 1, kMostWords, [](Resp& resp, std::string& out) { resp.info(out); }},
      {"PING", 1, 2,
       [](Resp& resp, std::string& out) {
         if (resp.count_ == 1) resp::line('+', "PONG", out);
         else resp::bulk(resp.words_[1], out);
       }},
      {"POLYFLAKE.DECODE", 2, 3, [](Resp& resp, std::string& out) { resp.decode(out); }, Command::Needs::inspect},
      {"POLYFLAKE.INFO", 1, 1, [](Resp& resp, std::string& out) { resp.served_here(out); }, Command::Needs::inspect},
      {"QUIT", 1, 1, [](Resp&, std::string& out) { resp::line('+', "OK", out); }, Command::Needs::nothing},
      {"RESET", 1, 1,
       [](Resp& resp, std::string& out) {
         resp.version_ = 2;
         resp.right_ = Right();
         resp::line('+', "RESET", out);
       },
       Command::Needs::nothing},
      {"SELECT", 2, 2,
       [](Resp& resp, std::string& out) {
         if (resp.words_[1] == "0") resp::line('+', "OK", out);
         else resp::line('-', "ERR there is one database, 0", out);
       }},
  };
  const auto* const found =
      std::find_if(std::begin(kCommands), std::end(kCommands), [&](const Command& one) { return one.name == name; });
  return found == std::end(kCommands) ? nullptr : found;
}

std::string_view Resp::answer(const Request&, std::string& out) {
  const std::size_t begin = out.size();
  reply(out);
  return resp::code_of(std::string_view(out).substr(begin));
}

void Resp::reply(std::string& out) {
  if (failure_ != nullptr) return resp::line('-', std::string("ERR Protocol error: ") + failure_, out);
  if (!refusal_.empty()) {
    out += refusal_;
    return;
  }
  if (count_ == 0) return;
  constexpr std::size_t kLongestName = 24;
  std::string name(words_[0].substr(0, kLongestName));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  const Command* const command = find(name);
  const auto needs = command == nullptr ? Command::Needs::token : command->needs;
  if (needs != Command::Needs::nothing && needs_token()) return resp::line('-', "NOAUTH Authentication required.", out);
  if (command != nullptr) {
    if (count_ < command->fewest || count_ > command->most) return wrong_number_of_words(out);
    if (needs != Command::Needs::inspect || may_inspect()) return command->answer(*this, out);
    return resp::line('-', no_permission(right_.token(), "run the '" + name + "' command"), out);
  }
  if (name == "INCR" || name == "INCRBY" || name == "POLYFLAKE.NEXT") return wrong_number_of_words(out);
  resp::line('-', "ERR unknown command " + polyflake::quoted(words_[0]) + "; ids come by INCR and POLYFLAKE.NEXT", out);
}

void Resp::wrong_number_of_words(std::string& out) const {
  resp::line('-', "ERR wrong number of arguments for " + polyflake::quoted(words_[0]), out);
}

void Resp::begin_map(std::size_t pairs, std::string& out) const {
  resp::number(version_ == 3 ? '%' : '*', static_cast<std::int64_t>(version_ == 3 ? pairs : 2 * pairs), out);
}

// HELLO [2|3] [AUTH user password] [SETNAME name]
void Resp::hello(std::string& out) {
  std::size_t word = 1;
  std::size_t auth = 0;
  int version = version_;
  if (word < count_) {
    if (words_[word] != "2" && words_[word] != "3") {
      return resp::line('-', "NOPROTO unsupported protocol version; 2 and 3 are served", out);
    }
    version = words_[word++] == "3" ? 3 : 2;
  }
  while (word < count_) {
    if (is(word, "SETNAME") && word + 1 < count_) {
      word += 2;
    } else if (is(word, "AUTH") && word + 2 < count_) {
      auth = word;
      word += 3;
    } else {
      return resp::line('-', "ERR usage: HELLO [2|3] [AUTH name secret] [SETNAME name]", out);
    }
  }
  if (!greet(auth, out)) return;
  version_ = version;
  begin_map(7, out);
  resp::bulk("server", out);
  resp::bulk("polyflaked", out);
  resp::bulk("version", out);
  resp::bulk(POLYFLAKE_VERSION, out);
  resp::bulk("proto", out);
  resp::integer(version_, out);
  resp::bulk("id", out);
  resp::integer(1, out);
  resp::bulk("mode", out);
  resp::bulk("standalone", out);
  resp::bulk("role", out);
  resp::bulk("master", out);
  resp::bulk("modules", out);
  resp::array(0, out);
}

void Resp::client(std::string& out) const {
  if (is(1, "SETINFO") || is(1, "SETNAME")) return resp::line('+', "OK", out);
  if (is(1, "ID")) return resp::integer(1, out);
  if (is(1, "GETNAME")) return version_ == 3 ? resp::line('_', "", out) : resp::line('$', "-1", out);
  resp::line('-', "ERR unknown subcommand " + polyflake::quoted(words_[1]) + " of CLIENT", out);
}

// redis-benchmark says so if it gets no answer.
void Resp::config(std::string& out) const {
  if (!is(1, "GET")) return resp::line('-', "ERR only CONFIG GET is served", out);
  constexpr std::pair<std::string_view, std::string_view> kSettings[] = {
      {"appendonly", "no"}, {"databases", "1"}, {"save", ""}};
  for (const auto& [name, value] : kSettings) {
    if (words_[2] != name) continue;
    begin_map(1, out);
    resp::bulk(name, out);
    return resp::bulk(value, out);
  }
  begin_map(0, out);
}

void Resp::command(std::string& out) const {
  if (count_ > 1 && is(1, "DOCS")) return begin_map(0, out);
  if (count_ > 1 && is(1, "COUNT")) return resp::integer(0, out);
  resp::array(0, out);
}

// POLYFLAKE.INFO: a map for each key.
void Resp::served_here(std::string& out) const {
  resp::array(service_.generators().size() + service_.counters().size(), out);
  const auto pair = [&](std::string_view name, std::string_view value) {
    resp::bulk(name, out);
    resp::bulk(value, out);
  };
  for (const Service::Queues* queues : {&service_.generators(), &service_.counters()}) {
    for (const auto& [key, queue] : *queues) {
      const Source::State state = queue->source().state();
      const Layout* const layout = queue->source().layout();
      begin_map(layout == nullptr ? 4 : 7, out);
      pair("key", key);
      pair("kind", layout == nullptr ? "segment" : "snowflake");
      pair("state", state.name);
      pair("code", state.code);
      if (layout == nullptr) continue;
      pair("layout", layout->text());
      resp::bulk("node", out);
      resp::integer(state.node, out);
      resp::bulk("until_ms", out);
      resp::integer(state.until_ms, out);
    }
  }
}

// In the form of Redis, since clients look for `loading` and `role`.
void Resp::info(std::string& out) const {
  resp::bulk("# Server\r\npolyflake_version:" POLYFLAKE_VERSION
             "\r\nredis_mode:standalone\r\n"
             "# Persistence\r\nloading:0\r\n# Replication\r\nrole:master\r\n",
             out);
}

// POLYFLAKE.DECODE id [layout]
void Resp::decode(std::string& out) {
  try {
    const Layout layout = service_.layout_to_decode(count_ == 3 ? words_[2] : std::string_view());
    const Parts parts = layout.unpack(id_from_text(words_[1]));
    const std::vector<Field>& fields = layout.node_fields();
    begin_map(4 + fields.size(), out);
    const auto pair = [&](std::string_view name, std::int64_t value) {
      resp::bulk(name, out);
      resp::integer(value, out);
    };
    pair("time_ms", parts.time_ms);
    pair("tick", static_cast<std::int64_t>(parts.tick));
    pair("node", static_cast<std::int64_t>(parts.node));
    pair("sequence", parts.sequence);
    for (std::size_t i = 0; i < fields.size(); ++i) pair(fields[i].name, parts.fields[i]);
  } catch (const Error& error) {
    refuse({}, refusal_of(error), out);
  }
}

}  // namespace polyflake::server

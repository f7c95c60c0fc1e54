// How one kind of store says a read and a cas: what the client of a language is to carry there, and what its replies mean.
//
// An adapter sends the parts of a command as they are and gives back rows of text; it decides nothing. Texts, conditions and
// records are said here, once for all languages.
//
//   kind         name          parts                                                 rows of the reply
//   redis        command       {word...}, {key, "alone" | "first" | "same"}: of a    the list that came, else
//                              cluster, to the server that has the key; "same" on    {what came}
//                              the connection of the command before or not at all,
//                              "first" may be followed by such ones
//   postgresql   transaction   {text} of statements, sent at once and carried out    rows of the one that has some
//                              as one transaction; a warning is a failure
//                statements    {text}..., each by itself                             rows of the last one
//   mysql        statements    {text, argument...}..., in this order on one          rows of the last one
//                              connection
//   zookeeper    get           {path}...                                             {} where there is none, else
//                                                                                    {data, version, mtime, number
//                                                                                    of children}
//                multi         {"check", path, version}, {"set", path, version,      {"ok"} or {"refused"}
//                              data}, {"create", path, data}, {"delete", path,
//                              version}...: all of it or nothing
//                ensure        {path}...: makes those that are missing               -
//   etcd         txn           {"compare", key, "mod" | "create" | "value",          {"ok" | "refused", cluster_id,
//                              operand}..., then if all of them hold                 revision, Unix ms of the server's
//                                                                                    second, or nothing if it does not
//                                                                                    tell}, then for each get {} or
//                              {"put", key, value}..., and in any case               {value, create_revision,
//                              {"get", key}...                                       mod_revision}
//
// Whatever else an adapter meets (time-outs, lost connections, errors of the store) it gives as a failure, and then opens
// another connection. It does the same if it is told that a reply was of no use.
#pragma once

#include <polyflake/store.hpp>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace polyflake::lease {

struct Command {
  std::string name;
  std::vector<std::vector<std::string>> parts;
};

using Row = std::vector<std::optional<std::string>>;
using Reply = std::vector<Row>;

// One exchange at a time: a begin, then a reply to each command until it comes to something.
class Dialect {
 public:
  virtual ~Dialect() = default;

  virtual Command begin(const Read& read) = 0;
  virtual Command begin(const Cas& cas) = 0;

  // Errors: store_unavailable where the reply cannot be understood.
  virtual std::variant<Command, Contents> read_replied(const Reply& reply) = 0;
  virtual std::variant<Command, Answer> cas_replied(const Reply& reply) = 0;

  // Returns why the last cas may be lost although the store carried it out; "" if it is not.
  virtual std::string why_unknown() const { return ""; }

  // What makes the tables or folders that namespaces stand in; runs before one is made, as often as wanted.
  virtual std::vector<Command> preparation() const { return {}; }

  // To be run once on each new connection.
  virtual std::vector<std::string> setup() const { return {}; }

  // Returns a warning for operators about the copies of the store that was read last, "" if there is none.
  virtual std::string warning() const { return ""; }

  // Whether an error of the store of this code says that its tables were not made yet.
  virtual bool is_missing(const std::string&) const { return false; }
  // Returns advice for operators on an error of the store, by its code; "" if there is none.
  virtual std::string advice(const std::string&) const { return ""; }
};

// The form of an argument in SQL: a placeholder of the language's client, or a `literal`.
enum class Placeholder { question, format, literal };  // ?, %s, 'text'

// kind: as above. schema: of the tables of SQL, "" for the default. Errors: option_invalid for any other kind.
std::unique_ptr<Dialect> make_dialect(const std::string& kind, const std::string& name_of_namespace,
                                      const std::string& schema, Placeholder placeholder);

}  // namespace polyflake::lease

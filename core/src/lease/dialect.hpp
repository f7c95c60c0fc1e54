// The dialect of one kind of store: a read and a cas as commands that the client of a language
// sends, and the meaning of the replies.
//
// An adapter sends the parts of a command unchanged and returns rows of text; it decides nothing.
// Texts, conditions and records are defined here, once for all languages.
//
// Each dialect is a source of the name of its store. Its first lines have the commands, their parts
// and the rows of the replies.
//
// An adapter reports anything else (time-outs, lost connections, errors of the store) as a failure,
// and then opens another connection. It also does so if it is told that a reply was of no use.
#pragma once

#include <polyflake/command.hpp>
#include <polyflake/store.hpp>

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace polyflake::lease {

// The traits of a store that all its dialects share.
class StoreTraits {
 public:
  virtual ~StoreTraits() = default;

  // Returns why the last write may be lost although the store carried it out; "" if it is not.
  virtual std::string why_unknown() const { return ""; }

  // Returns the commands that make the tables or folders of records. They run before the first
  // record is made, and may be repeated.
  virtual std::vector<Command> preparation() const { return {}; }

  // Returns the statements to run once on each new connection.
  virtual std::vector<std::string> setup() const { return {}; }

  // Returns a warning for operators about the copies of the store that was read last, "" if there
  // is none.
  virtual std::string warning() const { return ""; }

  // Returns true if this error code of the store means that its tables were not made yet.
  virtual bool is_missing(const std::string&) const { return false; }
  // Returns true if this error code means that the store undid the write, so that other clients
  // could go on.
  virtual bool is_undone(const std::string&) const { return false; }
  // As advice_on(), with what is special to this store.
  virtual std::string advice(const std::string& code) const;
};

// Requires: one exchange at a time, a begin(), then a reply to each command until there is a
// result.
class Dialect : public StoreTraits {
 public:
  virtual Command begin(const Read& read) = 0;
  virtual Command begin(const Cas& cas) = 0;

  // Returns the next command, or the result. Errors: store_unavailable if the reply is not
  // understood.
  virtual std::variant<Command, Contents> read_replied(const Reply& reply) = 0;
  virtual std::variant<Command, Answer> cas_replied(const Reply& reply) = 0;
};

// Returns advice for operators on an error, by the store's code of it or, if it has none, by the
// system's name, such as ECONNREFUSED, or TLS; "" if there is none.
std::string advice_on(std::string_view code);
// Returns a failure with the advice on it, if there is any.
std::string with_advice(const std::string& failure, const std::string& advice);

// The form of an argument in SQL: a placeholder of the language's client, or a `literal`.
enum class Placeholder { question, format, literal };  // ?, %s, 'text'

// Returns null for "memory", which has no client. kind: one of store_list.hpp. schema: that of the
// SQL tables, "" for the default.
// Errors: option_invalid for any other kind.
std::unique_ptr<Dialect> make_dialect(const std::string& kind, const std::string& name_of_namespace,
                                      const std::string& schema, Placeholder placeholder);

// The words of scripts and statements for the outcome of a cas: "ok", "conflict", ... Errors:
// store_unavailable for another word.
Outcome outcome_of(const std::string& word);
const char* word_of(Outcome outcome);

}  // namespace polyflake::lease

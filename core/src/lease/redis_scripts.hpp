// The common part of what Redis is asked for leases and counters: what each script begins with,
// what each reply says about the server, and the wait until enough copies have a write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lease/dialect.hpp"
#include "lease/record.hpp"
#include "lease/redis_copies.hpp"

namespace polyflake::lease {

// The exchanges with Redis about one namespace. Requires: one exchange at a time.
class RedisScripts {
 public:
  explicit RedisScripts(const std::string& name) : prefix_("polyflake:{" + name + "}:") {}
  virtual ~RedisScripts() = default;

 protected:
  // Positions of what a script returns as sight(), and their number.
  static constexpr std::size_t kIncarnationAt = 0, kTimeAt = 1, kCopiesAt = 2, kConfirmAt = 3, kReplicationAt = 4,
                               kSights = 5;

  std::string space_key() const { return prefix_ + "names"; }
  std::string key(const std::string& name) const { return prefix_ + name; }

  // Returns the words that run a script, which may use the functions of kRedisPrelude.
  static std::vector<std::string> eval(const char* script, const std::vector<std::string>& keys,
                                       const std::vector<std::string>& arguments);
  // connection: "alone", "first" or "same".
  Command said(std::vector<std::string> words, const char* connection) const;

  // Returns a script that reads the namespace and records with these keys and fields, all of them
  // at one moment. Its reply: sight(), the fields of the namespace, then those of each record.
  Command read(const std::vector<std::string>& keys, const FieldNames& fields) const;
  // Returns the one row of a reply. Errors: store_unavailable if it has another number of fields:
  // it answers another command.
  static const Row& row_of(const Reply& reply, std::size_t fields);
  // Notes what a reply says about the server, from field `at` on.
  void see(const Row& row, std::size_t at);
  // Returns the namespace of such a reply to a read.
  std::optional<NamespaceRecord> space_in(const Row& row);

  // A write begins. conditions: its incarnation, and the copies that it names. Returns the first
  // command.
  Command begin_write(const Cas& conditions);
  // Returns the next command; nothing once the write is over, and then why_unknown_ tells if it
  // counts. Errors: as row_of().
  std::optional<Command> write_replied(const Reply& reply);
  // Returns the words of the write. The server and its copies are known by then.
  virtual std::vector<std::string> write() const = 0;
  virtual std::size_t fields_of_reply() const = 0;
  // Takes the reply to the write. Returns true if the store carried out this very request.
  virtual bool written(const Row& row) = 0;

  // Returns the copies that the namespace gets with this write, as text; "" if it keeps its own.
  std::string new_copies() const { return text_of(known_.new_names(conditions_)); }

  std::string why_unknown_;  // of the last write

 private:
  enum class Asked { announced, client, write, look, wait };

  std::optional<Command> go_on(const Confirmation::Step& step);
  std::string announced(const std::string& name) const;

  const std::string prefix_;
  std::int64_t wait_ms_ = kLongestWaitMs;
  KnownCopies known_;
  // These belong to the present write.
  Cas conditions_;
  Asked asked_ = Asked::write;
  Row announced_;
  std::optional<Confirmation> confirmation_;

  static constexpr std::int64_t kLongestWaitMs = 500;
};

// Appends name, value, name, value, ...
void add_pairs(std::vector<std::string>& list, const FieldNames& table, const Fields& values);

}  // namespace polyflake::lease

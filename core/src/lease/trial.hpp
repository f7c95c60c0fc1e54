// One request after another, as written down: how tests put the same questions to every store through every adapter.
//
// The scenarios are in tests/vectors/lease-scenarios.json.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lease/conversation.hpp"
#include "lease/random.hpp"

namespace polyflake::lease {

using Assignments = std::vector<std::pair<std::string, std::string>>;

class Trial final : public Asker {
 public:
  // now_ms: Unix ms, this host's time, for stores without a clock.
  Trial(Random& random, std::int64_t now_ms);

  // Asks for the namespace and these nodes. The incarnation and the time of what comes are kept for what is asked later.
  void ask(std::vector<std::uint64_t> nodes);

  // Asks for a cas. Names are those of Cas ("makes_namespace", "uuid", "names_nonce", "node", ...), and those of the fields of
  // records after "names." and "record.". Words are 32 hex digits. A time that begins with + or - is one from the store's, or
  // where it has none this host's, time. incarnation: "present" is the one that was read last.
  // Errors: option_invalid.
  void ask(const Assignments& assignments);

  // Of the last cas: "ok", "conflict", ..., or "unknown".
  const std::string& outcome() const { return outcome_; }
  // By the last read: "names.uuid=...", and "7.until_ms=..." for node 7; nothing for what is not there.
  const std::vector<std::string>& found() const { return found_; }

  Action next() override;
  void deliver(std::uint64_t number, const Contents& contents) override;
  void deliver(std::uint64_t number, const Answer& answer) override;
  void deliver_nothing(std::uint64_t number, const std::string& reason) override;

 private:
  std::int64_t time_of(const std::string& text) const;
  bool set(Cas& cas, const std::string& name, const std::string& value) const;

  Random& random_;
  std::optional<Action> question_;
  std::vector<std::uint64_t> nodes_;
  std::string incarnation_;
  std::int64_t now_ms_;
  std::string outcome_;
  std::vector<std::string> found_;
};

}  // namespace polyflake::lease

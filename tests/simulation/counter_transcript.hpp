// The events of a schedule of a counter, line by line, for people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "count/machine.hpp"
#include "simulation/counter_process.hpp"
#include "simulation/transcript.hpp"

namespace polyflake::simulation {

class CounterTranscript : public Transcript {
 public:
  using Transcript::add;
  using Transcript::Transcript;

  // The request to the store, its answer, and its state after that.
  void add(std::uint64_t serial, const count::Action& asked, const CounterReply& answered, bool aside,
           const std::optional<count::Record>& record) const {
    if (!is_wanted()) return;
    add("store asked by", serial, aside ? "aside," : ",", told(asked), outcome_of(answered));
    if (record) add_record(*record);
  }

  void add_record(const count::Record& record) const {
    if (!is_wanted()) return;
    add("  record: next", record.next, "room", record.room, "base", static_cast<std::int64_t>(record.head.base),
        "topped up", since_begin(record.head.topped_up_ms), "period", record.head.period_label, "nonce",
        short_of(record.nonce), "head", short_of(record.head.nonce), "term", short_of(record.term), "incarnation",
        record.incarnation);
  }

 private:
  static std::string told(const count::Action& asked) {
    if (asked.kind == count::Action::Kind::read) return "read";
    if (asked.kind == count::Action::Kind::add) {
      return "add " + std::to_string(asked.add.n) + " as " + std::to_string(short_of(asked.add.echo));
    }
    if (asked.kind == count::Action::Kind::back) {
      return "back " + std::to_string(asked.back.n) + " of " + std::to_string(short_of(asked.back.nonce));
    }
    return asked.head.sets_next ? "head with next" : "head";
  }

  static std::string outcome_of(const CounterReply& answered) {
    static const char* const kOutcomes[] = {"ok",    "absent", "conflict",        "term",   "incarnation",
                                            "until", "room",   "wrong namespace", "unknown"};
    if (answered.contents) return "-> reign " + answered.contents->incarnation;
    return std::string("-> ") + kOutcomes[static_cast<int>(answered.answer->outcome)] + " first " +
           std::to_string(answered.answer->first);
  }
};

}  // namespace polyflake::simulation

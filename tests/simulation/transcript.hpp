// What happened in a schedule, line by line, for people.
#pragma once

#include <polyflake/store.hpp>

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>

#include "lease/machine.hpp"
#include "simulation/process.hpp"

namespace polyflake::simulation {

// Times are those of now_ms, from what it is in the beginning.
class Transcript {
 public:
  Transcript(bool wanted, const std::int64_t& now_ms) : wanted_(wanted), now_ms_(now_ms), begin_ms_(now_ms) {}

  template <typename... Words>
  void add(const Words&... words) const {
    if (!wanted_) return;
    std::cout << now_ms_ - begin_ms_ << ":";
    ((std::cout << ' ' << words), ...);
    std::cout << '\n';
  }

  // What the store was asked and answered.
  void add(std::uint64_t serial, const lease::Action& asked, const Reply& answered, bool aside) const {
    if (!wanted_) return;
    add("store asked by", serial, aside ? "aside," : ",");
    if (answered.contents) {
      add_read(asked.read, *answered.contents);
    } else {
      add_cas(asked.cas, answered.answer->outcome);
    }
  }

  bool is_wanted() const { return wanted_; }

 protected:
  std::int64_t since_begin(std::int64_t unix_ms) const { return unix_ms - begin_ms_; }
  static std::uint64_t short_of(const std::optional<lease::Word>& word) { return word ? word->low % 100'000 : 0; }

 private:
  void add_read(const lease::Read& read, const lease::Contents& contents) const {
    const auto& space = contents.space;
    add("  read: reign", contents.incarnation, space ? reign_of(*space) : "no names", "used", space ? space->used : 0,
        "floor", space ? space->floor_ms - begin_ms_ : 0);
    for (std::size_t i = 0; i < contents.nodes.size(); ++i) {
      if (const auto& node = contents.nodes[i]) {
        add("   ", read.nodes[i], "nonce", short_of(node->nonce), "until", node->until_ms - begin_ms_);
      } else {
        add("   ", read.nodes[i], "absent");
      }
    }
  }

  void add_cas(const lease::Cas& cas, lease::Outcome outcome) const {
    static const char* const kOutcomes[] = {"ok",   "conflict", "incarnation",     "too far",
                                            "busy", "layout",   "wrong namespace", "unknown"};
    add("  cas: reign", cas.incarnation, cas.makes_namespace ? "makes" : "", kOutcomes[static_cast<int>(outcome)]);
    if (cas.space) {
      add("    names", short_of(cas.space_nonce), "becomes", short_of(cas.space->nonce), "used", cas.space->used,
          "floor", cas.space->floor_ms - begin_ms_, "for", reign_of(*cas.space));
    }
    if (cas.node) {
      add("    node", *cas.node, short_of(cas.node_nonce), "becomes", short_of(cas.record.nonce), "until",
          cas.record.until_ms - begin_ms_);
    }
  }

  static std::string reign_of(const lease::NamespaceRecord& space) {
    return space.settled ? "\"" + space.incarnation + "\"" : "none";
  }

  const bool wanted_;
  const std::int64_t& now_ms_;
  const std::int64_t begin_ms_;
};

}  // namespace polyflake::simulation

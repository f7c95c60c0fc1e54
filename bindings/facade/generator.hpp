// Generators: issuing ids, and what there is to know of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <polyflake/claims.hpp>
#include <polyflake/detail/spelling.hpp>

#include "facade/options.hpp"

namespace polyflake::facade {

struct GeneratorState {
  std::string name;  // "starting", "open", "waiting", "lost" or "closed"
  std::string code;  // of the table: what stops it; "" when nothing does
};

// One of polyflake::Stats.
struct Statistic {
  std::string name;    // in snake_case
  bool is_real;        // a real number, else a whole one
  std::int64_t whole;  // of a whole number; 0 for a real one
  double real;         // of both; of whole numbers the nearest there is
};

// An open generator. All calls are safe from any thread, also while another closes it.
//
// Issuing never sleeps in here: an id that is claimed but whose tick has not come is handed out together with the duty to wait,
// because only the language knows how to wait. The loop is that of claims.hpp; contracts of what follows are those of Claims.
//
// Opening never sleeps. The first call waits for what is left of a start (a `host` node id after a quarantine).
class Generator {
 public:
  // Blocks: `host` sources do file I/O; never sleeps.
  explicit Generator(const Options& options);

  std::int64_t claim() { return claims().claim(); }
  std::int64_t claim_now() { return claims().claim_now(); }
  std::int64_t claim_slowly() { return claims().claim_slowly(); }
  std::int64_t try_claim() { return claims().try_claim(); }
  polyflake::IdRange claim_range(std::size_t n) { return claims().claim_range(n); }
  std::int64_t wait_ns(std::uint64_t id, std::int64_t waited_ns) { return claims().wait_ns(id, waited_ns); }

  // For the one thread of a language, on which others wait.
  std::int64_t claimable_in_ns() { return claims().claimable_in_ns(); }

  // Moves the window on ahead of need, so that no call for an id meets the flush for about a window (`host`); nothing
  // to do for static numbers. Blocks: I/O. Errors: as claim().
  void renew() { generator_.renew(); }

  // For health checks; issues nothing, never blocks or throws.
  GeneratorState state() const;

  void close() noexcept { generator_.close(); }  // idempotent; later claims raise generator_closed
  bool closed() const noexcept { return generator_.closed(); }
  std::uint64_t worker() const { return generator_.worker(); }       // node id
  std::string layout() const { return generator_.layout().text(); }  // canonical text
  std::vector<Statistic> stats() const;                              // always the same ones in the same order

  // --- of kinds other than snowflake, whose ids are claimed positions, spelled; for that option_invalid ---

  // Bytes of an id: 8, 16 or 12.
  std::size_t id_bytes() const { return spelling_ == nullptr ? sizeof(std::uint64_t) : spelling_->id_bytes(); }
  // Refuses n ids where given entropy does not suffice for them; before they are claimed. Errors: option_invalid.
  void expect(std::size_t n) const;
  // Writes the ids of n claimed positions. False in a copy of the process that was made since `execution` was the present
  // one: claim again. Errors: registry_unusable (no random bits), option_invalid.
  bool spell(const std::uint64_t* claimed, std::size_t n, unsigned char* ids, std::uint64_t execution);

 private:
  static std::unique_ptr<polyflake::Spelling> spelling_of(const Options& options);
  polyflake::Spelling& spelling() const;
  // Made at each call: a kept one would be one more word to read on the way to an id.
  polyflake::Claims claims() { return polyflake::Claims(generator_); }

  const std::unique_ptr<polyflake::Spelling> spelling_;  // null for a snowflake
  polyflake::Generator generator_;
};

}  // namespace polyflake::facade

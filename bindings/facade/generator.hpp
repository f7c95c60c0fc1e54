// Generators: sources of ids that are positions, or spelled from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <polyflake/detail/execution.hpp>
#include <polyflake/detail/spelling.hpp>

#include "facade/source.hpp"

namespace polyflake::facade {

// Issuing never sleeps in here. If an id is claimed but its tick has not come, the caller gets it
// and must wait, because only the language knows how to wait. The loop is in claims.hpp; the
// functions below have the contracts of Claims.
//
// Opening never sleeps. The first call waits for the rest of a start (a `host` node id after a
// quarantine).
class Generator final : public Source {
 public:
  // Never sleeps. Blocks: `host` sources do file I/O. Requires: a kind whose ids have positions.
  explicit Generator(const Options& options);

  std::int64_t claim() { return claims().claim(); }
  std::int64_t claim_now() { return claims().claim_now(); }
  std::int64_t claim_slowly() { return claims().claim_slowly(); }
  std::int64_t try_claim() { return claims().try_claim(); }
  polyflake::IdRange claim_range(std::size_t n) { return claims().claim_range(n); }

  // For the only thread of a language, which must not wait.
  std::int64_t claimable_in_ns() { return claims().claimable_in_ns(); }

  // Writes the ids of n claimed positions. For a process that is never copied. Errors:
  // registry_unusable (no random bits), option_invalid, forked_generator (it was copied).
  void spell(const std::uint64_t* claimed, std::size_t n, unsigned char* ids);

  // Refuses n ids before they are claimed, if the given entropy does not suffice. Errors:
  // option_invalid.
  void expect(std::size_t n) const override;

  std::size_t id_bytes() const override { return spelling_ == nullptr ? sizeof(std::uint64_t) : spelling_->id_bytes(); }
  std::int64_t claim_id(Claiming how, unsigned char* id) override;
  IdRange claim_ids(unsigned char* ids, std::size_t n) override;
  std::int64_t wait_ns(std::uint64_t id, std::int64_t waited_ns) override { return claims().wait_ns(id, waited_ns); }
  void renew() override { generator_.renew(); }
  GeneratorState state() const override;
  void close() noexcept override { generator_.close(); }
  bool closed() const noexcept override { return generator_.closed(); }
  std::uint64_t worker() const override { return generator_.worker(); }
  std::string layout() const override { return generator_.layout().text(); }
  polyflake::Stats stats() const override;

 private:
  std::int64_t claim(Claiming how);
  // Made at each call: a kept one would be one more word to read for each id.
  polyflake::Claims claims() { return polyflake::Claims(generator_); }

  const std::unique_ptr<polyflake::Spelling> spelling_;  // null for a snowflake
  polyflake::Generator generator_;
  const polyflake::OneExecution one_execution_;
};

}  // namespace polyflake::facade

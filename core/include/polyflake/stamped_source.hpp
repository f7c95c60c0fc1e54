// StampedSource: the common part of kinds such as uuid7 and objectid: a Generator's positions,
// spread over more bits.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <polyflake/detail/execution.hpp>
#include <polyflake/detail/spelling.hpp>
#include <polyflake/generator.hpp>
#include <polyflake/id_source.hpp>

namespace polyflake {

// Value: Uuid, ObjectId, ...
template <class Value>
class StampedSource : public IdSource {
 public:
  ~StampedSource() override;

  // Returns the next id, above every id whose call returned before this one began.
  // Blocks: at most max_wait_ms for the clock. Errors: clock_before_epoch, clock_behind (a clock
  // that was set back by more than 24 days), time_exhausted, generator_closed, registry_unusable
  // (the operating system has no random bits), option_invalid (the given entropy is used up); with
  // a worker those of Generator::next_id(). Thread safety: any number of threads.
  Value next_id();

  // Like next_id(). If that would wait, returns nothing and claims nothing. Errors: as next_id().
  std::optional<Value> try_next_id();

  // Give the ids that n calls of next_id() would give. Block: as long as the clock needs for n ids.
  // Errors: as next_id(); then claimed ids are lost.
  void fill(Value* ids, std::size_t n);
  std::vector<Value> next_ids(std::size_t n);

  std::string next_id_string() override;
  std::size_t id_bytes() const override;
  void fill_bytes(unsigned char* ids, std::size_t n) override;
  void close() noexcept override;
  bool closed() const noexcept override;
  Stats stats() const override;
  GeneratorState state() const noexcept;  // as of a Generator

 protected:
  explicit StampedSource(std::unique_ptr<Spelling> spelling);

  const Generator& positions() const { return positions_; }
  Generator& positions() { return positions_; }

 private:
  // In a copy of the process, claimed positions and random bits belong to the original.
  const OneExecution one_execution_;
  const std::unique_ptr<Spelling> spelling_;
  Generator positions_;
};

}  // namespace polyflake

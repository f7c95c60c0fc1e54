// What uuid7 and objectid have in common: the positions of a Generator, spread over more bits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <polyflake/detail/execution.hpp>
#include <polyflake/detail/spelling.hpp>
#include <polyflake/generator.hpp>
#include <polyflake/id_source.hpp>
#include <polyflake/object_id.hpp>
#include <polyflake/uuid.hpp>

namespace polyflake {

// Value: Uuid or ObjectId.
template <class Value>
class StampedSource : public IdSource {
 public:
  ~StampedSource() override;

  // The next id, above every id whose call returned before this one began.
  // Blocks: at most max_wait_ms for the clock. Errors: clock_before_epoch, clock_behind (a clock that was set back by more than
  // 24 days), time_exhausted, generator_closed, registry_unusable (the operating system has no random bits); with a worker
  // those of Generator::next_id(). Thread safety: any number of threads.
  Value next_id();

  // The same, but nothing where next_id() would wait; then nothing is claimed either. Errors: as next_id().
  std::optional<Value> try_next_id();

  // The n ids that as many calls of next_id() would give. Blocks: as long as the clock needs for so many ids.
  // Errors: as next_id(); ids claimed before are lost.
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
  // The number of this execution, which an id is for.
  std::uint64_t present() const {
    const std::uint64_t known = execution_.load(std::memory_order_relaxed);
    return known != 0 ? known : Execution::current();
  }

  const std::atomic<std::uint64_t>& execution_ = Execution::word();
  const std::unique_ptr<Spelling> spelling_;
  Generator positions_;
};

extern template class StampedSource<Uuid>;
extern template class StampedSource<ObjectId>;

}  // namespace polyflake

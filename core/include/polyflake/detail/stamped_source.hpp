// What uuid7 and objectid have in common: the positions of a Generator, spread over more bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <polyflake/generator.hpp>
#include <polyflake/id_source.hpp>
#include <polyflake/object_id.hpp>
#include <polyflake/uuid.hpp>

namespace polyflake {

class RandomWords;

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

  // --- for callers that wait in their own way --------------------------------------------------------

  // Where positions come from, to be claimed as claims.hpp says.
  Generator& positions() const { return *positions_; }
  // Refuses n ids where given entropy does not suffice for them. Before they are claimed. Errors: option_invalid.
  void expect(std::size_t n) const;
  // Makes ids of n positions that `execution` claimed. False, if this is a copy of the process by now: claim again.
  bool spread(const std::uint64_t* claimed, std::size_t n, Value* ids, std::uint64_t execution);

 protected:
  StampedSource(std::unique_ptr<Generator> positions, std::unique_ptr<RandomWords> words, std::size_t words_per_id);

  RandomWords& words() const { return *words_; }

 private:
  // False where the positions are not of the present execution.
  virtual bool spread(const std::uint64_t* claimed, std::size_t n, Value* ids) = 0;

  const std::unique_ptr<RandomWords> words_;
  const std::unique_ptr<Generator> positions_;
  const std::size_t words_per_id_;
};

extern template class StampedSource<Uuid>;
extern template class StampedSource<ObjectId>;

}  // namespace polyflake

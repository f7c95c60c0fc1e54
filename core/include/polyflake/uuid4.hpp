// Uuid4: UUIDs of version 4 (RFC 9562), 122 random bits.
//
//   polyflake::Uuid id = polyflake::Uuid4().next_id();
//
// Part of the library polyflake::kinds. The ids have no order, and only chance keeps them apart:
// among 10^15 ids, two are equal with a probability of one in ten million.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <polyflake/clock.hpp>
#include <polyflake/detail/execution.hpp>
#include <polyflake/id_source.hpp>
#include <polyflake/uuid.hpp>

namespace polyflake {

class RandomWords;

struct Uuid4Options {
  // Both for tests. A manual clock permits `entropy`: words of 8 bytes big endian, two per id, used
  // instead of random bits.
  std::shared_ptr<Clock> clock;
  std::optional<std::string> entropy;
};

class Uuid4 final : public IdSource {
 public:
  // Errors: option_invalid.
  explicit Uuid4(const Uuid4Options& options = {});
  ~Uuid4() override;

  // Returns the next id; never waits. Errors: generator_closed, registry_unusable (the operating
  // system has no random bits), option_invalid (the given entropy is used up).
  // Thread safety: any number of threads.
  Uuid next_id();
  std::optional<Uuid> try_next_id() { return next_id(); }
  void fill(Uuid* ids, std::size_t n);
  std::vector<Uuid> next_ids(std::size_t n);

  const char* kind() const override { return "uuid4"; }
  std::string next_id_string() override;
  std::size_t id_bytes() const override { return sizeof(Uuid); }
  void fill_bytes(unsigned char* ids, std::size_t n) override;
  void close() noexcept override;
  bool closed() const noexcept override;
  // Returns `issued`; the rest is 0, since there is no clock to wait for.
  Stats stats() const override;

 private:
  // Refuses n ids before one is issued. Errors: generator_closed, option_invalid.
  void expect(std::size_t n) const;

  const std::unique_ptr<RandomWords> words_;
  // In a copy of the process, random bits belong to the original.
  const OneExecution one_execution_;
  std::atomic<std::uint64_t> issued_{0};
  std::atomic<bool> closed_{false};
};

}  // namespace polyflake

// Uuid4: UUIDs of version 4 (RFC 9562), 122 random bits.
//
//   polyflake::Uuid id = polyflake::Uuid4().next_id();
//
// Of the library polyflake::kinds. In no order, and certain of nothing but chance: of 10^15 ids two are equal with a probability
// of one in ten million.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <polyflake/clock.hpp>
#include <polyflake/id_source.hpp>
#include <polyflake/uuid.hpp>

namespace polyflake {

class RandomWords;

struct Uuid4Options {
  std::shared_ptr<Clock> clock;        // both for tests: what stands for random bits goes with a manual clock
  std::optional<std::string> entropy;  // words of 8 bytes big endian, two an id
};

class Uuid4 final : public IdSource {
 public:
  // Errors: option_invalid.
  explicit Uuid4(const Uuid4Options& options = {});
  ~Uuid4() override;

  // Never waits. Errors: generator_closed, registry_unusable (the operating system has no random bits).
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
  // `issued`, and zeros: there is no clock to wait for.
  Stats stats() const override;

 private:
  const std::unique_ptr<RandomWords> words_;
  std::atomic<std::uint64_t> issued_{0};
  std::atomic<bool> closed_{false};
};

}  // namespace polyflake

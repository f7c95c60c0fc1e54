// How the positions of a generator are spelled as ids of another kind.
#pragma once

#include <cstddef>
#include <cstdint>

#include <polyflake/generator.hpp>

namespace polyflake {

class Spelling {
 public:
  virtual ~Spelling();
  Spelling(const Spelling&) = delete;
  Spelling& operator=(const Spelling&) = delete;

  // Bytes of an id.
  virtual std::size_t id_bytes() const = 0;

  // Where the positions come from. Blocks and errors: as the source of ids.
  virtual Generator open() = 0;

  // Refuses n ids where given entropy does not suffice for them. Before they are claimed. Errors: option_invalid.
  void expect(std::size_t n) const {
    if (given_) expect_given(n);
  }

  // Writes the ids of n positions, one after the other, as they are in memory. False where those are not of the present
  // execution. Errors: registry_unusable (no random bits), option_invalid.
  virtual bool spell(const Generator& positions, const std::uint64_t* claimed, std::size_t n, unsigned char* ids) = 0;

 protected:
  // given: there is less entropy than in the world.
  explicit Spelling(bool given) : given_(given) {}

 private:
  virtual void expect_given(std::size_t n) const = 0;

  const bool given_;
};

}  // namespace polyflake

// Spelling: turns the positions of a generator into ids of another kind.
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

  // Returns the bytes of an id.
  virtual std::size_t id_bytes() const = 0;

  // Returns the generator of the positions. Blocks and errors: as the source of ids.
  virtual Generator open() = 0;

  // Refuses n ids before they are claimed, if the given entropy does not suffice. Errors:
  // option_invalid.
  void expect(std::size_t n) const {
    if (given_) expect_given(n);
  }

  // Writes the ids of n positions, one after the other, as they are in memory. Returns false if
  // those ids do not belong to the present execution. Errors: registry_unusable (no random bits),
  // option_invalid.
  virtual bool spell(const Generator& positions, const std::uint64_t* claimed, std::size_t n, unsigned char* ids) = 0;

 protected:
  // given: the entropy is given, and so limited.
  explicit Spelling(bool given) : given_(given) {}

 private:
  virtual void expect_given(std::size_t n) const = 0;

  const bool given_;
};

}  // namespace polyflake

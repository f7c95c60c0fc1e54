#include "facade/generator.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <cstring>

#include "kinds/kind.hpp"

namespace polyflake::facade {

Generator::Generator(const Options& options)
    : Source(options.kind()),
      spelling_(options.spelling()),
      generator_(spelling_ == nullptr ? polyflake::Generator(options.options_) : spelling_->open()) {}

void Generator::expect(std::size_t n) const {
  if (spelling_ != nullptr) spelling_->expect(n);
}

std::int64_t Generator::claim(Claiming how) {
  switch (how) {
    case Claiming::now: return claim_now();
    case Claiming::slowly: return claim_slowly();
    case Claiming::unless_waiting: break;
  }
  return try_claim();
}

std::int64_t Generator::claim_id(Claiming how, unsigned char* id) {
  constexpr std::int64_t kNothing = -1;
  std::int64_t word = kNothing;
  one_execution_.run([&] {
    expect(1);
    word = claim(how);
    if (word == kNothing) return true;
    const auto position = static_cast<std::uint64_t>(word >= 0 ? word : ~word);
    if (spelling_ != nullptr) return spelling_->spell(generator_, &position, 1, id);
    std::memcpy(id, &position, sizeof position);
    return true;
  });
  return word;
}

IdRange Generator::claim_ids(unsigned char* ids, std::size_t n) {
  if (spelling_ == nullptr) {
    const IdRange range = claim_range(n);
    range.write(reinterpret_cast<std::uint64_t*>(ids));
    return range;
  }
  constexpr std::size_t kPiece = 512;
  std::uint64_t positions[kPiece];
  IdRange range{};
  one_execution_.run([&] {
    range = claim_range(std::min(n, kPiece));
    range.write(positions);
    return range.count == 0 || spelling_->spell(generator_, positions, range.count, ids);
  });
  return range;
}

void Generator::spell(const std::uint64_t* claimed, std::size_t n, unsigned char* ids) {
  if (spelling_ == nullptr) throw Error(ErrorCode::option_invalid, "ids of a snowflake are numbers, and not spelled");
  const std::uint64_t execution = Execution::current();
  if (!spelling_->spell(generator_, claimed, n, ids) || Execution::current() != execution) {
    throw Error(ErrorCode::forked_generator, "the process was copied after these ids were claimed");
  }
}

GeneratorState Generator::state() const {
  const polyflake::GeneratorState state = generator_.state();
  return {name_of(state.name), state.code ? info(*state.code).name : ""};
}

polyflake::Stats Generator::stats() const { return generator_.stats(); }

}  // namespace polyflake::facade

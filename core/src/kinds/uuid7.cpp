#include <polyflake/uuid7.hpp>

#include <polyflake/error.hpp>

#include <algorithm>
#include <utility>

#include "kinds/keyed_node.hpp"
#include "kinds/random_words.hpp"
#include "kinds/stamped_source.hpp"

namespace polyflake {
namespace {

Options positions_of(const Uuid7Options& options) {
  Options positions;
  if (options.worker) {
    positions.worker = *options.worker;
    positions.layout = options.layout.value_or("polyflake");
  } else if (options.layout) {
    throw Error(ErrorCode::option_invalid, "a layout goes with a worker; without one the ids have their own");
  } else {
    positions.layout = kUuid7Layout;
  }
  positions.max_wait_ms = options.max_wait_ms;
  positions.max_lead_ms = options.max_lead_ms;
  positions.clock = options.clock;
  return positions;
}

class Uuid7Spelling final : public Spelling {
 public:
  explicit Uuid7Spelling(const Uuid7Options& options)
      : Spelling(options.entropy.has_value()),
        positions_(positions_of(options)),
        has_worker_(options.worker),
        bits_(positions_.layout),
        words_(options.entropy, options.clock != nullptr) {}

  std::size_t id_bytes() const override { return sizeof(Uuid); }

  Generator open() override {
    if (has_worker_) return Generator(positions_);
    return OpenedWith::provider(positions_,
                                positions_.clock == nullptr
                                    ? make_keyed_node(positions_.layout, "uuid7")
                                    : make_manual_keyed_node(positions_.layout, *positions_.clock, {words_.next(), 0}));
  }

  // Of given entropy nothing is lost, should no position come of it.
  std::uint64_t draw() { return words_.given() ? 0 : words_.next(); }

  bool spell(const Generator& /*positions*/, std::uint64_t claimed, std::uint64_t drawn, Uuid& id) {
    const std::uint64_t tail = words_.given() ? words_.next() : drawn;
    // Without a worker nothing is read here: after the swap each reading waits for it.
    id = has_worker_ ? bits_.uuid_of(claimed, tail) : Uuid7Bits::uuid_without_worker(claimed, tail);
    return true;
  }

  bool spell(const Generator& /*positions*/, const std::uint64_t* claimed, std::size_t n, unsigned char* ids) override {
    constexpr std::size_t kPiece = 1024;
    auto* uuids = reinterpret_cast<Uuid*>(ids);
    std::uint64_t tails[kPiece];
    for (std::size_t done = 0; done < n; done += kPiece) {
      const std::size_t now = std::min(n - done, kPiece);
      words_.fill(tails, now);
      bits_.spell(claimed + done, tails, now, uuids + done);
    }
    return true;
  }

 private:
  void expect_given(std::size_t n) const override { words_.expect(n); }

  const Options positions_;
  const bool has_worker_;
  const Uuid7Bits bits_;
  RandomWords words_;
};

}  // namespace

template <>
struct SpellingOf<Uuid> {
  using Type = Uuid7Spelling;
};
template class StampedSource<Uuid>;

std::unique_ptr<Spelling> detail::spelling_of(const Uuid7Options& options) {
  return std::make_unique<Uuid7Spelling>(options);
}

Uuid7::Uuid7(const Uuid7Options& options) : StampedSource(detail::spelling_of(options)), bits_(layout()) {}

}  // namespace polyflake

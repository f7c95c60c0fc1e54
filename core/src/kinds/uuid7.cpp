#include <polyflake/uuid7.hpp>

#include <polyflake/error.hpp>

#include <algorithm>
#include <utility>

#include "kinds/keyed_node.hpp"
#include "kinds/random_words.hpp"

namespace polyflake {
namespace {

constexpr const char* kAlone = "timestamp:45 sequence:18 tick=1ms epoch=1970-01-01T00:00:00.000Z";

Options positions_of(const Uuid7Options& options) {
  Options positions;
  if (options.worker) {
    positions.worker = *options.worker;
    positions.layout = options.layout.value_or("polyflake");
  } else if (options.layout) {
    throw Error(ErrorCode::option_invalid, "a layout goes with a worker; without one the ids have their own");
  } else {
    positions.layout = kAlone;
  }
  positions.max_wait_ms = options.max_wait_ms;
  positions.max_lead_ms = options.max_lead_ms;
  positions.clock = options.clock;
  return positions;
}

}  // namespace

struct Uuid7::Made {
  explicit Made(const Uuid7Options& options)
      : of(positions_of(options)),
        bits(of.layout),
        words(std::make_unique<RandomWords>(options.entropy, options.clock != nullptr)),
        positions(options.worker ? std::make_unique<Generator>(of) : open_alone()) {}

  std::unique_ptr<Generator> open_alone() {
    auto node = of.clock == nullptr ? make_keyed_node(of.layout, "uuid7")
                                    : make_manual_keyed_node(of.layout, *of.clock, {words->next(), 0});
    return OpenedWith::provider(of, std::move(node));
  }

  const Options of;
  Uuid7Bits bits;
  std::unique_ptr<RandomWords> words;
  std::unique_ptr<Generator> positions;
};

Uuid7::Uuid7(const Uuid7Options& options) : Uuid7(Made(options)) {}

Uuid7::Uuid7(Made made)
    : StampedSource(std::move(made.positions), std::move(made.words), 1), bits_(std::move(made.bits)) {}

bool Uuid7::spread(const std::uint64_t* claimed, std::size_t n, Uuid* ids) {
  if (n == 1) {
    bits_.spell(*claimed, words().next(), *ids);
    return true;
  }
  constexpr std::size_t kPiece = 512;
  std::uint64_t tails[kPiece];
  for (std::size_t done = 0; done < n; done += kPiece) {
    const std::size_t now = std::min(n - done, kPiece);
    words().fill(tails, now);
    for (std::size_t i = 0; i < now; ++i) bits_.spell(claimed[done + i], tails[i], ids[done + i]);
  }
  return true;
}

}  // namespace polyflake

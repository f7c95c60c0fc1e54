#include <polyflake/uuid7.hpp>

#include <polyflake/detail/always_inline.hpp>
#include <polyflake/detail/option_table.hpp>
#include <polyflake/error.hpp>

#include <algorithm>
#include <utility>

#include "kinds/keyed_node.hpp"
#include "kinds/kind.hpp"
#include "kinds/random_words.hpp"
#include "kinds/stamped_members.hpp"

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
  copy_time_options(positions, options);
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

  // Takes no given word yet, so that none is lost if there is no position for it.
  std::uint64_t random_key() { return words_.given() ? 0 : words_.next(); }

  POLYFLAKE_ALWAYS_INLINE bool spell(const Generator& /*positions*/, std::uint64_t claimed, std::uint64_t drawn,
                                     Uuid& id) {
    const std::uint64_t tail = words_.given() ? words_.next() : drawn;
    // Reads nothing here if there is no worker: after the swap each read waits for it.
    id = has_worker_ ? bits_.uuid_of(claimed, tail) : Uuid7Bits::uuid_without_worker(claimed, tail);
    return true;
  }

  bool spell(const Generator& positions, const std::uint64_t* claimed, std::size_t n, unsigned char* ids) override {
    constexpr std::size_t kPiece = 1024;
    auto* uuids = reinterpret_cast<Uuid*>(ids);
    if (n == 1) return spell(positions, *claimed, random_key(), *uuids);  // a piece costs a single id more
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

Uuid7Options taken_for_uuid7(KindOptions& options) {
  Uuid7Options typed;
  take_time_options(options, typed);
  typed.worker = options.take_worker("worker");
  typed.layout = options.take_layout("layout");
  typed.entropy = options.take_text("entropy");
  options.refuse_the_rest("uuid7");
  return typed;
}

IdParts parts_of_uuid7(std::string_view layout, const unsigned char* id) {
  const Uuid7Bits bits(Layout(layout.empty() ? kUuid7Layout : layout));
  const Uuid7Parts parts = bits.decode(value_of<Uuid>(id));
  return {parts.time_ms, {parts.tick, parts.sequence, parts.node, parts.tail}};
}

}  // namespace

template <>
struct SpellingOf<Uuid> {
  using Type = Uuid7Spelling;
};
template class StampedSource<Uuid>;

Uuid7::Uuid7(const Uuid7Options& options) : StampedSource(std::make_unique<Uuid7Spelling>(options)), bits_(layout()) {}

constexpr Kind kind::uuid7{
    "uuid7",
    form_of<Uuid>(),
    [](KindOptions& options) -> std::unique_ptr<IdSource> { return std::make_unique<Uuid7>(taken_for_uuid7(options)); },
    [](KindOptions& options) -> std::unique_ptr<Spelling> {
      return std::make_unique<Uuid7Spelling>(taken_for_uuid7(options));
    },
    parts_of_uuid7,
    write_bound<Uuid7Bits::first_id>,
    write_bound<Uuid7Bits::last_id>,
};

}  // namespace polyflake

#include <polyflake/object_ids.hpp>

#include <utility>

#include "kinds/keyed_node.hpp"
#include "kinds/random_words.hpp"
#include "kinds/stamped_source.hpp"

namespace polyflake {
namespace {

constexpr const char* kLayout = "timestamp:32 sequence:24 tick=1s epoch=1970-01-01T00:00:00.000Z";
constexpr unsigned kCounterBits = 24;

Options positions_of(const ObjectIdOptions& options) {
  Options positions;
  positions.layout = kLayout;
  positions.max_wait_ms = options.max_wait_ms;
  positions.max_lead_ms = options.max_lead_ms;
  positions.clock = options.clock;
  return positions;
}

class ObjectIdSpelling final : public Spelling {
 public:
  explicit ObjectIdSpelling(const ObjectIdOptions& options)
      : Spelling(false), positions_(positions_of(options)), words_(options.entropy, options.clock != nullptr) {}

  std::size_t id_bytes() const override { return sizeof(ObjectId); }

  Generator open() override {
    if (positions_.clock == nullptr)
      return OpenedWith::provider(positions_, make_keyed_node(positions_.layout, "objectid"));
    const std::uint64_t key = words_.next();
    return OpenedWith::provider(positions_,
                                make_manual_keyed_node(positions_.layout, *positions_.clock, {key, words_.next()}));
  }

  static std::uint64_t draw() { return 0; }  // nothing for each id

  static bool spell(const Generator& positions, std::uint64_t claimed, std::uint64_t /*drawn*/, ObjectId& id) {
    const Node& node = OpenedWith::node(positions);
    id.set(static_cast<std::uint32_t>(claimed >> kCounterBits), node.draw().process,
           static_cast<std::uint32_t>(claimed));
    // Else a child of a fork has claimed from its own node, and this is its parent's still.
    return node.grant()->ours();
  }

  bool spell(const Generator& positions, const std::uint64_t* claimed, std::size_t n, unsigned char* ids) override {
    auto* object_ids = reinterpret_cast<ObjectId*>(ids);
    bool ours = true;
    for (std::size_t i = 0; i < n; ++i) ours = spell(positions, claimed[i], 0, object_ids[i]) && ours;
    return ours;
  }

 private:
  void expect_given(std::size_t /*n*/) const override {}

  const Options positions_;
  RandomWords words_;
};

}  // namespace

template <>
struct SpellingOf<ObjectId> {
  using Type = ObjectIdSpelling;
};
template class StampedSource<ObjectId>;

std::unique_ptr<Spelling> detail::spelling_of(const ObjectIdOptions& options) {
  return std::make_unique<ObjectIdSpelling>(options);
}

ObjectIds::ObjectIds(const ObjectIdOptions& options) : StampedSource(detail::spelling_of(options)) {}

}  // namespace polyflake

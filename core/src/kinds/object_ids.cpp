#include <polyflake/object_ids.hpp>

#include <utility>

#include "kinds/keyed_node.hpp"
#include "kinds/random_words.hpp"

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

  bool spell(const Generator& positions, const std::uint64_t* claimed, std::size_t n, unsigned char* ids) override {
    auto* object_ids = reinterpret_cast<ObjectId*>(ids);
    const Node& node = OpenedWith::node(positions);
    const std::uint64_t process = node.draw().process & ones(40);
    for (std::size_t i = 0; i < n; ++i) {
      object_ids[i] = ObjectId::of(static_cast<std::uint32_t>(claimed[i] >> kCounterBits), process,
                                   static_cast<std::uint32_t>(claimed[i] & ones(kCounterBits)));
    }
    return node.grant()->ours();  // else a child of a fork has claimed from its own node, and this is its parent's still
  }

 private:
  void expect_given(std::size_t /*n*/) const override {}

  const Options positions_;
  RandomWords words_;
};

}  // namespace

std::unique_ptr<Spelling> detail::spelling_of(const ObjectIdOptions& options) {
  return std::make_unique<ObjectIdSpelling>(options);
}

ObjectIds::ObjectIds(const ObjectIdOptions& options) : StampedSource(detail::spelling_of(options)) {}

}  // namespace polyflake

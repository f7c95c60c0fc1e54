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

}  // namespace

struct ObjectIds::Made {
  explicit Made(const ObjectIdOptions& options)
      : of(positions_of(options)), words(std::make_unique<RandomWords>(options.entropy, options.clock != nullptr)) {
    if (of.clock == nullptr) {
      positions = OpenedWith::provider(of, make_keyed_node(of.layout, "objectid"));
    } else {
      const std::uint64_t key = words->next();
      positions = OpenedWith::provider(of, make_manual_keyed_node(of.layout, *of.clock, {key, words->next()}));
    }
  }

  const Options of;
  std::unique_ptr<RandomWords> words;
  std::unique_ptr<Generator> positions;
};

ObjectIds::ObjectIds(const ObjectIdOptions& options) : ObjectIds(Made(options)) {}

ObjectIds::ObjectIds(Made made) : StampedSource(std::move(made.positions), std::move(made.words), 0) {}

bool ObjectIds::spread(const std::uint64_t* claimed, std::size_t n, ObjectId* ids) {
  const Node& node = OpenedWith::node(positions());
  const std::uint64_t process = node.draw().process & ones(40);
  for (std::size_t i = 0; i < n; ++i) {
    ids[i] = ObjectId::of(static_cast<std::uint32_t>(claimed[i] >> kCounterBits), process,
                          static_cast<std::uint32_t>(claimed[i] & ones(kCounterBits)));
  }
  return node.grant()->ours();  // else a child of a fork has claimed from its own node, and this is its parent's still
}

}  // namespace polyflake

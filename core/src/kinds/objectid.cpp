#include <polyflake/object_ids.hpp>

#include <polyflake/detail/always_inline.hpp>
#include <polyflake/detail/option_table.hpp>

#include <utility>

#include "kinds/keyed_node.hpp"
#include "kinds/kind.hpp"
#include "kinds/random_words.hpp"
#include "kinds/stamped_members.hpp"

namespace polyflake {
namespace {

constexpr const char* kLayout = "timestamp:32 sequence:24 tick=1s epoch=1970-01-01T00:00:00.000Z";
constexpr unsigned kCounterBits = 24;

Options positions_of(const ObjectIdOptions& options) {
  Options positions;
  positions.layout = kLayout;
  copy_time_options(positions, options);
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

  static std::uint64_t random_key() { return 0; }  // an id needs no random bits

  POLYFLAKE_ALWAYS_INLINE static bool spell(const Generator& positions, std::uint64_t claimed, std::uint64_t /*drawn*/,
                                            ObjectId& id) {
    const Node& node = OpenedWith::node(positions);
    id.set(static_cast<std::uint32_t>(claimed >> kCounterBits), node.random_key().process,
           static_cast<std::uint32_t>(claimed));
    // False if a child of a fork has claimed from its own node, while `node` is still its parent's.
    return node.grant()->of_this_execution();
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

ObjectIdOptions taken_for_object_ids(KindOptions& options) {
  ObjectIdOptions typed;
  take_time_options(options, typed);
  typed.entropy = options.take_text("entropy");
  options.refuse_the_rest("objectid");
  return typed;
}

IdParts parts_of_object_id(std::string_view /*layout*/, const unsigned char* id) {
  const ObjectIdParts parts = value_of<ObjectId>(id).decode();
  return {parts.time_ms, {parts.process, parts.counter}};
}

}  // namespace

template <>
struct SpellingOf<ObjectId> {
  using Type = ObjectIdSpelling;
};
template class StampedSource<ObjectId>;

ObjectIds::ObjectIds(const ObjectIdOptions& options) : StampedSource(std::make_unique<ObjectIdSpelling>(options)) {}

constexpr Kind kind::objectid{
    "objectid",
    form_of<ObjectId>(),
    [](KindOptions& options) -> std::unique_ptr<IdSource> {
      return std::make_unique<ObjectIds>(taken_for_object_ids(options));
    },
    [](KindOptions& options) -> std::unique_ptr<Spelling> {
      return std::make_unique<ObjectIdSpelling>(taken_for_object_ids(options));
    },
    parts_of_object_id,
    write_bound<ObjectId::first_id>,
    write_bound<ObjectId::last_id>,
};

}  // namespace polyflake

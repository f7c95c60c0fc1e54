// uuid7 and objectid: claimed positions, spelled. Which generator is meant, and a position that must be waited for, are in
// the shared memory of claim.cpp; an id is text.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "bytes.hpp"
#include "claim.hpp"
#include "convert.hpp"

namespace polyflake::node {

namespace {

facade::Generator& stamped_of(Environment& environment, std::uint32_t index) {
  facade::Generator& generator = generator_of(environment, index);
  if (generator.id_bytes() == sizeof(std::uint64_t)) {
    facade::raise("option_invalid", "ids of this generator are positions, which nothing spells");
  }
  return generator;
}

// The text of an id that was spelled.
napi_value text_of_id(napi_env env, const unsigned char* id, std::size_t bytes) noexcept {
  char text[facade::kUuidText];
  return ascii(env, text, write_text(id, bytes, text));
}

using Claim = std::int64_t (facade::Generator::*)();

// Claims and spells; returns a negative number, the complement of a position, where that must be waited for.
template <Claim claim>
std::int64_t next(facade::Generator& generator, unsigned char* id) {
  std::int64_t word;
  std::uint64_t execution, position;
  do {
    execution = facade::execution();
    generator.expect(1);
    word = (generator.*claim)();
    if (word < 0) return word;
    position = static_cast<std::uint64_t>(word);
  } while (!generator.spell(&position, 1, id, execution));
  return word;
}

// -> the text of the next id, or undefined where its position, then in the shared memory, must be waited for
napi_value claim_spelled(napi_env env, napi_callback_info info) noexcept {
  Environment& environment = Environment::of(env, info);
  Claimed& claimed = *environment.claimed;
  try {
    facade::Generator& generator = stamped_of(environment, claimed.generator);
    unsigned char id[facade::kUuidBytes];
    const std::int64_t word = next<&facade::Generator::claim>(generator, id);
    if (word >= 0) return text_of_id(env, id, generator.id_bytes());
    claimed.id = static_cast<std::uint64_t>(~word);
    claimed.waits = 1;
  } catch (...) {
    throw_failure(env);
  }
  return nullptr;
}

// (generator) -> the text of the next id, or null where it would have to wait
Napi::Value try_spelled(Environment& environment, const Napi::CallbackInfo& info) {
  facade::Generator& generator = stamped_of(environment, index_of(info[0]));
  unsigned char id[facade::kUuidBytes];
  if (next<&facade::Generator::try_claim>(generator, id) < 0) return info.Env().Null();
  return {info.Env(), text_of_id(info.Env(), id, generator.id_bytes())};
}

// (generator, a position that was waited for) -> its text, or undefined where it may not be used: claim again
Napi::Value spell_position(Environment& environment, const Napi::CallbackInfo& info) {
  facade::Generator& generator = stamped_of(environment, index_of(info[0]));
  const std::uint64_t position = id_of(info[1]);
  const std::uint64_t execution = facade::execution();
  unsigned char id[facade::kUuidBytes];
  // Asked once more, now that the execution is known: a copy may have been made since the wait was over.
  const bool due = position != 0 && generator.wait_ns(position, 0) == 0;
  if (!due || !generator.spell(&position, 1, id, execution)) return info.Env().Undefined();
  return {info.Env(), text_of_id(info.Env(), id, generator.id_bytes())};
}

// (generator, Uint8Array, ids done) -> ids done now. Whether the last one must be waited for, and its position, are in the
// shared memory; calls that go on with an array follow each other. In a copy of the process it begins again by itself.
Napi::Value fill_spelled(Environment& environment, const Napi::CallbackInfo& info) {
  constexpr std::size_t kPiece = 512;
  std::uint64_t positions[kPiece];
  facade::Generator& generator = stamped_of(environment, index_of(info[0]));
  const Bytes ids = bytes_of(info[1], generator.id_bytes());
  std::size_t done = number_up_to(info[2], ids.count);
  Claimed& claimed = *environment.claimed;
  if (done == 0) {
    generator.expect(ids.count);
    environment.filled_in = facade::execution();
  }
  do {
    const IdRange range = generator.claim_range(std::min(ids.count - done, kPiece));
    range.write(positions);
    claimed.id = range.last();
    claimed.waits = range.ready ? 0 : 1;
    if (range.count == 0 ||
        generator.spell(positions, range.count, ids.data + done * ids.width, environment.filled_in)) {
      done += range.count;
    } else {
      done = 0;
      environment.filled_in = facade::execution();
      claimed.waits = 0;
    }
  } while (done < ids.count && claimed.waits == 0);
  return Napi::Number::New(info.Env(), static_cast<double>(done));
}

}  // namespace

void add_stamped(Napi::Object exports, Environment& environment) {
  add_bare(exports, "claimSpelled", claim_spelled, environment);
  add<try_spelled>(exports, "trySpelled", environment);
  add<spell_position>(exports, "spellPosition", environment);
  add<fill_spelled>(exports, "fillSpelled", environment);
}

}  // namespace polyflake::node

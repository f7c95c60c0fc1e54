// The rows of kinds in C++. The floor of an id is the bare work, and 8 random bytes of a pool that nobody else may look at,
// stored together as 16 bytes.
#include <polyflake/detail/big_endian.hpp>
#include <polyflake/object_ids.hpp>
#include <polyflake/uuid4.hpp>
#include <polyflake/uuid7.hpp>

#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "bare.hpp"
#include "bits/aes.hpp"
#include "kinds/entropy.hpp"
#include "report.hpp"

namespace polyflake::bench {
namespace {

constexpr std::size_t kBatch = 4096;
constexpr std::size_t kOfATick = 32 * kBatch;  // ids: no more than a tick has
constexpr std::size_t kPool = 512;             // words of 4 KiB

// The same stream of the same library, without a thought of other threads, copies and who reads memory.
class BarePool {
 public:
  std::uint64_t next() {
    if (next_ == kPool) {
      aes_256_ctr(key_.data(), key_.data() + 32, reinterpret_cast<std::uint8_t*>(words_.data()), sizeof words_);
      ++key_[0];
      next_ = 0;
    }
    return words_[next_++];
  }

 private:
  std::array<std::uint8_t, 48> key_{};
  std::array<std::uint64_t, kPool> words_{};
  std::size_t next_ = kPool;
};

struct Pair {
  std::uint64_t high, low;
};

// What rounds compare: the last 8 bytes of a UUID, most of them random, as they lie there. An object, so that the compiler sees
// what is called.
constexpr auto word_of = [](const Uuid& id) {
  std::uint64_t word;
  std::memcpy(&word, id.bytes.data() + 8, sizeof word);
  return word;
};

constexpr auto word_of_object_id = [](const ObjectId& id) {
  return load_big_endian(id.bytes.data()) >> 32 << 32 | (load_big_endian(id.bytes.data() + 4) & 0xffffff);
};

Loop floor_of_one() {
  return with_the_cheaper_time([](auto time) -> Loop {
    return
        [pool = std::make_shared<BarePool>(), kept = std::make_shared<Pair>()](std::uint64_t* out, std::size_t count) {
          for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t word = bare_work<decltype(time)>(shared_word);
            *kept = {word, pool->next()};
            out[i] = kept->high;
          }
        };
  });
}

// 8 bytes of the entropy of the library, and 16 bytes stored; `count` ids in batches.
Loop floor_of_many() {
  struct Memory {
    std::uint64_t words[kBatch];
    Pair ids[kBatch];
  };
  return [memory = std::make_shared<Memory>(), last = std::make_shared<std::uint64_t>(0)](std::uint64_t* out,
                                                                                          std::size_t count) {
    for (std::size_t i = 0; i < count; i += kBatch) {
      entropy::fill(memory->words, kBatch);
      for (std::size_t k = 0; k < kBatch; ++k) memory->ids[k] = {++*last, memory->words[k]};
      for (std::size_t k = 0; k < kBatch; ++k) out[k] = memory->ids[k].high;
    }
  };
}

// On a layout that is not used up, as other rows.
Uuid7Options with_worker() {
  Uuid7Options options;
  options.worker = 0;
  options.layout = "timestamp:40 worker:1 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z";
  options.max_wait_ms = 1000;
  return options;
}

template <class Source, class WordOf>
Loop ids_of(const std::shared_ptr<Source>& source, WordOf word_of_id) {
  return loop_of([=] { return word_of_id(source->next_id()); });
}

template <class Value, class Source>
Loop batches_of(const std::shared_ptr<Source>& source) {
  return [=, ids = std::make_shared<std::array<Value, kBatch>>()](std::uint64_t* out, std::size_t count) {
    for (std::size_t i = 0; i < count; i += kBatch) {
      source->fill(ids->data(), kBatch);
      for (std::size_t k = 0; k < kBatch; ++k) out[k] = word_of((*ids)[k]);
    }
  };
}

}  // namespace

void add_kind_rows(Report& report) {
  const auto one = [&](const char* row, const char* call, const Loop& work) {
    if (report.wants(row)) add_rounds(report, row, {kOurs, call, ""}, Alone(floor_of_one()), Alone(work));
  };
  const auto many = [&](const char* row, const char* call, const Loop& work) {
    if (!report.wants(row)) return;
    const auto in_a_tick = [](const Loop& loop) { return Alone::in_a_fresh_ms(loop, kOfATick, kBatch); };
    add_rounds(report, row, {kOurs, call, ""}, in_a_tick(floor_of_many()), in_a_tick(work));
  };
  const auto uuid7 = std::make_shared<Uuid7>();
  const auto uuid4 = std::make_shared<Uuid4>();
  one("uuid7", "Uuid7::next_id()", ids_of(uuid7, word_of));
  one("uuid7.worker", "Uuid7::next_id()", ids_of(std::make_shared<Uuid7>(with_worker()), word_of));
  one("uuid4", "Uuid4::next_id()", ids_of(uuid4, word_of));
  one("objectid", "ObjectIds::next_id()", ids_of(std::make_shared<ObjectIds>(), word_of_object_id));
  many("uuid7.fill", "Uuid7::fill()", batches_of<Uuid>(uuid7));
  many("uuid4.fill", "Uuid4::fill()", batches_of<Uuid>(uuid4));
}

}  // namespace polyflake::bench

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
constexpr std::size_t kPool = 512;  // words of 4 KiB

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

// What rounds compare: the last 8 bytes of a UUID, most of them random, as they lie there.
std::uint64_t word_of(const Uuid& id) {
  std::uint64_t word;
  std::memcpy(&word, id.bytes.data() + 8, sizeof word);
  return word;
}

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

// 8 bytes of the entropy of the library, and 16 bytes stored.
Loop floor_of_many() {
  struct Memory {
    std::uint64_t words[kBatch];
    Pair ids[kBatch];
  };
  return [memory = std::make_shared<Memory>(), last = std::make_shared<std::uint64_t>(0)](std::uint64_t* out,
                                                                                          std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
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

template <class Source, class Value, class WordOf>
Loop batches_of(const std::shared_ptr<Source>& source, WordOf word_of_id) {
  return [=, ids = std::make_shared<std::array<Value, kBatch>>()](std::uint64_t* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      source->fill(ids->data(), kBatch);
      for (std::size_t k = 0; k < kBatch; ++k) out[k] = word_of_id((*ids)[k]);
    }
  };
}

std::uint64_t word_of_object_id(const ObjectId& id) {
  return load_big_endian(id.bytes.data()) >> 32 << 32 | (load_big_endian(id.bytes.data() + 4) & 0xffffff);
}

}  // namespace

void add_kind_rows(Report& report) {
  const auto add = [&](const char* row, const char* call, const Loop& floor, const Loop& work, std::size_t batch = 0) {
    if (report.wants(row)) add_rounds(report, row, {kOurs, call, ""}, Alone(floor, batch), Alone(work, batch));
  };
  const auto uuid7 = std::make_shared<Uuid7>();
  const auto uuid4 = std::make_shared<Uuid4>();
  const auto object_ids = std::make_shared<ObjectIds>();
  add("uuid7", "Uuid7::next_id()", floor_of_one(), ids_of(uuid7, word_of));
  add("uuid7.worker", "Uuid7::next_id()", floor_of_one(), ids_of(std::make_shared<Uuid7>(with_worker()), word_of));
  add("uuid4", "Uuid4::next_id()", floor_of_one(), ids_of(uuid4, word_of));
  add("objectid", "ObjectIds::next_id()", floor_of_one(), ids_of(object_ids, word_of_object_id));
  add("uuid7.fill", "Uuid7::fill()", floor_of_many(), batches_of<Uuid7, Uuid>(uuid7, word_of), kBatch);
  add("uuid4.fill", "Uuid4::fill()", floor_of_many(), batches_of<Uuid4, Uuid>(uuid4, word_of), kBatch);
}

}  // namespace polyflake::bench

// Two threads at once. The nanoseconds of these rows are those of one id while both threads go on.
#include "rows.hpp"

#include <atomic>

#include "duet.hpp"

namespace polyflake::bench {
namespace {

constexpr const char* kGroup = "threads";

auto issuing(Generator& generator) {
  return [&generator] { benchmark::DoNotOptimize(generator.next_id()); };
}

Chunk on_one_thread(const std::shared_ptr<Generator>& generator) {
  return [=] { return Duet::one_ns(issuing(*generator)); };
}

Chunk on_two_threads(const std::shared_ptr<Duet>& duet, const std::shared_ptr<Generator>& first,
                     const std::shared_ptr<Generator>& second) {
  return [=] { return duet->both_ns(issuing(*first), issuing(*second)); };
}

Chunk clock_and_shared_word(const std::shared_ptr<Duet>& duet) {
  struct alignas(64) Word { std::atomic<std::uint64_t> value{0}; };
  return [duet, word = std::make_shared<Word>()] {
    const auto add = [&] {
      std::timespec now;
      ::clock_gettime(CLOCK_REALTIME, &now);
      benchmark::DoNotOptimize(now);
      benchmark::DoNotOptimize(word->value.fetch_add(1, std::memory_order_acq_rel));
    };
    return duet->both_ns(add, add);
  };
}

}  // namespace

void register_threads(Report& report) {
  // One duet for floor and candidate: the two threads stay where they are.
  const auto last = std::make_shared<std::weak_ptr<Duet>>();
  const auto duet = [last] {
    auto present = last->lock();
    if (present == nullptr) *last = present = std::make_shared<Duet>();
    return present;
  };
  register_pairs(report, "two_threads", "clock_gettime, fetch_add on a shared word, two threads",
                 [=] { return clock_and_shared_word(duet()); },
                 {{{"cpp.two_threads", kGroup, kOurs, "two threads on one generator", ""},
                   [=] { return on_two_threads(duet(), open(kTwoWide), open(kTwoWide)); }}});
  register_pairs(report, "two_generators", "one generator on one thread",
                 [=] { return on_one_thread(open(kTwoWide)); },
                 {{{"cpp.two_generators", kGroup, kOurs, "two generators on two threads, as a rate", ""},
                   [=] { return on_two_threads(duet(), open(kTwoWide, 0), open(kTwoWide, 1)); }}},
                 Pairing::Of::rates);
  const auto per_thread = [] { return open(kTwoWide, 1, Ordering::per_thread); };
  register_pairs(report, "per_thread.two_threads", "two threads on one generator, ordering strict",
                 [=] { return on_two_threads(duet(), open(kTwoWide), open(kTwoWide)); },
                 {{{"cpp.per_thread.two_threads", kGroup, kOurs,
                    "two threads on one generator, ordering per_thread, as a rate",
                    "ordered within a thread; between threads to the tick"},
                   [=] { return on_two_threads(duet(), per_thread(), per_thread()); }}},
                 Pairing::Of::rates);
}

}  // namespace polyflake::bench

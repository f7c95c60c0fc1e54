// The rows of segments in C++. The floor of a number is one relaxed atomic add, which no generator of unique numbers can do
// without.
#include <polyflake/counters.hpp>
#include <polyflake/memory_store.hpp>
#include <polyflake/namespaces.hpp>
#include <polyflake/segment.hpp>

#include <atomic>
#include <memory>
#include <mutex>

#include "report.hpp"

namespace polyflake::bench {
namespace {

const Subject kSegment{kOurs, "Segment::next_id()", ""};

// A range under a mutex, as many programs have it. It is a baseline, not a library.
class Locked {
 public:
  std::uint64_t next_id() {
    const std::lock_guard lock(mutex_);
    if (next_ == end_) end_ = store_ += kStep;
    return next_++;
  }

 private:
  static constexpr std::uint64_t kStep = 1'000'000;

  std::mutex mutex_;
  std::uint64_t next_ = 0, end_ = 0, store_ = 0;
};

const Subject kLocked{"range under a mutex", "next_id()", "gives nothing back; repeats ids after a fork"};

struct Counted {
  Counted() {
    init_namespace(store, "polyflake");
    init_counter(store, "bench", 0);
    ids = std::make_unique<Segment>(store, SegmentOptions{"bench"});
  }
  MemoryStore store;
  std::unique_ptr<Segment> ids;
};

Loop floor_of_numbers() {
  struct alignas(64) Word {
    std::atomic<std::uint64_t> next{0};
  };
  return loop_of([word = std::make_shared<Word>()] { return word->next.fetch_add(1, std::memory_order_relaxed); });
}

}  // namespace

void add_segment_rows(Report& report) {
  const auto counted = std::make_shared<Counted>();
  const Loop numbers = loop_of([counted] { return counted->ids->next_id(); });
  const Loop floor = floor_of_numbers();
  const auto locked = std::make_shared<Locked>();
  const Loop others = loop_of([locked] { return locked->next_id(); });
  const bool peers = report.settings().peers;
  if (report.wants("segment")) {
    add_rounds(report, "segment", kSegment, Alone(floor), Alone(numbers));
    if (peers) add_rounds(report, "segment", kLocked, Alone(floor), Alone(others));
  }
  if (!report.wants("segment.two_threads")) return;
  const auto duet = std::make_shared<Duet>();
  const auto both = [&](const Loop& loop) -> Chunk { return [=](Ids& issued) { return duet->both(loop, issued); }; };
  add_rounds(report, "segment.two_threads", kSegment, both(floor), both(numbers));
  if (peers) add_rounds(report, "segment.two_threads", kLocked, both(floor), both(others));
}

}  // namespace polyflake::bench

// The rows of segments in C++. The floor of a number is one relaxed atomic add, which no generator of unique numbers can do
// without.
#include <polyflake/counters.hpp>
#include <polyflake/memory_store.hpp>
#include <polyflake/namespaces.hpp>
#include <polyflake/segment.hpp>

#include <atomic>
#include <memory>

#include "report.hpp"

namespace polyflake::bench {
namespace {

const Subject kSegment{kOurs, "Segment::next_id()", ""};

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
  if (report.wants("segment")) add_rounds(report, "segment", kSegment, Alone(floor), Alone(numbers));
  if (!report.wants("segment.two_threads")) return;
  const auto duet = std::make_shared<Duet>();
  const auto both = [&](const Loop& loop) -> Chunk { return [=](Ids& issued) { return duet->both(loop, issued); }; };
  add_rounds(report, "segment.two_threads", kSegment, both(floor), both(numbers));
}

}  // namespace polyflake::bench

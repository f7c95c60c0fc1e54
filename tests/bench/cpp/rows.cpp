// The rows of C++. Their meaning, floors and goals: tests/bench/report/rows.py.
#include <polyflake/claims.hpp>
#include <polyflake/memory_store.hpp>
#include <polyflake/namespaces.hpp>
#include <polyflake/seal.hpp>

#include <cstring>
#include <fstream>
#include <memory>

#include <unistd.h>

#include "bare.hpp"
#include "bits/aes.hpp"
#include "report.hpp"
#include "textbook.hpp"

namespace polyflake::bench {
namespace {

// Layouts whose ticks are never used up here, so that no call waits: what is measured is work.
constexpr const char* kWide = "timestamp:40 worker:1 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z";
constexpr const char* kWider = "timestamp:39 sequence:24 tick=1ms epoch=2020-01-01T00:00:00.000Z";
constexpr const char* kToTheTick = "between threads ordered to the tick only";
constexpr std::size_t kBatch = 4096;
constexpr std::size_t kFresh = 2000;  // of the 4096 ids of a millisecond

std::shared_ptr<Generator> open(const Layout& layout, std::int64_t worker = 0, Ordering ordering = Ordering::strict) {
  Options options;
  options.worker = worker;
  options.layout = layout;
  options.ordering = ordering;
  options.max_wait_ms = 1000;  // where many threads share one generator each waits for its turn
  return std::make_shared<Generator>(std::move(options));
}

Subject ours(const char* call, const char* price = "") { return {kOurs, call, price}; }

Loop ids_of(const std::shared_ptr<Generator>& generator) {
  return loop_of([generator] { return generator->next_id(); });
}

Loop bare_loop() {
  return with_the_cheaper_time(
      [](auto time) { return loop_of([] { return bare_work<decltype(time)>(shared_word); }); });
}

void add_single(Report& report, const char* row, Ordering ordering, const char* price) {
  const auto generator = open(kWide, ordering == Ordering::strict ? 0 : 1, ordering);
  add_rounds(report, row, ours("Generator::next_id()", price), Alone(bare_loop()), Alone(ids_of(generator)),
             generator.get());
}

// A window of ten seconds is renewed by the thread of the lease a few times while this runs.
void add_leased(Report& report) {
  const auto store = std::make_shared<MemoryStore>();
  init_namespace(*store, kWide, {}, true);
  Options options;
  options.worker = store;
  options.layout = kWide;
  options.max_wait_ms = 1000;
  const auto generator = std::make_shared<Generator>(std::move(options));
  const auto by_number = open(kWide, 1);
  add_rounds(report, "next_id.leased", ours("Generator::next_id()"), Alone(ids_of(by_number)), Alone(ids_of(generator)),
             generator.get());
}

void add_fill(Report& report) {
  const auto generator = open(kWider);
  // The library's own loop, so that floor and work run the very same code: of two equal loops one may be 1.7 times as
  // fast as the other, by where the linker puts them.
  const Loop floor = [range = IdRange{1, 1, kBatch, true}](std::uint64_t* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) range.write(out);
  };
  const Loop fill = [=](std::uint64_t* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) generator->fill(out, kBatch);
  };
  add_rounds(report, "fill_4096", ours("Generator::fill()"), Alone(floor, kBatch), Alone(fill, kBatch),
             generator.get());
}

// A key of 256 bits. Ids in a row, as they are issued.
void add_seal(Report& report, const char* row, std::int64_t bits) {
  const std::string key = "the key of a benchmark, 32 bytes";
  const auto aes = std::make_shared<Aes>(key);
  const Loop floor = [aes](std::uint64_t* out, std::size_t count) {
    Aes::Block block{};
    for (std::size_t i = 0; i < count; ++i) {
      for (int round = 0; round < 10; ++round) aes->encrypt(block);
      std::memcpy(out + i, block.data(), sizeof *out);
    }
  };
  const Loop work = [seal = Seal(key, {"order", bits}), id = std::make_shared<std::uint64_t>(1541815603606036480)](
                        std::uint64_t* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = seal.seal((*id)++);
  };
  add_rounds(report, row, ours("Seal::seal()"), Alone(floor), Alone(work));
}

void add_two_threads(Report& report) {
  Duet duet;
  const auto both = [&](Loop loop) { return [&duet, loop](Ids& issued) { return duet.both(loop, issued); }; };
  const auto strict = open(kWide), per_thread = open(kWide, 1, Ordering::per_thread);
  if (report.wants("two_threads")) {
    add_rounds(report, "two_threads", ours("Generator::next_id()"), both(bare_loop()), both(ids_of(strict)),
               strict.get());
  }
  if (report.wants("two_threads.per_thread")) {
    add_rounds(report, "two_threads.per_thread", ours("Generator::next_id()", kToTheTick), both(ids_of(strict)),
               both(ids_of(per_thread)), per_thread.get());
  }
}

Loop textbook_loop() {
  return loop_of([textbook = std::make_shared<Textbook>()] { return textbook->next_id(); });
}

// Ours and the baseline with the layouts people use, whose milliseconds have 4096 ids.
void add_calls(Report& report) {
  const auto fresh = [](const Loop& loop) { return Alone::in_a_fresh_ms(loop, kFresh); };
  add_rounds(report, "call", ours("Generator::next_id()"), fresh(bare_loop()), fresh(ids_of(open("polyflake"))));
  if (!report.settings().peers) return;
  add_rounds(report, "call", {Textbook::kName, "next_id()", Textbook::kPrice}, fresh(bare_loop()),
             fresh(textbook_loop()));
}

void add_saturated(Report& report) {
  for (const std::size_t threads : {1, 2}) {
    const auto generator = open("polyflake");
    report.add("saturated", ours("Generator::next_id()"),
               saturate(threads, report.settings().span_ms(2000), "polyflake",
                        [&](std::size_t) { return generator->next_id(); }));
    if (!report.settings().peers) continue;
    Textbook textbook;
    report.add("saturated", {Textbook::kName, "next_id()", Textbook::kPrice},
               saturate(threads, report.settings().span_ms(1000), "polyflake",
                        [&](std::size_t) { return textbook.next_id(); }));
  }
}

// Two runs, since timing each call would be most of what is measured: the first counts, the second times.
void add_crowd(Report& report) {
  constexpr std::size_t kThreads = 64;
  struct alignas(64) Longest {
    double ns = 0;
  };
  std::vector<Longest> longest(kThreads);
  const auto generator = open("polyflake");
  auto figures = saturate(kThreads, report.settings().span_ms(3000), "polyflake",
                          [&](std::size_t) { return generator->next_id(); });
  const auto timed = saturate(kThreads, report.settings().span_ms(3000), "polyflake", [&](std::size_t thread) {
    const auto begin = Steady::now();
    const std::uint64_t id = generator->next_id();
    longest[thread].ns = std::max(longest[thread].ns, ns_since(begin));
    return id;
  });
  auto& longest_ms = figures["longest_ms"] = nlohmann::ordered_json::array();
  for (const Longest& one : longest) longest_ms.push_back(one.ns / 1e6);
  figures["duplicates"] = figures["duplicates"].get<std::size_t>() + timed["duplicates"].get<std::size_t>();
  report.add("crowd", ours("Generator::next_id()"), figures);
}

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double size_pages = 0, resident_pages = 0;
  file >> size_pages >> resident_pages;
  return resident_pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// What one more open generator keeps in memory; `step` 0: of one node id, 1: of another one each.
void add_memory(Report& report, const char* row, std::size_t count, std::int64_t step) {
  std::vector<std::shared_ptr<Generator>> generators(count);
  const Layout layout = "polyflake";
  const auto make = [&](std::size_t i) { generators[i] = open(layout, step * static_cast<std::int64_t>(i)); };
  make(0);
  const double before = resident_bytes();
  for (std::size_t i = 1; i < count; ++i) make(i);
  const double each = (resident_bytes() - before) / static_cast<double>(count - 1);
  report.add(row, ours(""), {{"values", {each}}, {"unit", "bytes"}});
}

}  // namespace

void add_rounds(Report& report, const char* row, const Subject& subject, Chunk floor, Chunk work,
                const Generator* generator) {
  Ids ids, none;
  const auto waits = [=] { return generator == nullptr ? 0 : generator->stats().waits; };
  const auto waits_before = waits();  // the first call may have waited for its window
  auto rounds = nlohmann::ordered_json::array();
  for (int i = 0; i < report.settings().rounds(); ++i) {
    const double before = floor(none), ns = work(ids), after = floor(none);
    rounds.push_back({before, ns, after});
    none.clear();
  }
  const std::size_t count = ids.size();
  report.add(
      row, subject,
      {{"rounds", rounds}, {"ids", count}, {"duplicates", duplicates_among(ids)}, {"waits", waits() - waits_before}});
}

void add_rows(Report& report) {
  const auto wants = [&](const char* row) { return report.wants(row); };
  // First: later there is freed memory about, which the process would not have to ask for.
  if (wants("memory.node_id")) add_memory(report, "memory.node_id", 1000, 1);
  if (wants("memory.generator")) add_memory(report, "memory.generator", 10'000, 0);
  if (wants("next_id")) add_single(report, "next_id", Ordering::strict, "");
  if (wants("next_id.per_thread")) {
    add_single(report, "next_id.per_thread", Ordering::per_thread, kToTheTick);
  }
  if (wants("next_id.leased")) add_leased(report);
  if (wants("fill_4096")) add_fill(report);
  if (wants("seal.64")) add_seal(report, "seal.64", 64);
  if (wants("seal")) add_seal(report, "seal", 63);
  if (wants("two_threads") || wants("two_threads.per_thread")) add_two_threads(report);
  if (wants("call")) add_calls(report);
  if (wants("saturated")) add_saturated(report);
  if (wants("crowd")) add_crowd(report);
}

}  // namespace polyflake::bench

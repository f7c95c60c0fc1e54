#include <polyflake/segment.hpp>

#include <polyflake/error.hpp>

#include <chrono>
#include <memory>

#include "issue/number_bytes.hpp"
#include "open/counter.hpp"
#include "open/segment_session.hpp"

namespace polyflake {
namespace {

SegmentSession::Deadline deadline_of(const count::CounterUse& use) {
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(use.options.timeout_ms);
}

}  // namespace

Segment::Segment(CounterStore& store, const SegmentOptions& options) : Segment(store, count::CounterUse{options}) {}

Segment::Segment(CounterStore& store, const count::CounterUse& use)
    : store_(store), use_(std::make_unique<count::CounterUse>(count::checked(use))) {
  auto session = std::make_unique<SegmentSession>(store_, *use_, false);
  try {
    session->wait_until_open(deadline_of(*use_));
  } catch (...) {
    session->close();
    throw;
  }
  word_ = &session->word();
  session_ = session.release();
}

Segment::~Segment() {
  SegmentSession* const session = session_;
  if (!session->of_this_execution()) return;  // its thread is in the original
  session->close();
  delete session;
}

SegmentSession& Segment::session() const {
  SegmentSession* known = session_.load(std::memory_order_acquire);
  if (known->of_this_execution()) return *known;
  auto made = std::make_unique<SegmentSession>(store_, *use_, true);
  if (session_.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) {
    word_.store(&made->word(), std::memory_order_release);
    return *made.release();
  }
  made->close();  // another thread was first
  return *known;
}

std::uint64_t Segment::next_id_slowly(const Range* word, std::uint64_t number, std::size_t wanted) {
  const SegmentSession::Deadline deadline = deadline_of(*use_);
  std::uint64_t result = 0;
  OneExecution().run([&] {
    refuse_closed();
    SegmentSession& session = this->session();
    // In a copy of the process the number is from the word of the original.
    result = session.next_id(word == &session.word() ? number : Range::kFrozen, wanted, deadline);
    return session.of_this_execution();
  });
  return result;
}

void Segment::drop_if_over() {
  SegmentSession& session = *session_.load(std::memory_order_acquire);
  if (session.of_this_execution()) session.drop_if_over();
}

std::optional<std::uint64_t> Segment::try_next_id() {
  refuse_closed();
  SegmentSession& session = this->session();
  Range::Numbers taken = session.word().take_some(1);
  if (taken.count == 0 && session.serve()) taken = session.word().take_some(1);
  return taken.count != 0 ? std::optional(taken.first) : std::nullopt;
}

void Segment::fill(std::uint64_t* ids, std::size_t n) {
  OneExecution().run([&] {
    if (n == 0) refuse_closed();
    for (std::size_t done = 0; done < n;) {
      const Range::Numbers taken = session().word().take_some(n - done);
      for (std::uint64_t i = 0; i < taken.count; ++i) ids[done + i] = taken.first + i;
      done += taken.count;
      if (taken.count != 0) continue;
      ids[done] = next_id_slowly(nullptr, Range::kFrozen, n - done);
      ++done;
    }
    return true;
  });
}

std::vector<std::uint64_t> Segment::next_ids(std::size_t n) {
  std::vector<std::uint64_t> ids(n);
  fill(ids.data(), n);
  return ids;
}

std::string Segment::next_id_string() { return std::to_string(next_id()); }

void Segment::fill_bytes(unsigned char* ids, std::size_t n) { fill_number_bytes(*this, ids, n); }

void Segment::refuse_closed() const {
  if (closed()) throw Error(ErrorCode::generator_closed, "this source was closed; open a new one");
}

void Segment::close() noexcept {
  closed_.store(true, std::memory_order_relaxed);
  SegmentSession* const session = session_.load(std::memory_order_acquire);
  if (session->of_this_execution()) session->close();
}

Stats Segment::stats() const {
  const SegmentSession* const session = session_.load(std::memory_order_acquire);
  return session->of_this_execution() ? session->stats() : Stats{};
}

}  // namespace polyflake

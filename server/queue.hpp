// The queue of a source: gives ids to its callers by turns.
//
// Callers that want few ids come first in three of four turns, so one that wants many does not keep
// them waiting. A turn is at most kTurn ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>

#include "refusal.hpp"
#include "source.hpp"

namespace polyflake::server {

// One who waits for ids. It leaves the queue when it is destroyed.
class Caller : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  virtual ~Caller() = default;

  // Returns how many ids it still waits for; 0: it leaves the queue.
  virtual std::size_t wanted() const = 0;
  // Takes ids, at most those wanted. Must not ask the queue, nor destroy a caller.
  virtual void take(const IdRange& ids) = 0;
  // Called after it left the queue: it got all ids, or none of the rest (refused() was called).
  // May ask again.
  virtual void served() = 0;
  // Takes the reason why it gets none of the rest.
  virtual void refused(const Refusal& refusal) = 0;
};

// Thread safety: that of the event loop.
class Queue {
 public:
  static constexpr std::size_t kFew = 64;
  static constexpr std::size_t kTurn = 256;

  Queue(boost::asio::io_context& loop, std::string name, std::unique_ptr<Source> source, std::int64_t max_wait_ms);

  // Gives a caller the ids that it wants. Returns true if that was done at once: it has them or was
  // refused, and served() is not called. Otherwise the caller waits, until served().
  // largest: of its requests, in ids.
  bool ask(Caller& caller, std::size_t largest);

  const std::string& name() const { return name_; }
  Source& source() { return *source_; }
  const Source& source() const { return *source_; }

 private:
  using Line = boost::intrusive::list<Caller, boost::intrusive::constant_time_size<false>>;

  bool serve_at_once(Caller& caller);
  std::optional<Refusal> too_busy(const Caller& caller, bool few) const;
  void serve();
  Line& next_line();
  void refuse_all(const Refusal& refusal);
  void wait(std::int64_t ns);

  const std::string name_;
  const std::unique_ptr<Source> source_;
  const std::int64_t max_wait_ms_;
  boost::asio::steady_timer timer_;
  Line few_;
  Line many_;
  unsigned turn_ = 0;
  bool serving_ = false;
};

}  // namespace polyflake::server

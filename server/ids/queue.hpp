// The queue of a source: gives ids to its callers by turns.
//
// Callers that want few ids come first in three of four turns, so one that wants many does not keep
// them waiting. A turn is kTurn ids, or fewer if no caller of its line is left. Who would wait
// longer than max_wait_ms is refused at once. That is an estimate: who waits twice as long, because
// a disk hangs for instance, is refused then.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>

#include "ids/refusal.hpp"
#include "ids/source.hpp"

namespace polyflake::server {

class Queue;

// One who waits for ids. It leaves the queue when it is destroyed.
class Caller : public boost::intrusive::list_base_hook<> {
 public:
  virtual ~Caller() { leave(); }

  // Returns how many ids it still waits for.
  virtual std::size_t wanted() const = 0;
  // Takes ids, at most those wanted.
  virtual void take(const IdRange& ids) = 0;
  // Takes the reason why it gets none of the rest; then it wants none.
  virtual void refuse(const Refusal& refusal) = 0;
  // Called once it wants none, after it had to wait. It has left the queue, may ask again, and may
  // be destroyed.
  virtual void served() = 0;

  // Waits no longer. Idempotent.
  void leave() noexcept;

 private:
  friend class Queue;
  Queue* queue_ = nullptr;                       // in which it waits
  bool few_ = false;                             // in which line
  std::size_t counted_ = 0;                      // the ids that it is counted with there
  std::chrono::steady_clock::time_point until_;  // then it is refused
};

// Thread safety: that of the event loop.
class Queue {
 public:
  static constexpr std::size_t kFew = 64;
  static constexpr std::size_t kTurn = 256;

  Queue(boost::asio::io_context& loop, std::string name, std::unique_ptr<Source> source, std::int64_t max_wait_ms);

  // Gives a caller what it wants, in turns of few or of many. Returns true if it had it at once, or
  // was refused: then served() is not called. Else it waits until served().
  bool ask(Caller& caller, bool few);

  const std::string& name() const { return name_; }
  Source& source() const { return *source_; }
  std::uint64_t given() const { return given_; }  // ids, since it was made

 private:
  friend class Caller;
  struct Line {
    boost::intrusive::list<Caller> callers;  // the next one first
    std::size_t wanted = 0;                  // ids, of all of them
  };

  // Gives what can be had now. Returns how long it takes until there is more.
  std::int64_t serve_at_once(Caller& caller);
  // Returns how long a caller of that line would wait for its last id.
  double wait_ns(std::size_t wanted, bool few) const;
  double ns_until_turn() const;
  void enter(Caller& caller, bool few);
  void leave(Caller& caller) noexcept;
  void serve();
  bool serve_next();  // returns false if the next caller cannot be served now
  Line& line_of_turn();
  void count_turn(const Line& line, std::size_t ids);
  void refuse_all(const Refusal& refusal);
  void refuse_if_too_long(Caller& caller, double ns) const;
  void refuse_overdue();
  void refuse_waiting(Caller& caller, const Refusal& refusal);
  Refusal refusal_of_wait() const;
  void serve_in(std::int64_t ns);
  bool is_empty() const { return few_.callers.empty() && many_.callers.empty(); }

  const std::string name_;
  const std::unique_ptr<Source> source_;
  const std::chrono::nanoseconds longest_wait_;
  boost::asio::steady_timer timer_;
  Line few_;
  Line many_;
  unsigned turn_ = 0;
  std::uint64_t given_ = 0;
  std::size_t of_turn_ = 0;  // ids that were given in it
  bool serving_ = false;     // served() of a caller may ask, and must wait then
};

}  // namespace polyflake::server

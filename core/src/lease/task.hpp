// The tasks of operators on a namespace: make it, look at it, raise its floor. Sans-I/O, like the
// machine.
#pragma once

#include <polyflake/layout.hpp>
#include <polyflake/lease.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lease/machine.hpp"

namespace polyflake::lease {

class Task {
 public:
  virtual ~Task() = default;

  // Returns a read, cas or sleep, or done. Requires: the result of the former request was
  // delivered.
  Action next(Time now);
  // Errors: the failure that ends the task.
  void deliver(const Contents& contents);
  void deliver(const Answer& answer);
  virtual bool makes_namespace() const { return false; }
  // Takes the fact that the store was not reached. Errors: store_unavailable at the first request
  // (the address or the credentials are wrong, or no server listens) or after acquire_timeout_ms.
  // Before that time later requests are tried again.
  void deliver_nothing(const std::string& reason, Time now);

 protected:
  explicit Task(Settings settings) : settings_(std::move(settings)) {}

  // Returns a read or cas, or done.
  virtual Action ask(Time now) = 0;
  virtual void take(const Contents& contents) = 0;
  virtual void take(const Answer&) {}

  // Returns the namespace. Errors: layout_mismatch, wrong_namespace, namespace_not_initialised.
  const NamespaceRecord& checked(const Contents& contents) const;
  // Counts one more failed round. Errors: store_unavailable if there were too many.
  void count_round(const std::string& reason);

  const Settings settings_;

 private:
  int rounds_ = 0;
  std::string last_failure_;                 // a message
  bool answered_ = false;                    // true once the store has answered
  std::optional<std::int64_t> deadline_ms_;  // mono, from the first request on
  std::int64_t not_before_ms_ = 0;           // mono: the end of a pause
};

// Its result is the namespace's uuid.
class InitTask final : public Task {
 public:
  // none_ever_was: an operator vouches that there never was a namespace of this name. Then the task
  // waits for nothing.
  InitTask(Settings settings, bool none_ever_was, Random& random)
      : Task(std::move(settings)), none_ever_was_(none_ever_was), random_(random) {}
  bool makes_namespace() const override { return true; }
  const std::optional<Word>& uuid() const { return uuid_; }
  // Notes that an operator vouches that a demoted primary never serves again.
  void fence() { fenced_ = true; }

 private:
  Action ask(Time now) override;
  void take(const Contents& contents) override;
  void take(const Answer& answer) override;
  Cas first_write() const;
  Cas written_again(const NamespaceRecord& space) const;

  const bool none_ever_was_;
  Random& random_;
  std::optional<std::string> incarnation_;  // once the store was read
  // The namespace as found, if it is from a write of this task that was not confirmed: some copies
  // of the store may lack it.
  std::optional<NamespaceRecord> unconfirmed_;
  std::optional<Word> uuid_;  // once there is a namespace
  bool fenced_ = false;
  Cas sent_;
};

class RaiseFloorTask final : public Task {
 public:
  // lower: also write a floor below the recorded one, at least W + 2S from now.
  // Errors: field_out_of_range outside the time of the layout.
  RaiseFloorTask(const Layout& layout, std::int64_t floor_ms, bool lower, Random& random);
  // Names the copies of the namespace. The task is done once all of them have it.
  void name_copies(std::vector<std::string> copies) { copies_ = std::move(copies); }

 private:
  Action ask(Time now) override;
  void take(const Contents& contents) override;
  void take(const Answer& answer) override;

  const std::int64_t floor_ms_;
  const bool lower_;
  Random& random_;
  std::vector<std::string> copies_;
  std::optional<Contents> found_;
  bool ended_term_ = false;  // all earlier requests are void
  bool done_ = false;
  Cas sent_;
};

class LeasesTask final : public Task {
 public:
  explicit LeasesTask(Settings settings) : Task(std::move(settings)) {}
  const std::vector<LeaseInfo>& held() const { return held_; }

 private:
  Action ask(Time now) override;
  void take(const Contents& contents) override;

  Time now_{};
  std::optional<std::uint64_t> used_;
  std::uint64_t next_ = 0;  // the first node not looked at yet
  std::vector<std::uint64_t> asked_;
  std::vector<LeaseInfo> held_;
};

}  // namespace polyflake::lease

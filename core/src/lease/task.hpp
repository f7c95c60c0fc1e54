// What operators do with a namespace: make it, look at it, raise its floor. Sans-I/O, like the machine.
#pragma once

#include <polyflake/lease.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lease/machine.hpp"

namespace polyflake::lease {

class Task {
 public:
  virtual ~Task() = default;

  // A read or cas, or done. Requires: an answer to the former one was delivered.
  virtual Action next(Time now) = 0;
  // Errors: what ends the task.
  virtual void deliver(const Contents& contents) = 0;
  virtual void deliver(const Answer& answer) = 0;
  virtual bool makes_namespace() const { return false; }
  // The store was not reached. Errors: store_unavailable; nothing where it is worth another try.
  void deliver_nothing(const std::string& reason);

 protected:
  // Errors: layout_mismatch, wrong_namespace, namespace_not_initialised.
  static const NamespaceRecord& checked(const Contents& contents, const Settings& settings);
  // One more round that came to nothing. Errors: store_unavailable when there were too many.
  void count_round(const std::string& reason);

 private:
  int rounds_ = 0;
};

// Its result is the namespace's uuid.
class InitTask final : public Task {
 public:
  InitTask(Settings settings, Random& random) : settings_(std::move(settings)), random_(random) {}
  Action next(Time now) override;
  void deliver(const Contents& contents) override;
  void deliver(const Answer& answer) override;
  bool makes_namespace() const override { return true; }
  const std::optional<Word>& uuid() const { return uuid_; }

 private:
  const Settings settings_;
  Random& random_;
  std::optional<std::string> incarnation_;  // once there is no namespace
  std::optional<Word> uuid_;                // once there is one
  Cas sent_;
};

class RaiseFloorTask final : public Task {
 public:
  RaiseFloorTask(Settings settings, std::int64_t floor_ms, Random& random)
      : settings_(std::move(settings)), floor_ms_(floor_ms), random_(random) {}
  Action next(Time now) override;
  void deliver(const Contents& contents) override;
  void deliver(const Answer& answer) override;

 private:
  const Settings settings_;
  const std::int64_t floor_ms_;
  Random& random_;
  std::optional<Contents> found_;
  bool done_ = false;
  Cas sent_;
};

class LeasesTask final : public Task {
 public:
  explicit LeasesTask(Settings settings) : settings_(std::move(settings)) {}
  Action next(Time now) override;
  void deliver(const Contents& contents) override;
  void deliver(const Answer&) override {}
  const std::vector<LeaseInfo>& held() const { return held_; }

 private:
  const Settings settings_;
  Time now_{};
  std::optional<std::uint64_t> used_;
  std::uint64_t next_ = 0;  // the first node that was not looked at
  std::vector<std::uint64_t> asked_;
  std::vector<LeaseInfo> held_;
};

}  // namespace polyflake::lease

// Leases for operators: namespaces, as tasks.
#include <polyflake/error.hpp>

#include <optional>
#include <utility>

#include "facade/lease.hpp"
#include "facade/session_state.hpp"
#include "lease/record.hpp"
#include "lease/redis_copies.hpp"
#include "lease/task.hpp"
#include "open/lease.hpp"

namespace polyflake::facade {
namespace {

class TaskAsker final : public lease::Asker {
 public:
  TaskAsker(lease::Task& task, std::string shown) : task_(task), error_(std::move(shown)) {}
  lease::Action next() override {
    lease::Action action;
    error_.raise();
    error_.keep([&] { action = task_.next(lease::system_time()); });
    error_.raise();
    return action;
  }
  void deliver(std::uint64_t, const lease::Contents& contents) override {
    error_.keep([&] { task_.deliver(contents); });
  }
  void deliver(std::uint64_t, const lease::Answer& answer) override {
    error_.keep([&] { task_.deliver(answer); });
  }
  void deliver_nothing(std::uint64_t, const std::string& reason) override {
    error_.keep([&] { task_.deliver_nothing(reason, lease::system_time()); });
  }
  bool makes_namespace() const override { return task_.makes_namespace(); }

 private:
  lease::Task& task_;
  TaskError error_;
};

}  // namespace

struct NamespaceTask::Work {
  lease::SystemRandom random;
  std::unique_ptr<lease::Task> task;
  lease::InitTask* init = nullptr;  // the task, if it is one
  lease::RaiseFloorTask* raise_floor = nullptr;
  const lease::LeasesTask* leases = nullptr;
};

NamespaceTask::NamespaceTask(std::shared_ptr<State> state, std::shared_ptr<Work> work)
    : StoreSession(std::move(state)), work_(std::move(work)) {}

NamespaceTask NamespaceTask::init(const StoreAddress& address, const std::string& layout,
                                  const std::string& placeholder, bool fresh) {
  auto work = std::make_shared<Work>();
  const lease::WantedNamespace& wanted = address.parts_->wanted;
  check_name(wanted);
  lease::Settings settings = lease::settings_for(wanted.options, polyflake::Layout(layout), "");
  auto task = std::make_unique<lease::InitTask>(std::move(settings), fresh, work->random);
  work->init = task.get();
  work->task = std::move(task);
  return {
      std::make_shared<LeaseRequests>(address, placeholder, std::make_unique<TaskAsker>(*work->task, address.shown())),
      work};
}

NamespaceTask NamespaceTask::raise_floor(const StoreAddress& address, const std::string& layout,
                                         const std::string& placeholder, std::int64_t unix_ms, bool lower) {
  auto work = std::make_shared<Work>();
  const lease::WantedNamespace& wanted = address.parts_->wanted;
  check_name(wanted);
  auto task = std::make_unique<lease::RaiseFloorTask>(polyflake::Layout(layout), unix_ms, lower, work->random);
  work->raise_floor = task.get();
  work->task = std::move(task);
  return {
      std::make_shared<LeaseRequests>(address, placeholder, std::make_unique<TaskAsker>(*work->task, address.shown())),
      work};
}

NamespaceTask NamespaceTask::leases(const StoreAddress& address, const std::string& layout,
                                    const std::string& placeholder) {
  auto work = std::make_shared<Work>();
  const lease::WantedNamespace& wanted = address.parts_->wanted;
  check_name(wanted);
  auto task = std::make_unique<lease::LeasesTask>(lease::settings_of(polyflake::Layout(layout)));
  work->leases = task.get();
  work->task = std::move(task);
  return {
      std::make_shared<LeaseRequests>(address, placeholder, std::make_unique<TaskAsker>(*work->task, address.shown())),
      work};
}

void NamespaceTask::check_counts_copies() const {
  if (state_->kind == "redis") return;
  throw Error(ErrorCode::option_invalid,
              "replicas and copies are those of Redis: other stores count theirs themselves");
}

void NamespaceTask::fence() {
  check_counts_copies();
  if (work_->init != nullptr) work_->init->fence();
}

void NamespaceTask::name_copies(const std::string& space) {
  check_counts_copies();
  if (work_->raise_floor != nullptr) work_->raise_floor->name_copies(lease::copies_of(space));
}

std::string NamespaceTask::uuid() const {
  return work_->init != nullptr && work_->init->uuid() ? lease::to_text(*work_->init->uuid()) : "";
}
std::size_t NamespaceTask::count() const { return work_->leases == nullptr ? 0 : work_->leases->held().size(); }
std::int64_t NamespaceTask::node(std::size_t i) const {
  return static_cast<std::int64_t>(work_->leases->held().at(i).node);
}
std::int64_t NamespaceTask::until_ms(std::size_t i) const { return work_->leases->held().at(i).until_ms; }
std::string NamespaceTask::label(std::size_t i) const { return work_->leases->held().at(i).label; }

}  // namespace polyflake::facade

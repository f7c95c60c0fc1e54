#include "facade/lease.hpp"

#include <polyflake/error.hpp>

#include <optional>
#include <utility>

#include "facade/lease_state.hpp"
#include "lease/conversation.hpp"
#include "lease/record.hpp"
#include "lease/store_url.hpp"
#include "lease/task.hpp"
#include "lease/trial.hpp"

namespace polyflake::facade {
namespace {

lease::Placeholder placeholder_of(const std::string& text) {
  if (text == "%s") return lease::Placeholder::format;
  if (text == "$1") return lease::Placeholder::numbered;
  return lease::Placeholder::question;
}

void check_name(const lease::Place& place) {
  if (place.name.empty()) throw Error(ErrorCode::option_invalid, "a store needs a namespace, like \"orders\"");
}

}  // namespace

struct StoreAddress::Parts {
  lease::Place place;
  std::string shown;
};

struct StoreReply::Rows {
  lease::Reply rows;
};

struct StoreTalk::State {
  State(std::string kind_of_store, std::string name_of_namespace, const std::string& placeholder_of_client,
        std::unique_ptr<lease::Asker> who_asks)
      : kind(std::move(kind_of_store)),
        name(std::move(name_of_namespace)),
        placeholder(placeholder_of(placeholder_of_client)),
        asker(std::move(who_asks)),
        conversation(begun()) {}

  std::unique_ptr<lease::Conversation> begun() const {
    return std::make_unique<lease::Conversation>(lease::make_dialect(kind, name, placeholder), *asker);
  }

  const std::string kind;
  const std::string name;
  const lease::Placeholder placeholder;
  const std::unique_ptr<lease::Asker> asker;
  std::unique_ptr<lease::Conversation> conversation;
};

struct StoreTrial::Work {
  lease::SystemRandom random;
  lease::Trial* trial = nullptr;
};

struct NamespaceTask::Work {
  lease::SystemRandom random;
  std::unique_ptr<lease::Task> task;
  const lease::InitTask* init = nullptr;  // the task, if it is one
  const lease::LeasesTask* leases = nullptr;
};

namespace {

class LeaseAsker final : public lease::Asker {
 public:
  explicit LeaseAsker(std::shared_ptr<lease::Lease> lease) : lease_(std::move(lease)) {}
  lease::Action next() override { return lease_->poll(); }
  void deliver(std::uint64_t number, const lease::Contents& contents) override { lease_->deliver(number, contents); }
  void deliver(std::uint64_t number, const lease::Answer& answer) override { lease_->deliver(number, answer); }
  void deliver_nothing(std::uint64_t number, const std::string& reason) override {
    lease_->deliver_nothing(number, reason);
  }
  bool makes_namespace() const override { return lease_->options().auto_init != LeaseOptions::AutoInit::no; }

 private:
  const std::shared_ptr<lease::Lease> lease_;
};

class TaskAsker final : public lease::Asker {
 public:
  explicit TaskAsker(lease::Task& task) : task_(task) {}
  lease::Action next() override {
    if (ended_by_) throw Error(*ended_by_);
    return task_.next(lease::system_time());
  }
  void deliver(std::uint64_t, const lease::Contents& contents) override {
    keep_error([&] { task_.deliver(contents); });
  }
  void deliver(std::uint64_t, const lease::Answer& answer) override {
    keep_error([&] { task_.deliver(answer); });
  }
  void deliver_nothing(std::uint64_t, const std::string& reason) override {
    keep_error([&] { task_.deliver_nothing(reason); });
  }
  bool makes_namespace() const override { return task_.makes_namespace(); }

 private:
  // What ends a task is for who asks for its next step; a reply that cannot be understood is something else.
  template <typename Delivery>
  void keep_error(Delivery delivery) {
    try {
      delivery();
    } catch (const Error& error) {
      ended_by_ = error;
    }
  }

  lease::Task& task_;
  std::optional<Error> ended_by_;
};

}  // namespace

// --- addresses and replies --------------------------------------------------------------------------

bool is_store_address(const std::string& text) { return lease::is_store_url(text); }

StoreAddress::StoreAddress(const std::string& kind, const std::string& shown)
    : kind_(kind), parts_(std::make_shared<Parts>()) {
  parts_->shown = shown;
}

StoreAddress StoreAddress::parse(const std::string& url) {
  lease::StoreUrl parsed = lease::parse_store_url(url);
  StoreAddress address(parsed.kind, parsed.shown);
  address.client_ = std::move(parsed.client);
  address.parts_->place = std::move(parsed.place);
  return address;
}

void StoreAddress::set(const std::string& name, const std::string& value) {
  if (parts_->place.set(name, value)) return;
  throw Error(ErrorCode::option_invalid, "a store has no option " + quoted(name));
}

std::string StoreAddress::shown() const { return parts_->shown; }
std::string StoreAddress::name() const { return parts_->place.name; }

StoreReply::StoreReply() : rows_(std::make_shared<Rows>()) {}
void StoreReply::begin_row() { rows_->rows.emplace_back(); }
void StoreReply::add(const std::string& text) { rows_->rows.back().emplace_back(text); }
void StoreReply::add_nothing() { rows_->rows.back().emplace_back(std::nullopt); }

// --- talking ----------------------------------------------------------------------------------------

StoreTalk::StoreTalk(std::shared_ptr<State> state) : state_(std::move(state)) {}

StoreStep StoreTalk::step() {
  using Kind = lease::Action::Kind;
  lease::Conversation::Step step = state_->conversation->step();
  if (step.command) {
    return {"command", static_cast<std::int64_t>(step.number), std::move(step.command->name),
            std::move(step.command->parts), 0};
  }
  if (step.action.kind == Kind::failed) return {"failed", 0, "", {}, 0};
  if (step.action.kind == Kind::done) return {"done", 0, "", {}, 0};
  const std::int64_t ms = step.action.mono_ms - lease::system_time().mono_ms;
  return {"sleep", 0, "", {}, ms > 0 ? ms : 0};
}

void StoreTalk::deliver(std::int64_t number, const StoreReply& reply) {
  state_->conversation->deliver(static_cast<std::uint64_t>(number), reply.rows_->rows);
}

void StoreTalk::fail(std::int64_t number, const std::string& code, const std::string& reason) {
  state_->conversation->fail(static_cast<std::uint64_t>(number), code, reason);
}

std::vector<std::string> StoreTalk::setup() const { return state_->conversation->dialect().setup(); }

// --- leases -----------------------------------------------------------------------------------------

Lease::Lease(const StoreAddress& address, const std::string& layout, const std::string& placeholder)
    : StoreTalk(nullptr), held_(std::make_shared<Held>()) {
  const lease::Place& place = address.parts_->place;
  check_name(place);
  held_->lease = std::make_shared<lease::Lease>(polyflake::Layout(layout), place.options, address.shown());
  state_ = std::make_shared<State>(address.kind(), place.name, placeholder, std::make_unique<LeaseAsker>(held_->lease));
}

bool Lease::granted() const { return held_->lease->granted(); }

void Lease::raise_failure() const {
  const lease::Failure failure = held_->lease->failure();
  throw Error(failure.code, failure.message);
}

std::int64_t Lease::acquire_timeout_ms() const { return held_->lease->acquire_timeout_ms(); }
std::int64_t Lease::command_timeout_ms() const { return held_->lease->options().window_ms / 3; }
void Lease::hurry() { held_->lease->hurry(); }

void Lease::release() noexcept {
  if (held_->lease->ours()) held_->lease->release();
}

bool Lease::ours() const { return held_->lease->ours(); }

void Lease::begin_anew() {
  if (held_->lease->ours()) return;
  // Where the original was in the middle of a command, nobody here will say what came of it. Its memory is left as it is.
  static_cast<void>(state_->conversation.release());
  state_->conversation = state_->begun();
  held_->lease->begin_anew();
}
std::int64_t Lease::renewals() const {
  return static_cast<std::int64_t>(held_->lease->standing()->renewals.load(std::memory_order_relaxed));
}
std::int64_t Lease::failures() const {
  return static_cast<std::int64_t>(held_->lease->standing()->failures.load(std::memory_order_relaxed));
}

std::string Lease::namespace_uuid() const {
  const auto& names = held_->lease->machine().names();
  return names ? lease::to_text(names->uuid) : "";
}

// --- tasks ------------------------------------------------------------------------------------------

NamespaceTask::NamespaceTask(std::shared_ptr<State> state, std::shared_ptr<Work> work)
    : StoreTalk(std::move(state)), work_(std::move(work)) {}

NamespaceTask NamespaceTask::init(const StoreAddress& address, const std::string& layout,
                                  const std::string& placeholder, bool fresh) {
  auto work = std::make_shared<Work>();
  const lease::Place& place = address.parts_->place;
  check_name(place);
  lease::Settings settings = lease::settings_for(place.options, polyflake::Layout(layout), "");
  settings.fresh = settings.fresh || fresh;
  auto task = std::make_unique<lease::InitTask>(std::move(settings), work->random);
  work->init = task.get();
  work->task = std::move(task);
  return {std::make_shared<State>(address.kind(), place.name, placeholder, std::make_unique<TaskAsker>(*work->task)),
          work};
}

NamespaceTask NamespaceTask::raise_floor(const StoreAddress& address, const std::string& layout,
                                         const std::string& placeholder, std::int64_t unix_ms) {
  auto work = std::make_shared<Work>();
  const lease::Place& place = address.parts_->place;
  check_name(place);
  work->task =
      std::make_unique<lease::RaiseFloorTask>(lease::settings_of(polyflake::Layout(layout)), unix_ms, work->random);
  return {std::make_shared<State>(address.kind(), place.name, placeholder, std::make_unique<TaskAsker>(*work->task)),
          work};
}

NamespaceTask NamespaceTask::leases(const StoreAddress& address, const std::string& layout,
                                    const std::string& placeholder) {
  auto work = std::make_shared<Work>();
  const lease::Place& place = address.parts_->place;
  check_name(place);
  auto task = std::make_unique<lease::LeasesTask>(lease::settings_of(polyflake::Layout(layout)));
  work->leases = task.get();
  work->task = std::move(task);
  return {std::make_shared<State>(address.kind(), place.name, placeholder, std::make_unique<TaskAsker>(*work->task)),
          work};
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

// --- trials -----------------------------------------------------------------------------------------

StoreTrial::StoreTrial(const StoreAddress& address, const std::string& placeholder)
    : StoreTrial(address, placeholder, std::make_shared<Work>()) {}

StoreTrial::StoreTrial(const StoreAddress& address, const std::string& placeholder, std::shared_ptr<Work> work)
    : StoreTalk(nullptr), work_(std::move(work)) {
  check_name(address.parts_->place);
  auto trial = std::make_unique<lease::Trial>(work_->random, lease::system_time().wall_ms);
  work_->trial = trial.get();
  state_ = std::make_shared<State>(address.kind(), address.name(), placeholder, std::move(trial));
}

void StoreTrial::ask_read(const std::vector<std::int64_t>& nodes) {
  work_->trial->ask(std::vector<std::uint64_t>(nodes.begin(), nodes.end()));
}

void StoreTrial::ask_cas(const std::vector<std::string>& names, const std::vector<std::string>& values) {
  lease::Assignments assignments;
  for (std::size_t i = 0; i < names.size(); ++i) assignments.emplace_back(names[i], values.at(i));
  work_->trial->ask(assignments);
}

std::string StoreTrial::outcome() const { return work_->trial->outcome(); }
std::vector<std::string> StoreTrial::found() const { return work_->trial->found(); }

}  // namespace polyflake::facade

#include "facade/lease.hpp"

#include <utility>

#include "facade/talk_state.hpp"
#include "lease/trial.hpp"
#include "open/lease.hpp"

namespace polyflake::facade {

struct StoreTrial::Work {
  lease::SystemRandom random;
  lease::Trial* trial = nullptr;
};

StoreTrial::StoreTrial(const StoreAddress& address, const std::string& placeholder)
    : StoreTrial(address, placeholder, std::make_shared<Work>()) {}

StoreTrial::StoreTrial(const StoreAddress& address, const std::string& placeholder, std::shared_ptr<Work> work)
    : StoreTalk(nullptr), work_(std::move(work)) {
  check_name(address.parts_->place);
  auto trial = std::make_unique<lease::Trial>(work_->random, lease::system_time().wall_ms);
  work_->trial = trial.get();
  state_ = std::make_shared<State>(address.kind(), address.parts_->place, placeholder, std::move(trial));
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

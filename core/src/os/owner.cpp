#include "os/owner.hpp"

#include <atomic>
#include <memory>
#include <string_view>

#include "base/ascii.hpp"
#include "base/message.hpp"
#include "os/os.hpp"

namespace polyflake::platform {
namespace {

std::string host_label() {
  std::string label;
  for (const char c : host_name().substr(0, 64)) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.';
    label += plain ? c : '_';
  }
  return label + "/";
}

// Never freed.
std::atomic<const std::string*> g_machine_id{nullptr};

}  // namespace

// Cached: a search for a node id asks for it hundreds of times.
const std::string& machine_id() {
  if (const std::string* const known = g_machine_id.load(std::memory_order_acquire)) return *known;
  auto made = std::make_unique<const std::string>(read_machine_id());
  const std::string* expected = nullptr;
  if (g_machine_id.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return *made.release();
  return *expected;
}

std::string label_of(std::uint64_t process_number) { return host_label() + std::to_string(process_number); }

std::string owner_label() { return label_of(process_number()); }

std::string life_of(const std::string& owner_label) {
  const std::string host = host_label();
  if (owner_label.substr(0, host.size()) != host) return {};
  const auto number = ascii::decimal(std::string_view(owner_label).substr(host.size()));
  if (!number || *number == 0 || *number > INT32_MAX) return {};
  return is_running(*number) ? "running" : "not running";
}

std::string holder_of(const std::string& owner_label) {
  if (owner_label.empty()) return "another process";
  const std::string life = life_of(owner_label);
  return "process " + system_name(owner_label) + " (host/pid" + (life.empty() ? "" : ", " + life) + ")";
}

}  // namespace polyflake::platform

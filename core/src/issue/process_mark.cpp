#include "issue/process_mark.hpp"

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <string>

#include "os/failure.hpp"

namespace polyflake {
namespace {

// Must never change: all versions of this library must agree on it.
std::string name_of(std::uint64_t fingerprint, std::uint64_t node) {
  return "polyflake/" + ProcessName::process() + "/" + to_text(fingerprint, "hex") + "/" + std::to_string(node);
}

}  // namespace

bool ProcessMark::take(std::uint64_t fingerprint, std::uint64_t node) {
  if (name_.taken()) return true;
  switch (name_.take(name_of(fingerprint, node))) {
    case ProcessName::Take::by_another: return false;
    case ProcessName::Take::failed: break;
    default: return true;
  }
  const std::string said = platform::last_error();
  throw Error(ErrorCode::registry_unusable,
              "cannot mark node id " + std::to_string(node) + " as used by this process: " + said);
}

}  // namespace polyflake

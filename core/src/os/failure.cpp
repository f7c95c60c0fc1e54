#include "os/failure.hpp"

#include <polyflake/error.hpp>

namespace polyflake::platform {

std::string why_failed(const std::string& path, const char* action) {
  const std::string said = last_error();  // before any other system call
  return std::string("cannot ") + action + " '" + path + "': " + said;
}

void fail(const std::string& path, const char* action) {
  throw Error(ErrorCode::registry_unusable, why_failed(path, action));
}

void refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::registry_unusable, "'" + path + "' " + reason);
}

}  // namespace polyflake::platform

// The files of tokens that the configuration names: read at the start, and again when the operator
// says so.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "access/access.hpp"
#include "configuration/configuration.hpp"

namespace polyflake::server {

// Thread safety: that of the event loop.
class TokenFiles {
 public:
  // Reads them. Blocks: I/O of local files. Errors: ConfigurationError.
  explicit TokenFiles(const Configuration& configuration);

  // Reads them again. A file that is not right leaves its tokens as they are, and the log says why.
  // Blocks: as above. Errors: std::bad_alloc.
  void reread();

  // Returns the access of a file; it lasts as long as this object. Requires: a listener names it.
  const Access& access(const std::string& path) const { return files_.at(path); }

 private:
  std::vector<std::string> served_;  // names of generators and counters
  std::map<std::string, Access> files_;
};

}  // namespace polyflake::server

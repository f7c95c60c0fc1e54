#include "access/token_files.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.hpp"

namespace polyflake::server {
namespace {

// A file that is open for reading.
class OpenFile {
 public:
  // Does not wait for a writer, as a pipe would.
  explicit OpenFile(const std::string& path)
      : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (file_ < 0) fail(errno);
  }
  ~OpenFile() {
    if (file_ >= 0) ::close(file_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  struct stat status() const {
    struct stat found{};
    if (::fstat(file_, &found) != 0) fail(errno);
    if (!S_ISREG(found.st_mode)) throw ConfigurationError("cannot read the tokens: " + path_ + " is not a file");
    return found;
  }

  // Reads to its end, or until it is longer than a file of tokens may be.
  std::string content() const {
    constexpr std::size_t kEnough = (std::size_t{1} << 20) + 1;
    std::array<char, 4096> part;
    std::string text;
    while (text.size() < kEnough) {
      const ssize_t length = ::read(file_, part.data(), part.size());
      if (length < 0 && errno == EINTR) continue;
      if (length < 0) fail(errno);
      if (length == 0) break;
      text.append(part.data(), static_cast<std::size_t>(length));
    }
    return text;
  }

 private:
  [[noreturn]] void fail(int error) const {
    throw ConfigurationError("cannot read the tokens in " + path_ + ": " + std::generic_category().message(error) +
                             "; the key tokens of a listener names the file");
  }

  const std::string path_;
  const int file_;
};

std::vector<Token> tokens_of(const std::string& path, const std::vector<std::string>& served) {
  const OpenFile file(path);
  const bool others_may_read = (file.status().st_mode & S_IROTH) != 0;
  std::vector<Token> tokens = read_tokens(file.content(), path, served);
  log("tokens", {{"file", path}, {"tokens", std::to_string(tokens.size())}});
  // Kubernetes mounts secrets so.
  if (others_may_read)
    log("tokens_exposed", {{"file", path}, {"reason", "every user may read it; chmod o= ends that"}});
  return tokens;
}

std::int64_t steady_ns() { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

}  // namespace

TokenFiles::TokenFiles(const Configuration& configuration) {
  for (const auto& one : configuration.generators) served_.push_back(one.name);
  for (const auto& one : configuration.counters) served_.push_back(one.name);
  for (const auto& one : configuration.listeners) {
    if (one.tokens.empty() || files_.count(one.tokens) != 0) continue;
    files_.try_emplace(one.tokens, tokens_of(one.tokens, served_), steady_ns);
  }
}

void TokenFiles::reread() {
  for (auto& [path, access] : files_) {
    try {
      access.replace(tokens_of(path, served_));
    } catch (const std::exception& error) {
      log("tokens_kept", {{"file", path}, {"tokens", std::to_string(access.size())}, {"reason", error.what()}});
    }
  }
}

}  // namespace polyflake::server

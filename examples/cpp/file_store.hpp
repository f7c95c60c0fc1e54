// A store of your own: leases in one file, which all processes of a host share.
//
// It shows what an adapter is. It carries records there and back; what a request comes to is judged by Tables::step(), on
// what is read and written under one lock.
#pragma once

#include <chrono>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <polyflake/store.hpp>

class FileStore final : public polyflake::Store {
 public:
  explicit FileStore(std::string path) : path_(std::move(path)) {}

  polyflake::lease::Contents read(const polyflake::lease::Read& request) override {
    const Locked locked(path_);
    return load().read(request, locked.incarnation(), now_ms());
  }

  polyflake::lease::Answer cas(const polyflake::lease::Cas& request) override {
    const Locked locked(path_);
    const std::int64_t store_ms = now_ms();  // once the file is locked: what comes later sees a later time
    polyflake::lease::Tables tables = load();
    const polyflake::lease::Outcome outcome = tables.step(request, locked.incarnation(), store_ms);
    if (outcome == polyflake::lease::Outcome::ok) save(tables);
    return {outcome, request.echo, store_ms};
  }

 private:
  // A file beside it is locked, and never replaced: its number names the store. Opened anew for every call, so that a copy of
  // the process (fork) shares no lock with the original.
  class Locked {
   public:
    explicit Locked(const std::string& path)
        : file_(::open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
      if (file_ < 0 || ::flock(file_, LOCK_EX) != 0) throw std::runtime_error(path + " cannot be locked");
    }
    ~Locked() { ::close(file_); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

    std::string incarnation() const {
      struct stat about{};
      if (::fstat(file_, &about) != 0) throw std::runtime_error("the lock file cannot be looked at");
      return std::to_string(about.st_dev) + ":" + std::to_string(about.st_ino);
    }

   private:
    const int file_;
  };

  static std::int64_t now_ms() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  }

  polyflake::lease::Tables load() const {
    polyflake::lease::Tables tables;
    std::ifstream file(path_);
    for (std::string kind; file >> kind;) {
      if (kind == "namespace") {
        polyflake::lease::NamespaceRecord& space = tables.space.emplace();
        file >> space.uuid.high >> space.uuid.low >> space.nonce.high >> space.nonce.low >> space.term.high >>
            space.term.low >> space.layout >> space.window_ms >> space.tolerance_ms >> space.settled >>
            space.floor_ms >> space.used;
        space.incarnation = rest_of_line(file);
      } else {
        std::uint64_t node = 0;
        polyflake::lease::NodeRecord record;
        file >> node >> record.nonce.high >> record.nonce.low >> record.owner.high >> record.owner.low >>
            record.layout >> record.until_ms;
        record.label = rest_of_line(file);
        tables.nodes[node] = record;
      }
      if (!file) throw std::runtime_error(path_ + " is damaged");
    }
    return tables;
  }

  // A text may begin with spaces, or be empty.
  static std::string rest_of_line(std::ifstream& file) {
    std::string text;
    file.get();
    std::getline(file, text);
    return text;
  }

  void save(const polyflake::lease::Tables& tables) const {
    std::string text;
    const auto add = [&text](const auto&... numbers) { ((text += std::to_string(numbers) + ' '), ...); };
    if (tables.space) {
      const auto& space = *tables.space;
      text += "namespace ";
      add(space.uuid.high, space.uuid.low, space.nonce.high, space.nonce.low, space.term.high, space.term.low,
          space.layout, space.window_ms, space.tolerance_ms, space.settled, space.floor_ms, space.used);
      text += space.incarnation + '\n';
    }
    for (const auto& [node, record] : tables.nodes) {
      text += "node ";
      add(node, record.nonce.high, record.nonce.low, record.owner.high, record.owner.low, record.layout,
          record.until_ms);
      text += record.label + '\n';
    }
    replace(text);
  }

  // All of it or nothing, and on the disk before anybody goes by it.
  void replace(const std::string& text) const {
    const std::string beside = path_ + ".new";
    const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const bool written =
        file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && ::fsync(file) == 0;
    if (file >= 0) ::close(file);
    if (!written || ::rename(beside.c_str(), path_.c_str()) != 0)
      throw std::runtime_error(path_ + " cannot be written");
    flush_folder();
  }

  void flush_folder() const {
    const std::size_t end = path_.rfind('/');
    const std::string folder = end == std::string::npos ? "." : path_.substr(0, end + 1);
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool flushed = file >= 0 && ::fsync(file) == 0;
    if (file >= 0) ::close(file);
    if (!flushed) throw std::runtime_error(folder + " cannot be written");
  }

  const std::string path_;
};

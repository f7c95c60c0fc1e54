// What polyflake doctor found: a line for each subject, and how many of them are bad.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <polyflake/layout.hpp>

#include "description.hpp"
#include "program.hpp"

namespace polyflake::cli {

class Report {
 public:
  explicit Report(Program& program) : out_(program.out), style_(program.style()) {}

  void well(std::string_view subject, const std::string& finding) { line("ok", subject, finding); }
  void told(std::string_view subject, const std::string& finding) { line("-", subject, finding); }
  void warned(std::string_view subject, const std::string& finding) {
    ++warnings_;
    line("warning", subject, finding);
  }
  void wrong(std::string_view subject, const std::string& finding) {
    ++faults_;
    line("fault", subject, finding);
  }

  int end() {
    out_.write("\n" + counted(faults_, "fault") + ", " + counted(warnings_, "warning") + "\n");
    return faults_ == 0 ? kWell : kError;
  }

 private:
  static std::string counted(int number, const char* what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
  }
  void line(const std::string& verdict, std::string_view subject, const std::string& finding) {
    const std::string padded = verdict + std::string(9 - verdict.size(), ' ');
    out_.write((verdict == "ok" || verdict == "-" ? padded : style_.bold(padded)) + labelled(subject, style_) +
               finding + "\n");
  }

  Output& out_;
  const Style style_;
  int warnings_ = 0;
  int faults_ = 0;
};

// Whether a time lies ahead of the present, but for clocks that differ a little and for three ticks.
inline bool is_ahead(std::int64_t unix_ms, std::int64_t now_ms, std::int64_t tick_ms) {
  constexpr std::uint64_t kAllowanceMs = 60'000;
  return unix_ms > now_ms &&
         static_cast<std::uint64_t>(unix_ms - now_ms) > kAllowanceMs + 3 * static_cast<std::uint64_t>(tick_ms);
}

// The folder of this host's registry, its file system, and what stands in it.
void look_at_registry(Report& report, const Layout& layout, std::int64_t now_ms);

}  // namespace polyflake::cli

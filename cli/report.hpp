// Report: the findings of polyflake doctor, one line for each subject, and the number of bad ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <polyflake/layout.hpp>

#include "description.hpp"
#include "json.hpp"
#include "program.hpp"

namespace polyflake::cli {

class Report {
 public:
  Report(Program& program, bool json) : out_(program.out), style_(program.style()), json_(json) {}

  void well(std::string_view subject, const std::string& finding) { line("ok", subject, finding); }
  void told(std::string_view subject, const std::string& finding) { line(kNote, subject, finding); }
  void warned(std::string_view subject, const std::string& finding) {
    ++warnings_;
    line("warning", subject, finding);
  }
  void wrong(std::string_view subject, const std::string& finding) {
    ++faults_;
    line("fault", subject, finding);
  }

  int end() {
    if (!json_) out_.write("\n" + counted(faults_, "fault") + ", " + counted(warnings_, "warning") + "\n");
    return faults_ == 0 ? kWell : kError;
  }

 private:
  static constexpr const char* kNote = "-";

  static std::string counted(int number, const char* what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
  }
  void line(const std::string& verdict, std::string_view subject, const std::string& finding) {
    if (json_) {
      JsonObject json(out_.buffer());
      json.text("subject", subject);
      json.text("verdict", verdict == kNote ? "note" : verdict);
      json.said("finding", finding);
      json.end_line();
      return;
    }
    const std::string padded = verdict + std::string(9 - verdict.size(), ' ');
    out_.write((verdict == "ok" || verdict == kNote ? padded : style_.bold(padded)) + labelled(subject, style_) +
               finding + "\n");
  }

  Output& out_;
  const Style style_;
  const bool json_;
  int warnings_ = 0;
  int faults_ = 0;
};

// Returns true if a time lies ahead of the present by more than small clock differences and three
// ticks.
inline bool is_ahead(std::int64_t unix_ms, std::int64_t now_ms, std::int64_t tick_ms) {
  constexpr std::uint64_t kAllowanceMs = 60'000;
  return unix_ms > now_ms &&
         static_cast<std::uint64_t>(unix_ms - now_ms) > kAllowanceMs + 3 * static_cast<std::uint64_t>(tick_ms);
}

// Checks the folder of this host's registry, its file system and its contents.
void look_at_registry(Report& report, const Layout& layout, std::int64_t now_ms);

}  // namespace polyflake::cli

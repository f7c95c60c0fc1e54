#include "program.hpp"

#include <polyflake/clock.hpp>

#include <cstdlib>

#include "instant.hpp"
#include "system.hpp"
#include "terminal.hpp"

namespace polyflake::cli {

std::string one_line(std::string_view text) {
  constexpr const char* kHex = "0123456789abcdef";
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      line += c;
    } else if (c == '\n') {
      line += ' ';
    } else {
      line += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return line;
}

Style Program::style() const {
  const char* const none = std::getenv("NO_COLOR");  // no-color.org: set and not empty
  const bool unwanted = none != nullptr && *none != '\0';
  const bool colored = color == "auto" ? !unwanted && terminal::takes_escapes(out.descriptor()) : color == "always";
  if (colored && system::is_terminal(out.descriptor())) terminal::colors_on(out.descriptor());
  return Style(colored);
}

void Program::complain(const std::string& code, const std::string& message) {
  const auto say = [&] {
    err.write("polyflake: " + (code.empty() ? "" : code + ": ") + one_line(message) + "\n");
    err.flush();
  };
  try {
    out.flush();
  } catch (const StreamFailure&) {
    say();
    throw;
  }
  say();
}

CLI::Option* add_layout_option(CLI::App& command, std::string& layout) {
  return command.add_option("--layout", layout, "Preset or layout text")->type_name("LAYOUT")->capture_default_str();
}

void add_now(CLI::App& command, Now& now) {
  command.add_option("--now", now.text, "Reckon from this time instead of the present")->type_name("TIME");
}

void add_json(CLI::App& command, bool& json, const std::string& what) {
  command.add_flag("--json", json, "A line of JSON for " + what);
}

std::int64_t Now::ms() const { return text ? parse_instant("--now", *text) : SystemClock::read_ms(); }

}  // namespace polyflake::cli

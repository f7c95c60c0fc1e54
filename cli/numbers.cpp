#include "numbers.hpp"

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <iomanip>
#include <locale>
#include <sstream>
#include <utility>

#include "program.hpp"

namespace polyflake::cli {
namespace {

template <class... Forms>
std::string formatted(double number, const Forms&... forms) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  (text << ... << forms) << number;
  return text.str();
}

}  // namespace

std::string with_decimals(double number, int decimals) {
  return formatted(number, std::fixed, std::setprecision(decimals));
}

std::string roughly(double number) { return formatted(number, std::setprecision(3)); }

CLI::Option* add_number(CLI::App& command, const std::string& names, std::uint64_t least, std::uint64_t most,
                        std::function<void(std::uint64_t)> take, const std::string& description) {
  const std::string name = names.substr(names.rfind(',') + 1);
  const CLI::callback_t read = [=, take = std::move(take)](const CLI::results_t& texts) {
    const std::string& text = texts.back();
    try {
      const std::uint64_t number = from_text(text);
      if (number >= least && number <= most) {
        take(number);
        return true;
      }
    } catch (const Error&) {
      // falls through to the list of allowed values
    }
    throw UsageError(name + " is a whole number from " + std::to_string(least) + " to " + std::to_string(most) +
                     ", not " + polyflake::quoted(text));
  };
  return command.add_option(names, read, description)->type_name("N");
}

}  // namespace polyflake::cli

// Numbers as people write and read them, independent of the host's locale.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <CLI/CLI.hpp>

namespace polyflake::cli {

// Returns "62.8": a fixed number of digits after the point.
std::string with_decimals(double number, int decimals);

// Returns "1.84e+19": three significant digits.
std::string roughly(double number);

// Adds an option whose value is a whole number, as strict as an id: no sign, blank, leading zero or
// other base. Any other value, or one outside the bounds, gives a UsageError.
CLI::Option* add_number(CLI::App& command, const std::string& names, std::uint64_t least, std::uint64_t most,
                        std::function<void(std::uint64_t)> take, const std::string& description);

}  // namespace polyflake::cli

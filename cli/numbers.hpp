// Numbers as people write and read them: the same whatever the locale of the host.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <CLI/CLI.hpp>

namespace polyflake::cli {

// "62.8": so many digits after the point.
std::string with_decimals(double number, int decimals);

// "1.84e+19": three digits that count.
std::string roughly(double number);

// An option whose value is a whole number, as strict as an id: no sign, blank, leading zero or other base. Where it is none or
// lies outside the bounds: UsageError.
CLI::Option* add_number(CLI::App& command, const std::string& names, std::uint64_t least, std::uint64_t most,
                        std::function<void(std::uint64_t)> take, const std::string& description);

}  // namespace polyflake::cli

#include "ids/refusal.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include <polyflake/error.hpp>

namespace polyflake::server {

const std::vector<std::string_view>& refusal_codes() {
  static const std::vector<std::string_view> codes = [] {
    std::vector<std::string_view> all = {"bad_request",   "batch_too_large", "busy",       "forbidden",
                                         "internal",      "not_found",       "other",      "method_not_allowed",
                                         "token_missing", "token_wrong",     "unknown_key"};
    for (const ErrorInfo& known : kErrorTable) all.emplace_back(known.name);
    return all;
  }();
  return codes;
}

std::string_view known_code(std::string_view code) {
  const auto& all = refusal_codes();
  const auto found = std::find(all.begin(), all.end(), code);
  return found == all.end() ? "other" : *found;
}

Refusal refusal_of(const std::exception& failure) {
  if (const auto* error = dynamic_cast<const Error*>(&failure)) {
    const bool asked_wrongly = error->kind() == ErrorKind::argument;
    return {asked_wrongly ? Refusal::Kind::bad_request : Refusal::Kind::unavailable, error->code_name(), error->what()};
  }
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) return busy("no memory is left; try again later");
  return {Refusal::Kind::unavailable, "internal", "an error that the server does not expect"};
}

Refusal bad_request(std::string message) { return {Refusal::Kind::bad_request, "bad_request", std::move(message)}; }

Refusal unknown_key(std::string message) { return {Refusal::Kind::unknown_key, "unknown_key", std::move(message)}; }

Refusal busy(std::string message) { return {Refusal::Kind::busy, "busy", std::move(message)}; }

std::optional<Refusal> refusal_of_batch(std::uint64_t n, std::uint32_t max_batch, const std::string& given) {
  if (n != 0 && n <= max_batch) return std::nullopt;
  return Refusal{
      Refusal::Kind::bad_request, n == 0 ? "option_invalid" : "batch_too_large",
      "n is " + given + "; ask for 1 to " + std::to_string(max_batch) + " ids at a time, the max_batch of this server"};
}

}  // namespace polyflake::server

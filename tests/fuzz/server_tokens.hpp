// Listeners with tokens, for the targets of the server's protocols: a first byte 1 of the input
// chooses one.
#pragma once

#include <memory>
#include <string_view>

#include "access/access.hpp"

namespace polyflake::fuzz {

class TokensOfInput {
 public:
  static constexpr std::string_view kSecrets[] = {"open-sesame", "look-inside"};

  // Takes the byte off the text.
  explicit TokensOfInput(std::string_view& text) {
    if (text.empty() || text.front() != 1) return;
    text.remove_prefix(1);
    for (const std::string_view secret : kSecrets) knows_secret_ |= text.find(secret) != std::string_view::npos;
    gate_ = std::make_unique<server::Gate>(access_);
  }

  server::Gate* gate() const { return gate_.get(); }
  // Returns true if the input may learn nothing.
  bool must_learn_nothing() const { return gate_ != nullptr && !knows_secret_; }

 private:
  static std::int64_t now_ns() { return 0; }

  server::Access access_{{{"taker", server::Secret(kSecrets[0]), {"orders"}, 100, false},
                          {"viewer", server::Secret(kSecrets[1]), {}, 0, true}},
                         now_ns};
  std::unique_ptr<server::Gate> gate_;
  bool knows_secret_ = false;
};

}  // namespace polyflake::fuzz

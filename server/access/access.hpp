// Access: which rights the tokens of a file give. Listeners ask it through a Gate.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/rate.hpp"
#include "access/tokens.hpp"

namespace polyflake::server {

// A token and its state, under its name. An account lasts as long as its Access, even when the file
// no longer has the token, so rights and requests may point to it.
struct Account {
  Account(std::string account_name, Rate::NowNs now_ns) : name(std::move(account_name)), rate(name, now_ns) {}

  const std::string name;
  std::vector<std::string> keys;  // empty: all
  bool may_inspect = false;
  bool is_open = false;          // the file has the token
  std::uint64_t generation = 0;  // changes when the token gets another secret, or goes
  Secret secret{""};
  Rate rate;
};

// The right of a client. It holds while the file has its token with the same secret; a default one
// never does. Requires: its Access outlives it.
class Right {
 public:
  Right() = default;
  explicit Right(Account& account) : account_(&account), generation_(account.generation) {}

  // Returns true while it is one. The other functions require that.
  bool holds() const { return account_ != nullptr && account_->generation == generation_; }

  const std::string& token() const { return account_->name; }
  // key: of the generator or counter, as the configuration names it.
  bool may_take(std::string_view key) const;
  bool may_inspect() const { return account_->may_inspect; }
  // Returns what its ids count against; null if it has no limit.
  Rate* rate() const { return account_->rate.is_limited() ? &account_->rate : nullptr; }

 private:
  Account* account_ = nullptr;
  std::uint64_t generation_ = 0;
};

// Thread safety: that of the event loop.
class Access {
 public:
  // now_ns: of a clock that never goes back, for rates.
  Access(std::vector<Token> tokens, Rate::NowNs now_ns);
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;

  // Replaces the tokens. Rights to tokens that are gone, or have another secret, end at once; ids
  // that were taken still count against the rate of their token. Errors: std::bad_alloc; then
  // nothing has changed.
  void replace(std::vector<Token> tokens);

  // Returns the right that a secret gives; it does not hold if no token has the secret. Each secret
  // of the file is compared as a whole, so the time does not tell how much of one was right.
  Right right_of(std::string_view secret) const;

  std::size_t size() const { return secrets_.size(); }

 private:
  const Rate::NowNs now_ns_;
  std::map<std::string, std::unique_ptr<Account>> accounts_;  // by name
  std::vector<Secret> secrets_;
  std::vector<Account*> owners_;  // of the secrets, in their order
};

// The gate of a listener whose clients need tokens. Counts wrong secrets, for the log.
class Gate {
 public:
  explicit Gate(const Access& access) : access_(access) {}

  Right right_of(std::string_view secret) const { return access_.right_of(secret); }
  void count_wrong_secret() { ++wrong_; }
  // Returns how many were counted since the last call.
  std::uint64_t take_wrong_secrets() { return std::exchange(wrong_, 0); }

 private:
  const Access& access_;
  std::uint64_t wrong_ = 0;
};

}  // namespace polyflake::server

#include "access/access.hpp"

#include <algorithm>
#include <utility>

namespace polyflake::server {
namespace {

void close(Account& account) noexcept {
  if (std::exchange(account.is_open, false)) ++account.generation;
}

void open(Account& account, Token& token) noexcept {
  if (account.is_open && account.secret.differs_from(token.secret) != 0) close(account);
  account.is_open = true;
  account.secret = token.secret;
  account.keys = std::move(token.keys);
  account.may_inspect = token.may_inspect;
  account.rate.set(token.ids_per_second);
}

}  // namespace

bool Right::may_take(std::string_view key) const {
  const auto& keys = account_->keys;
  return keys.empty() || std::find(keys.begin(), keys.end(), key) != keys.end();
}

Access::Access(std::vector<Token> tokens, Rate::NowNs now_ns) : now_ns_(now_ns) { replace(std::move(tokens)); }

void Access::replace(std::vector<Token> tokens) {
  std::vector<Secret> secrets;
  std::vector<Account*> owners;
  for (const Token& token : tokens) {
    auto& account = accounts_[token.name];
    if (account == nullptr) account = std::make_unique<Account>(token.name, now_ns_);
    secrets.push_back(token.secret);
    owners.push_back(account.get());
  }
  // Nothing fails from here on.
  for (Account* const owner : owners_) {
    if (std::find(owners.begin(), owners.end(), owner) == owners.end()) close(*owner);
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) open(*owners[i], tokens[i]);
  secrets_.swap(secrets);
  owners_.swap(owners);
}

Right Access::right_of(std::string_view text) const {
  const Secret given(text);
  std::uint64_t found = 0;  // its place, from 1
  for (std::size_t i = 0; i < secrets_.size(); ++i) {
    std::uint64_t is_equal = given.differs_from(secrets_[i]) - 1;  // all bits, or none
    Secret::hide(is_equal);
    found |= is_equal & (i + 1);
  }
  return found == 0 ? Right() : Right(*owners_[found - 1]);
}

}  // namespace polyflake::server

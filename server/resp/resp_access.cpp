// Tokens in RESP: AUTH, and HELLO with AUTH. Refusals are worded as those of Redis, whose clients
// react to their first words.
#include "resp/resp.hpp"
#include "resp/resp_text.hpp"

namespace polyflake::server {
namespace {

constexpr std::string_view kAnyName = "default";  // sent by clients that were told no name

}  // namespace

std::string Resp::no_permission(const std::string& token, const std::string& what) {
  return "NOPERM User " + token + " has no permissions to " + what + "; the server's file of tokens says who has";
}

bool Resp::authenticate(std::string_view name, std::string_view secret, std::string& out) {
  if (gate_ == nullptr) {
    resp::line('-', "ERR this server asks for no password; remove it from the client", out);
    return false;
  }
  const Right right = gate_->right_of(secret);
  if (right.holds() && (name == kAnyName || name == right.token())) {
    right_ = right;
    return true;
  }
  gate_->count_wrong_secret();
  resp::line('-', "WRONGPASS invalid username-password pair or user is disabled.", out);
  return false;
}

// AUTH [name] secret
void Resp::auth(std::string& out) {
  const std::string_view name = count_ == 3 ? words_[1] : kAnyName;
  if (authenticate(name, words_[count_ - 1], out)) resp::line('+', "OK", out);
}

// Returns false, and says why, if the client of a HELLO gets no right. auth: its word AUTH; 0: it
// has none.
bool Resp::greet(std::size_t auth, std::string& out) {
  if (auth != 0) return authenticate(words_[auth + 1], words_[auth + 2], out);
  if (!needs_token()) return true;
  resp::line('-',
             "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH "
             "<user> <pass> option can be used to authenticate the client and select the RESP protocol version at the "
             "same time",
             out);
  return false;
}

}  // namespace polyflake::server

// ticket: numbers of ticket servers, whose rules are in count/tickets.hpp. Only the packages of
// other languages have clients of them.
#include <polyflake/error.hpp>

#include "kinds/kind.hpp"

namespace polyflake {
namespace {

std::unique_ptr<IdSource> refuse_ticket(KindOptions&) {
  throw Error(
      ErrorCode::option_invalid,
      "kind 'ticket' asks databases, over the clients of Python, Node or Java: open it there, or use 'segment'");
}

}  // namespace

constexpr Kind kind::ticket = kind_of_store("ticket", refuse_ticket);

}  // namespace polyflake

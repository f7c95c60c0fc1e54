// date: numbers that begin with the date, of a counter in a store. See polyflake/date_ids.hpp; here
// is only what other code knows of the kind by its name.
#include <polyflake/error.hpp>

#include "kinds/kind.hpp"

namespace polyflake {
namespace {

// A store is an object of the program, which no text names.
std::unique_ptr<IdSource> refuse_date(KindOptions&) {
  throw Error(ErrorCode::option_invalid, "kind 'date' needs a store: make DateIds(store, options)");
}

}  // namespace

constexpr Kind kind::date = kind_of_store("date", refuse_date);

}  // namespace polyflake

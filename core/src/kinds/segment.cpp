// segment: numbers of a counter in a store. See polyflake/segment.hpp; here is only what other code
// knows of the kind by its name.
#include <polyflake/error.hpp>

#include "kinds/kind.hpp"

namespace polyflake {
namespace {

// A store is an object of the program, which no text names.
std::unique_ptr<IdSource> refuse_segment(KindOptions&) {
  throw Error(ErrorCode::option_invalid, "kind 'segment' needs a store: make a Segment(store, options)");
}

}  // namespace

constexpr Kind kind::segment = kind_of_store("segment", refuse_segment);

}  // namespace polyflake

#include "open/node_id.hpp"

#include <polyflake/error.hpp>

#include <string>

namespace polyflake {

std::uint64_t checked_node_id(const Layout& layout, std::uint64_t number) {
  layout.node_bits(number);  // refuses a number that does not fit
  if (number > layout.largest_node()) {
    throw Error(ErrorCode::field_out_of_range,
                "node id " + std::to_string(number) + " sets the sign bit; generated ids must stay below 2^63");
  }
  return number;
}

std::uint64_t node_id_of(const Layout& layout, std::int64_t number) {
  if (number >= 0) return checked_node_id(layout, static_cast<std::uint64_t>(number));
  throw Error(ErrorCode::field_out_of_range, "node id " + std::to_string(number) + " is negative; it may be 0 to " +
                                                 std::to_string(ones(layout.node_width())));
}

std::uint64_t node_id_of(const Layout& layout, const Worker::Fields& fields) {
  std::uint64_t number = 0;
  for (const auto& [name, value] : fields) number |= layout.node_with(name, value);
  for (const Field& field : layout.node_fields()) {
    if (fields.count(field.name) == 0) {
      throw Error(ErrorCode::worker_source_invalid,
                  "worker names no value for node field '" + field.name + "'; give one for each, or one node id");
    }
  }
  return checked_node_id(layout, number);
}

}  // namespace polyflake

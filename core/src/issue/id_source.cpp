#include <polyflake/id_source.hpp>

namespace polyflake {

IdSource::~IdSource() = default;

}  // namespace polyflake

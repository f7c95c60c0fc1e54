// Random bytes: the part that both implementations of os.hpp share.
#pragma once

namespace polyflake::platform {

// Raises registry_unusable. There is no weaker source to fall back to.
[[noreturn]] void refuse_without_random_bytes();

}  // namespace polyflake::platform

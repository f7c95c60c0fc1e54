// What both answers to os.hpp say of random bytes.
#pragma once

namespace polyflake::platform {

// Raises registry_unusable. There is no weaker source to go on with.
[[noreturn]] void refuse_without_random_bytes();

}  // namespace polyflake::platform

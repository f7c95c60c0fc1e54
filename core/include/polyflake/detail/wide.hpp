// Wide: a signed integer of 128 bits, wide enough for every product of a time and a rate.
#pragma once

#if defined(_MSC_VER) && !defined(__clang__)
#include <__msvc_int128.hpp>  // not tried: no compiler of Microsoft has built this
#endif

namespace polyflake::count {

#if defined(_MSC_VER) && !defined(__clang__)
using Wide = std::_Signed128;
#else
__extension__ using Wide = __int128;
#endif

}  // namespace polyflake::count

#include "lease/store_warning.hpp"

#include "base/once_warning.hpp"

namespace polyflake::lease {
namespace {

OnceWarning g_store_warning;

}  // namespace

void warn_of_store(const std::string& text) { g_store_warning.give(text); }

std::string take_store_warning() { return g_store_warning.take(); }

}  // namespace polyflake::lease

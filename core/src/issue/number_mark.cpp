#include "issue/number_mark.hpp"

#include <polyflake/text.hpp>

#include "base/once_warning.hpp"

namespace polyflake {
namespace {

OnceWarning g_number_warning;

// Must never change: all versions of this library must agree on it.
std::string name_of_number(std::uint64_t fingerprint, std::uint64_t node) {
  return "polyflake/number/" + to_text(fingerprint, "hex") + "/" + std::to_string(node);
}

}  // namespace

void NumberMark::take(std::uint64_t fingerprint, std::uint64_t node) {
  if (name_.taken() || name_.take(name_of_number(fingerprint, node)) != ProcessName::Take::by_another) return;
  g_number_warning.give("polyflake: another process of this host has opened node id " + std::to_string(node) +
                        " of this layout by its number, too. If both issue ids for one purpose, ids repeat: give each "
                        "process its own number, or choose a store or the worker \"host\"; see docs/worker-ids.md");
}

std::string take_number_warning() { return g_number_warning.take(); }

}  // namespace polyflake

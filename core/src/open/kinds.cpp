#include <polyflake/kinds.hpp>

#include <polyflake/error.hpp>
#include <polyflake/kind_text.hpp>

#include <algorithm>
#include <atomic>

#include "kinds/kind.hpp"

namespace polyflake {
namespace {

using Open = std::function<std::unique_ptr<IdSource>(KindOptions& options)>;

// Kinds added by the program, the last one first. Rows are never removed or freed.
struct Row {
  std::string name;
  Open open;
  const Row* next;
};
std::atomic<const Row*> g_rows{nullptr};

std::vector<std::string> names_from(const Row* row) {
  std::vector<std::string> names;
  for (; row != nullptr; row = row->next) names.push_back(row->name);
  std::reverse(names.begin(), names.end());
  return names;
}

}  // namespace

std::unique_ptr<IdSource> open_kind(std::string_view text, KindOptions options) {
  const Row* const rows = g_rows.load(std::memory_order_acquire);
  const KindText kind = parse_kind(text, names_from(rows));
  if (const Kind* const known = find_kind(kind.name)) return known->open(options);
  if (kind.store) {
    if (options.has("store")) {
      throw Error(ErrorCode::option_invalid,
                  "kind " + quoted(kind.name) + " is given a store twice: behind the ':' and as an option");
    }
    options.set("store", *kind.store);
  }
  const Row* row = rows;
  while (row->name != kind.name) row = row->next;
  std::unique_ptr<IdSource> source = row->open(options);
  if (source == nullptr)
    throw Error(ErrorCode::option_invalid, "the function of kind " + quoted(kind.name) + " opened none");
  options.refuse_the_rest(kind.name);
  return source;
}

void register_kind(std::string_view name, Open open) {
  if (!open) throw Error(ErrorCode::option_invalid, "kind " + quoted(name) + " needs a function that opens it");
  const Row* rows = g_rows.load(std::memory_order_acquire);
  auto made = std::make_unique<Row>(Row{std::string(name), std::move(open), nullptr});
  do {
    check_new_kind(name, names_from(rows));
    made->next = rows;
  } while (!g_rows.compare_exchange_weak(rows, made.get(), std::memory_order_acq_rel));
  made.release();  // NOLINT(bugprone-unused-return-value): never leaves the list
}

std::vector<std::string> kinds() {
  std::vector<std::string> names = built_in_kinds();
  for (std::string& own : names_from(g_rows.load(std::memory_order_acquire))) names.push_back(std::move(own));
  return names;
}

}  // namespace polyflake

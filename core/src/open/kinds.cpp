#include <polyflake/kinds.hpp>

#include <polyflake/error.hpp>
#include <polyflake/generator.hpp>
#include <polyflake/kind_text.hpp>
#include <polyflake/object_ids.hpp>
#include <polyflake/uuid4.hpp>
#include <polyflake/uuid7.hpp>

#include <algorithm>
#include <atomic>

namespace polyflake {
namespace {

using Open = std::function<std::unique_ptr<IdSource>(KindOptions& options)>;

// Kinds of the program, the last one first. Only added to, and never freed.
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

template <class TypedOptions>
void take_common(KindOptions& options, TypedOptions& typed) {
  typed.max_wait_ms = options.take_number("max_wait_ms").value_or(typed.max_wait_ms);
  typed.max_lead_ms = options.take_number("max_lead_ms").value_or(typed.max_lead_ms);
  typed.clock = options.take_clock("clock");
}

std::unique_ptr<IdSource> open_snowflake(KindOptions& options) {
  Options typed;
  take_common(options, typed);
  typed.worker = options.take_worker("worker").value_or(Worker());
  typed.layout = options.take_layout("layout").value_or(typed.layout);
  typed.sequence_spread = options.take_number("sequence_spread");
  typed.ordering = parse_ordering(options.take_text("ordering").value_or("strict"));
  options.refuse_the_rest("snowflake");
  return std::make_unique<Generator>(typed);
}

std::unique_ptr<IdSource> open_uuid7(KindOptions& options) {
  Uuid7Options typed;
  take_common(options, typed);
  typed.worker = options.take_worker("worker");
  typed.layout = options.take_layout("layout");
  typed.entropy = options.take_text("entropy");
  options.refuse_the_rest("uuid7");
  return std::make_unique<Uuid7>(typed);
}

std::unique_ptr<IdSource> open_uuid4(KindOptions& options) {
  Uuid4Options typed;
  typed.clock = options.take_clock("clock");
  typed.entropy = options.take_text("entropy");
  options.refuse_the_rest("uuid4");
  return std::make_unique<Uuid4>(typed);
}

std::unique_ptr<IdSource> open_object_ids(KindOptions& options) {
  ObjectIdOptions typed;
  take_common(options, typed);
  typed.entropy = options.take_text("entropy");
  options.refuse_the_rest("objectid");
  return std::make_unique<ObjectIds>(typed);
}

constexpr struct {
  std::string_view name;
  std::unique_ptr<IdSource> (*open)(KindOptions&);
} kBuiltIn[] = {
    {"snowflake", open_snowflake},
    {"uuid7", open_uuid7},
    {"uuid4", open_uuid4},
    {"objectid", open_object_ids},
};

[[noreturn]] void refuse_type(const std::string& name, const char* wanted) {
  throw Error(ErrorCode::option_invalid, "option " + quoted(name) + " is to be " + wanted);
}

}  // namespace

std::string KindOptions::text_of(const char* text) {
  if (text == nullptr) throw Error(ErrorCode::option_invalid, "an option is a null pointer, not a text");
  return text;
}

std::optional<KindOptions::Value> KindOptions::take(const std::string& name) {
  auto node = values_.extract(name);
  return node.empty() ? std::nullopt : std::optional<Value>(std::move(node.mapped()));
}

std::optional<std::int64_t> KindOptions::take_number(const std::string& name) {
  const auto value = take(name);
  if (!value) return std::nullopt;
  if (const auto* number = std::get_if<std::int64_t>(&*value)) return *number;
  refuse_type(name, "a number");
}

std::optional<std::string> KindOptions::take_text(const std::string& name) {
  const auto value = take(name);
  if (!value) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&*value)) return *text;
  refuse_type(name, "a text");
}

std::optional<Worker> KindOptions::take_worker(const std::string& name) {
  const auto value = take(name);
  if (!value) return std::nullopt;
  if (const auto* number = std::get_if<std::int64_t>(&*value)) return Worker(*number);
  if (const auto* text = std::get_if<std::string>(&*value)) return Worker(*text);
  if (const auto* worker = std::get_if<Worker>(&*value)) return *worker;
  refuse_type(name, "a worker, a number or a text");
}

std::optional<Layout> KindOptions::take_layout(const std::string& name) {
  const auto value = take(name);
  if (!value) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&*value)) return Layout(*text);
  if (const auto* layout = std::get_if<Layout>(&*value)) return *layout;
  refuse_type(name, "a layout or a text");
}

std::shared_ptr<Clock> KindOptions::take_clock(const std::string& name) {
  const auto value = take(name);
  if (!value) return nullptr;
  if (const auto* clock = std::get_if<std::shared_ptr<Clock>>(&*value)) return *clock;
  refuse_type(name, "a clock");
}

void KindOptions::refuse_the_rest(std::string_view kind) const {
  if (values_.empty()) return;
  throw Error(ErrorCode::option_invalid,
              "kind " + quoted(kind) + " has no option " + quoted(values_.begin()->first) + "; leave it out");
}

std::unique_ptr<IdSource> open_kind(std::string_view text, KindOptions options) {
  const Row* const rows = g_rows.load(std::memory_order_acquire);
  const KindText kind = parse_kind(text, names_from(rows));
  for (const auto& row : kBuiltIn) {
    if (row.name == kind.name) return row.open(options);
  }
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
  made.release();  // NOLINT(bugprone-unused-return-value): in the list now, for good
}

std::vector<std::string> kinds() {
  std::vector<std::string> names = built_in_kinds();
  for (std::string& own : names_from(g_rows.load(std::memory_order_acquire))) names.push_back(std::move(own));
  return names;
}

}  // namespace polyflake

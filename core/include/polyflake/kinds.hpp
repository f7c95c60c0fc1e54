// Sources of ids by the name of their kind, for programs that are told it by their configuration.
//
//   std::unique_ptr<polyflake::IdSource> ids = polyflake::open_kind("uuid7", {{"worker", "host"}});
//   std::string id = ids->next_id_string();
//
// "snowflake", "uuid7", "uuid4", "objectid", and what a program registers. Of the library polyflake::kinds.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <polyflake/clock.hpp>
#include <polyflake/id_source.hpp>
#include <polyflake/layout.hpp>
#include <polyflake/worker.hpp>

namespace polyflake {

// What a source is opened with, by name. Whoever opens takes what it knows; what is left is an error.
class KindOptions {
 public:
  class Value : public std::variant<std::int64_t, std::string, Worker, Layout, std::shared_ptr<Clock>> {
   public:
    Value(int number) : variant(std::int64_t{number}) {}                // NOLINT: values are what they are made of
    Value(std::int64_t number) : variant(number) {}                     // NOLINT
    Value(const char* text) : variant(text_of(text)) {}                 // NOLINT; errors: option_invalid (null)
    Value(std::string text) : variant(std::move(text)) {}               // NOLINT
    Value(Worker worker) : variant(std::move(worker)) {}                // NOLINT
    Value(Layout layout) : variant(std::move(layout)) {}                // NOLINT
    Value(std::shared_ptr<Clock> clock) : variant(std::move(clock)) {}  // NOLINT
    Value(std::shared_ptr<ManualClock> clock) : variant(std::move(clock)) {}  // NOLINT
  };

  KindOptions(std::initializer_list<std::pair<const std::string, Value>> options = {}) : values_(options) {}
  void set(const std::string& name, Value value) { values_.insert_or_assign(name, std::move(value)); }
  bool has(const std::string& name) const { return values_.count(name) != 0; }

  // The value of this name, nothing where none is given. A number or text is a worker, a text is a layout, where those are asked
  // for. Errors: option_invalid (of another type), and those of Worker and Layout.
  std::optional<std::int64_t> take_number(const std::string& name);
  std::optional<std::string> take_text(const std::string& name);
  std::optional<Worker> take_worker(const std::string& name);
  std::optional<Layout> take_layout(const std::string& name);
  std::shared_ptr<Clock> take_clock(const std::string& name);

  // Errors: option_invalid (some are left).
  void refuse_the_rest(std::string_view kind) const;

 private:
  std::optional<Value> take(const std::string& name);
  static std::string text_of(const char* text);

  std::map<std::string, Value> values_;
};

// Opens a source of ids of this kind, "name" or "name:store". An own kind finds the store as the option "store".
// Blocks: as the source. Errors: text_invalid, unknown_kind, option_invalid, and those of the source. Thread safety: any thread.
std::unique_ptr<IdSource> open_kind(std::string_view text, KindOptions options = {});

// Makes `name` a kind of this program, for its life. `open` takes from the options what it knows, and may throw what it likes;
// null is refused.
// Errors: text_invalid (no name), option_invalid (taken). Thread safety: any thread.
void register_kind(std::string_view name, std::function<std::unique_ptr<IdSource>(KindOptions& options)> open);

// The names of all kinds: those of this library, then those that were registered, in that order.
std::vector<std::string> kinds();

}  // namespace polyflake

// KindOptions: the options of a source whose kind is given by name, see kinds.hpp. Part of the
// library polyflake::kinds.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <polyflake/clock.hpp>
#include <polyflake/layout.hpp>
#include <polyflake/worker.hpp>

namespace polyflake {

// The options of a source, by name. The opener takes the options it knows; any left over is an
// error.
class KindOptions {
 public:
  class Value : public std::variant<std::int64_t, std::string, Worker, Layout, std::shared_ptr<Clock>> {
   public:
    // Implicit, so that options are written as plain values. Errors: option_invalid (a null text).
    Value(int number) : variant(std::int64_t{number}) {}                      // NOLINT
    Value(std::int64_t number) : variant(number) {}                           // NOLINT
    Value(const char* text) : variant(text_of(text)) {}                       // NOLINT
    Value(std::string text) : variant(std::move(text)) {}                     // NOLINT
    Value(Worker worker) : variant(std::move(worker)) {}                      // NOLINT
    Value(Layout layout) : variant(std::move(layout)) {}                      // NOLINT
    Value(std::shared_ptr<Clock> clock) : variant(std::move(clock)) {}        // NOLINT
    Value(std::shared_ptr<ManualClock> clock) : variant(std::move(clock)) {}  // NOLINT
  };

  KindOptions(std::initializer_list<std::pair<const std::string, Value>> options = {}) : values_(options) {}
  void set(const std::string& name, Value value) { values_.insert_or_assign(name, std::move(value)); }
  bool has(const std::string& name) const { return values_.count(name) != 0; }

  // Return the value of this name, or nullopt if none is given. take_worker() accepts a number or
  // text, take_layout() a text. Errors: option_invalid (another type), and those of Worker and
  // Layout.
  std::optional<std::int64_t> take_number(const std::string& name);
  std::optional<std::string> take_text(const std::string& name);
  std::optional<Worker> take_worker(const std::string& name);
  std::optional<Layout> take_layout(const std::string& name);
  std::shared_ptr<Clock> take_clock(const std::string& name);

  // Errors: option_invalid (if options are left over).
  void refuse_the_rest(std::string_view kind) const;

 private:
  std::optional<Value> take(const std::string& name);
  static std::string text_of(const char* text);

  std::map<std::string, Value> values_;
};

}  // namespace polyflake

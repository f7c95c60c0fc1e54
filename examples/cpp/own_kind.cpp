// A kind of one's own, order numbers of a shop, opened by the name that a configuration would have.
#include <atomic>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>

#include <polyflake/error.hpp>
#include <polyflake/kinds.hpp>

namespace {

// Numbers of this process alone, from `first` on; a shop would ask its database.
class OrderNumbers final : public polyflake::IdSource {
 public:
  explicit OrderNumbers(std::int64_t first) : next_(first) {}

  const char* kind() const override { return "orders"; }
  std::string next_id_string() override { return "ORD-" + std::to_string(take(1)); }
  std::size_t id_bytes() const override { return sizeof(std::int64_t); }
  void fill_bytes(unsigned char* ids, std::size_t n) override {
    const std::int64_t first = take(static_cast<std::int64_t>(n));
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t id = first + static_cast<std::int64_t>(i);
      std::memcpy(ids + i * sizeof id, &id, sizeof id);
    }
  }
  void close() noexcept override { closed_ = true; }
  bool closed() const noexcept override { return closed_; }
  polyflake::Stats stats() const override { return {}; }

 private:
  std::int64_t take(std::int64_t n) {
    if (closed_) throw polyflake::Error(polyflake::ErrorCode::generator_closed, "these order numbers were closed");
    return next_.fetch_add(n);
  }

  std::atomic<std::int64_t> next_;
  std::atomic<bool> closed_{false};
};

}  // namespace

int main() try {
  polyflake::register_kind("orders", [](polyflake::KindOptions& options) {
    return std::make_unique<OrderNumbers>(options.take_number("first").value_or(1));
  });
  for (const char* const kind : {"uuid7", "uuid4", "objectid"}) {
    std::cout << kind << ' ' << polyflake::open_kind(kind)->next_id_string() << '\n';
  }
  const auto orders = polyflake::open_kind("orders", {{"first", 1001}});
  std::cout << orders->kind() << ' ' << orders->next_id_string() << ' ' << orders->next_id_string() << '\n';
} catch (const polyflake::Error& error) {
  std::cerr << error.code_name() << ": " << error.what() << '\n';
  return 1;
}

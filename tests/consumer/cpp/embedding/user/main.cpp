#include <shop.hpp>

int main() {
  shop::Orders orders(7);
  const std::uint64_t first = orders.new_id();
  return orders.new_id() > first ? 0 : 1;
}

#pragma once

#include <cstdint>

#include <polyflake/polyflake.hpp>

namespace shop {

class Orders {
 public:
  explicit Orders(int shop_number);
  std::uint64_t new_id() { return generator_.next_id(); }

 private:
  polyflake::Generator generator_;
};

}  // namespace shop

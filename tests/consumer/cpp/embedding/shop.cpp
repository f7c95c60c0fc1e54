#include "shop.hpp"

static polyflake::Options numbered(int shop_number) {
  polyflake::Options options;
  options.worker = shop_number;
  return options;
}

shop::Orders::Orders(int shop_number) : generator_(numbered(shop_number)) {}

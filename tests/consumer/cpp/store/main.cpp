// A first program with Redis; it fails unless it is told that nothing listens at port 1.
#include <polyflake/polyflake.hpp>
#include <polyflake/redis_carrier.hpp>

#include <cstdio>
#include <memory>
#include <string>

int main() try {
  const auto carrier = std::make_shared<polyflake::RedisCarrier>("redis://127.0.0.1:1");
  polyflake::init_namespace(*polyflake::carried_store("redis", "orders", carrier), "polyflake");
  return 1;
} catch (const polyflake::Error& error) {
  std::printf("%s: %s\n", error.code_name(), error.what());
  return std::string(error.what()).find("no server listens") != std::string::npos ? 0 : 1;
}

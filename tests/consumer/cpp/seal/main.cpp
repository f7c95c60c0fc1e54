// A first program with private ids; it fails unless an id comes back.
#include <polyflake/seal.hpp>

#include <cstdio>

int main() {
  const polyflake::Seal seal("a key of 16 byte", {"order"});
  const std::string text = seal.encode(7);
  std::printf("%s\n", text.c_str());
  return text.size() == 11 && seal.decode(text) == 7 ? 0 : 1;
}

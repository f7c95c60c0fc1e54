// What a first program with the library looks like; it fails unless ids come out and go back in.
#include <polyflake/polyflake.hpp>

#include <cstdio>
#include <type_traits>

static_assert(std::is_default_constructible_v<polyflake::Generator>);

int main() {
  polyflake::Options options;
  options.worker = 7;
  polyflake::Generator generator(options);
  const std::uint64_t id = generator.next_id();
  const polyflake::Parts parts = generator.layout().unpack(id);
  std::printf("%s of node %d, polyflake %s\n", polyflake::to_text(id).c_str(), static_cast<int>(parts.node),
              POLYFLAKE_VERSION);
  return parts.node == 7 && generator.next_id() > id ? 0 : 1;
}

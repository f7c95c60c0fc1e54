// Issues 25 000 ids into a file, one a line, and says what three of them mean. Begins when standard input does.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <vector>

#include <polyflake/polyflake.hpp>

#include "say.hpp"

int main(int, char** arguments) try {
  polyflake::Generator generator;  // with a node id that no other process of this host has
  std::cout << "node id " << generator.worker() << std::endl;
  std::cin.get();

  std::vector<std::uint64_t> ids(25000);
  for (std::uint64_t& id : ids) id = generator.next_id();

  std::ofstream file(arguments[1]);
  for (std::uint64_t id : ids) file << id << '\n';

  for (std::uint64_t id : {ids.front(), ids[12500], ids.back()}) say(id, generator.layout());
} catch (const polyflake::Error& error) {
  std::cerr << error.code_name() << ": " << error.what() << '\n';
  return 1;
}

// Takes a node id from a store of one's own, FOLDER/leases, and issues three ids:  own_store FOLDER
#include <iostream>
#include <memory>
#include <string>

#include <polyflake/polyflake.hpp>

#include "file_store.hpp"
#include "say.hpp"

int main(int, char** arguments) try {
  auto store = std::make_shared<FileStore>(std::string(arguments[1]) + "/leases");
  // Once, by an operator. `fresh`: no store of this name was ever lost, so the first id waits for nothing.
  polyflake::init_namespace(*store, "polyflake", {}, true);

  polyflake::Options options;
  options.worker = store;
  polyflake::Generator generator(options);  // renewed by a thread of its own, until it is closed
  for (int i = 0; i < 3; ++i) say(generator.next_id(), generator.layout());

  for (const polyflake::LeaseInfo& held : polyflake::leases(*store, "polyflake")) {
    std::cout << "node id " << held.node << " is held by " << held.label << '\n';
  }
} catch (const polyflake::Error& error) {
  std::cerr << error.code_name() << ": " << error.what() << '\n';
  return 1;
}

// Says what ids mean:  decode LAYOUT ID [LAYOUT ID ...]
#include <iostream>

#include <polyflake/polyflake.hpp>

#include "say.hpp"

int main(int, char** arguments) try {
  for (char** pair = arguments + 1; pair[0] && pair[1]; pair += 2) {
    say(polyflake::from_text(pair[1]), polyflake::Layout(pair[0]));
  }
} catch (const polyflake::Error& error) {
  std::cerr << error.code_name() << ": " << error.what() << '\n';
  return 1;
}

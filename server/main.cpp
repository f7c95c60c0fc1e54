// The program polyflaked: reads its configuration, serves, and ends with 0 once it was drained.
#include <polyflake/error.hpp>
#include <polyflake/version.hpp>

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include <malloc.h>
#include <sys/resource.h>

#include "access/token_files.hpp"
#include "configuration/configuration.hpp"
#include "ids/store_carrier.hpp"
#include "log.hpp"
#include "operation/check.hpp"
#include "server.hpp"

namespace polyflake::server {
namespace {

enum Exit { drained = 0, configuration = 2, no_node_id = 3, clock_or_registry = 4 };

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  try {
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (file) return text;
  } catch (const std::ios_base::failure&) {
    // It is a folder, for instance.
  }
  throw ConfigurationError("cannot read the configuration " + path + "; --config names it");
}

Exit exit_of(const Error& error) {
  if (error.kind() == ErrorKind::argument) return configuration;
  if (error.kind() == ErrorKind::clock || error.code() == ErrorCode::registry_unusable) return clock_or_registry;
  return no_node_id;
}

// The usual limit of open files is less than max_connections. It is there for programs that use
// select(), as this one does not.
void raise_limit_of_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Memory of large replies goes back to the system: without this malloc learns to keep it.
void return_large_memory() { ::mallopt(M_MMAP_THRESHOLD, 128 * 1024); }

// Prints what a server with this configuration says of itself. Returns 0 if it is ready, 1 if not.
int check(const Configuration& found) {
  const ListenerConfiguration* const listener = listener_to_ask(found);
  if (listener == nullptr) {
    throw ConfigurationError(
        "no server can be asked: --check needs a [[listener]] with protocol = \"http\", without encryption, at an "
        "address with a port or a path");
  }
  const Readiness readiness = ask_readiness(*listener);
  std::cout << readiness.answer << '\n';
  return readiness.ready ? 0 : 1;
}

enum class Task { serve, check, check_configuration };

int serve(const std::string& path, Task task) {
  try {
    const Configuration found = read_configuration(content_of(path), path);
    if (task == Task::check) return check(found);
    if (task == Task::check_configuration) {
      TokenFiles checked(found);
      std::cout << path << ": ok\n";
      return drained;
    }
    // The core has no other way to know the folder.
    if (!found.registry.empty()) ::setenv("POLYFLAKE_HOME", found.registry.c_str(), 1);
    raise_limit_of_files();
    return_large_memory();
    Server server(found);
    server.run();
    return drained;
  } catch (const ConfigurationError& error) {
    log("refused", {{"reason", error.what()}});
    return configuration;
  } catch (const Error& error) {
    log("refused", {{"code", error.code_name()}, {"reason", error.what()}});
    return exit_of(error);
  }
}

int run(int count, char** words) {
  CLI::App app("Hands out ids over HTTP, the protocol of Redis and Thrift. docs/server.md says more.", "polyflaked");
  std::string path = "/etc/polyflake/server.toml";
  bool asks = false;
  bool check_configuration = false;
  bool keys = false;
  app.add_option("--config", path, "the configuration, a TOML file")->capture_default_str();
  CLI::Option* const check_flag =
      app.add_flag("--check", asks, "asks the server that has this configuration whether it is ready, and ends");
  app.add_flag("--check-config", check_configuration, "reads the configuration, says whether it is right, and ends")
      ->excludes(check_flag);
  app.add_flag("--config-help", keys, "prints all keys of a configuration, and ends");
  app.set_version_flag("--version", POLYFLAKE_VERSION);
  app.footer("Stores that it was built with: " + served_kinds());
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? drained : configuration;
  }
  if (keys) {
    std::cout << table_of_keys();
    return drained;
  }
  if (check_configuration) return serve(path, Task::check_configuration);
  return serve(path, asks ? Task::check : Task::serve);
}

}  // namespace
}  // namespace polyflake::server

int main(int count, char** words) {
  // Who reads the log may end first, and a client of TLS at any time. SIGHUP rereads files once there is a server.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGHUP, SIG_IGN);
  try {
    return polyflake::server::run(count, words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "polyflaked: %s\n", error.what());
    return 1;
  }
}
